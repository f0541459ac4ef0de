/* know/classes_grown.h - a set of likelihood classes to search on, of those that were grown (know/grown.h). */
#ifndef KNOW_CLASSES_GROWN_H
#define KNOW_CLASSES_GROWN_H

#include "know/classes.h"
#include "know/grown.h"

/* The environment is known from leaves of x on, once a choice is made there. For all multipliers, where every option is allowed,
 * its value is that of grown_value's high but for rounding. */
vouch_status know_classes_expanded(const grown_classes *x, know_classes **classes);

#endif
