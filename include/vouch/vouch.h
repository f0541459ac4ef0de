/* vouch/vouch.h - everything public, in one include. */
#ifndef VOUCH_VOUCH_H
#define VOUCH_VOUCH_H

#include <vouch/status.h>
#include <vouch/lp.h>
#include <vouch/lp_io.h>
#include <vouch/mip.h>
#include <vouch/model.h>
#include <vouch/model_io.h>
#include <vouch/generate.h>
#include <vouch/policy.h>
#include <vouch/plan.h>
#include <vouch/explain.h>
#include <vouch/program.h>
#include <vouch/ccil.h>

#endif
