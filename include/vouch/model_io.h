/* vouch/model_io.h - models and policies as files
 *
 * Files are read plain or gzip-compressed and written whole or not at all. A name that ends in .gz is written compressed;
 * "-" is standard input or output. Every message about a file's content starts with FILE:LINE.
 */
#ifndef VOUCH_MODEL_IO_H
#define VOUCH_MODEL_IO_H

#include <stddef.h>
#include <stdint.h>
#include <vouch/plan.h>

VOUCH_C_BEGIN

/* Reads a model in vouch's JSON format. *model is finished, ready to plan for; NULL after an error. */
VOUCH_API vouch_status vouch_model_read(vouch_model **model, const char *path, vouch_error *error);
/* What files of other formats leave open. Start from vouch_source_init. */
typedef struct vouch_source {
    int horizon;        /* T; 0: as in a JSON file; other formats: the latest time of the promises, if each has one */
    double probability; /* p; NAN: not given */
    const char *commit; /* Phi: a label, an expression of the PRISM language, or names of states separated by commas; NULL: none */
    const char *const *commits; /* [commit_count] "[NAME:]KIND:WHAT[@TIME][>=P]": promises, WHAT as in commit */
    size_t commit_count;
    const char *properties;           /* a file of PRISM properties, read as promises; NULL: none */
    const char *const *probabilities; /* [probability_count] "NAME=P", overriding the promises' own */
    size_t probability_count;
    const char *const *initial; /* [initial_count] "STATE" or "STATE=P"; those without P are equally likely */
    size_t initial_count;
    const char *reward;  /* which reward structure; NULL: the only one, if there is one */
    const char *time_to; /* instead of a reward: -1 for each step begun outside this label (or expression); 1 with minimise */
    int minimise;        /* 1: rewards are costs, as after vouch_model_set_sense */
    int unrewarded;      /* 1: of several reward structures none need be chosen; then there are no rewards */
    const char *const
        *constants; /* [constant_count] "NAME=lo:hi", "NAME=lo:hi:step" or "NAME=v1,v2": open constants of PRISM and JANI files */
    size_t constant_count;
    int fix_deadlocks;     /* 1: a state without actions gets one that stays there */
    int merge_actions;     /* 1: an action that some environment lacks in a state is a loop there */
    int sample;            /* PRISM, JANI: size of a random sample of the environments, which may exceed a million; 0: all */
    uint64_t sample_seed;  /* of the draw */
    long long state_limit; /* of files that are not JSON: most states, of PRISM those reached within the horizon; 0: ten million */
} vouch_source;

VOUCH_API void vouch_source_init(vouch_source *source);

/* Reads a model in any format, selected by its name: PRISM (.prism, .nm, .pm, .templ; .tra and the files beside it), JANI (.jani),
 * a directory of .drn or .tra files or one of them, multi-model .csv (initial state 0, or as in initial.csv beside it), .pomdp,
 * else JSON; each also with .gz appended. The horizon and probability of source replace those in a JSON file. */
VOUCH_API vouch_status vouch_model_import(vouch_model **model, const char *path, const vouch_source *source, vouch_error *error);

/* Writes a finished model; reading it again gives the same model bit by bit. */
VOUCH_API vouch_status vouch_model_write(const vouch_model *model, const char *path, vouch_error *error);

/* Reads a policy for the model, with its states, actions and environments. NULL after an error. The figures are taken from the
 * file, unchecked; vouch_policy_evaluate recomputes them. */
VOUCH_API vouch_status vouch_policy_read(vouch_policy **policy, const vouch_model *model, const char *path, vouch_error *error);
VOUCH_API vouch_status vouch_policy_write(const vouch_policy *policy, const vouch_model *model, const char *path,
                                          vouch_error *error);

VOUCH_C_END
#endif
