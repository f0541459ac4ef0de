/* io/jani.h - JANI models (jani-specification, version 1; C. Dehnert et al., TACAS 2017, "JANI: Quantitative model and tool
 * interaction") of type mdp or dtmc, as the arrays of a PRISM file (prism.h).
 *
 *   jani.c           the model: constants, variables, composition, initial states
 *   jani_automaton.c automata: locations, edges, assignments
 *   jani_expr.c      expressions, functions
 *   jani_array.c     arrays
 *   jani_property.c  properties as labels
 *
 * An automaton becomes a module, an edge a command, a synchronisation vector a prism_sync. The location of an automaton with more
 * than one is a variable with its name. An array is one variable for each element, NAME_0 and so on. A transient variable is a
 * formula; its value as locations give it. A Boolean one is also a label, one of numbers a reward structure: what locations give is
 * paid by every step that begins there, what edges assign by the step.
 */
#ifndef IO_JANI_H
#define IO_JANI_H

#include "io/prism.h"

/* Reads a JANI file as prism_parse reads PRISM. Start from {.file, .error}; prism_free whatever the outcome. Errors name the file,
 * the line and the path inside. */
vouch_status jani_parse(prism *p, const char *content, size_t length);

#endif
