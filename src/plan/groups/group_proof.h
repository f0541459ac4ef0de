/* plan/groups/group_proof.h - the proof of a partition: a part for each of its groups, and for sets that no better one can avoid.
 */
#ifndef PLAN_GROUPS_GROUP_PROOF_H
#define PLAN_GROUPS_GROUP_PROOF_H

#include "plan/groups/partition.h"

/* Writes the proof of the result of partition_search to options.proof. The bound becomes the proved one. */
vouch_status group_proof_tell(grouping *p);

#endif
