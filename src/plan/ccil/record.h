/* plan/ccil/record.h - what planning again tells its trace (base/trace.h); what the method says of each plan stands between the
 * two.
 *
 *     segment  a plan begins: when, where, which environments are possible, what each is owed
 *     planned  it has ended: how, its figures, and which plans follow it
 *
 * Times, environments and sets of environments of what stands between are those of the plan: from its time on, in its order.
 */
#ifndef PLAN_CCIL_RECORD_H
#define PLAN_CCIL_RECORD_H

#include "base/trace.h"
#include "plan/ccil/segment.h"

void record_segment(vouch_trace *trace, const segment *seg, int id);
void record_planned(vouch_trace *trace, const segment *seg, int id);

#endif
