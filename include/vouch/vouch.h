/* vouch/vouch.h - everything public, in one include.
 *
 *     status.h    status, error text, limits, log                model.h     build and inspect a model
 *     lp.h        linear programs, mip.h: mixed-integer ones     model_io.h  models and policies as files
 *     lp_io.h     both as files                                  generate.h  example models
 *     plan.h      plan a policy, by one of method.h              policy.h    its rules, figures, graph; follow it
 *     ccil.h      replan while acting; simulate                  explain.h   largest promises; program.h: for other solvers
 *     decision_tree.h  a policy as rules, and its picture
 *
 * One rule for all calls: the object acted upon comes first, which for a call that makes an object is the address where the new one
 * goes (NULL there after an error); `vouch_error *` comes last wherever there is something to say beyond the status, and may be
 * NULL. Calls that can only be given a wrong argument or run out of memory return the status alone. Options are structs with an
 * .._init; results are structs filled by .._get_.., whose arrays belong to the object. Objects are opaque, freed by .._free (NULL
 * is fine), and used by one thread at a time, unless all of them only read it; different objects share nothing. README.md holds a
 * complete example.
 *
 * A pointer may be NULL only if its header allows it; an array without elements may be. Otherwise a call that returns a status
 * returns VOUCH_ERROR_ARGUMENT and changes nothing. Any other call does nothing: it returns 0, "" or NULL, -1 for a number that was
 * looked for, NAN for a probability, and fills a struct with zeros.
 */
#ifndef VOUCH_VOUCH_H
#define VOUCH_VOUCH_H

#include <vouch/status.h>
#include <vouch/trace.h>
#include <vouch/lp.h>
#include <vouch/lp_io.h>
#include <vouch/mip.h>
#include <vouch/model.h>
#include <vouch/model_io.h>
#include <vouch/generate.h>
#include <vouch/policy.h>
#include <vouch/decision_tree.h>
#include <vouch/method.h>
#include <vouch/search.h>
#include <vouch/plan.h>
#include <vouch/groups.h>
#include <vouch/explain.h>
#include <vouch/program.h>
#include <vouch/ccil.h>

#endif
