/* policy/methods.c - the table of methods (vouch/method.h). */
#include <string.h>
#include <vouch/method.h>

#define ENTRY(name, function, ...) {__VA_ARGS__},
static const vouch_method_description METHODS[] = {VOUCH_METHODS(ENTRY)};
#undef ENTRY

const vouch_method_description *vouch_method_describe(vouch_method method)
{
    int number = (int)method;
    return number >= 0 && number < VOUCH_METHOD_COUNT ? &METHODS[number] : NULL;
}

const char *vouch_method_text(vouch_method method)
{
    const vouch_method_description *about = vouch_method_describe(method);
    return about ? about->word : "unknown";
}

int vouch_method_find(const char *word)
{
    if (!word) return -1;
    for (int i = 0; i < VOUCH_METHOD_COUNT; i++)
        if (strcmp(METHODS[i].word, word) == 0) return i;
    return -1;
}
