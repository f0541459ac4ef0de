/* io/json_number.c - see js_decimal in json.h. */
#include <stdlib.h>

#include "base/locale.h"
#include "io/json.h"

double js_decimal(const char *at, const char *end)
{
    enum { DIGITS = 15 };
    static const double power[DIGITS + 1] = {1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15};
    if (end - at > DIGITS) return number_read(at, NULL);
    double whole = 0;
    int behind = 0;
    bool point = false;
    for (const char *c = at + (*at == '-'); c < end; c++) {
        if (*c == 'e' || *c == 'E') return number_read(at, NULL);
        if (*c == '.') {
            point = true;
            continue;
        }
        whole = 10 * whole + (*c - '0');
        behind += point;
    }
    return (*at == '-' ? -whole : whole) / power[behind];
}
