/* The JSON reader: against Jansson as judge on mutated documents, and the places it names. */
#include "test.h"

#include <jansson.h>

#include "base/rng.h"
#include "base/text.h"
#include "io/json.h"

typedef struct input {
    js_doc *doc;
    const char *name;
    char *content;
    size_t length;
} input;

static escape reading;

static void parse_input(void *object)
{
    input *in = object;
    js_parse(in->doc, in->name, in->content, in->length);
}

/* Takes over content. */
static vouch_status parse_own(js_doc *doc, const char *name, char *content, size_t length, vouch_error *error)
{
    reading = (escape){.error = error};
    *doc = (js_doc){.e = &reading};
    return escape_try(&reading, parse_input, &(input){doc, name, content, length});
}

static vouch_status parse(js_doc *doc, const char *content, size_t length, vouch_error *error)
{
    char *copy = mem_alloc(length + 1, 1);
    assert_non_null(copy);
    memcpy(copy, content, length);
    copy[length] = '\0';
    return parse_own(doc, "x.json", copy, length, error);
}

static const js_doc *failing;
static uint32_t failing_at;

static void fail_here(void *object)
{
    (void)object;
    js_fail(failing, failing_at, "no");
}

/* Does a node equal Jansson's value? */
static bool same(const js_doc *doc, uint32_t at, const json_t *judge)
{
    switch (js_kind_of(doc, at)) {
    case JS_NULL:
        return json_is_null(judge);
    case JS_FALSE:
        return json_is_false(judge);
    case JS_TRUE:
        return json_is_true(judge);
    case JS_NUMBER:
        return json_is_number(judge) && js_number(doc, at) == json_number_value(judge);
    case JS_STRING:
        return json_is_string(judge) && strcmp(js_string(doc, at), json_string_value(judge)) == 0;
    case JS_ARRAY: {
        size_t i = 0;
        if (!json_is_array(judge) || json_array_size(judge) != js_count(doc, at)) return false;
        for (uint32_t c = at + 1; c < js_end(doc, at); c = js_end(doc, c))
            if (!same(doc, c, json_array_get(judge, i++))) return false;
        return true;
    }
    case JS_OBJECT: {
        if (!json_is_object(judge)) return false;
        const char *last = NULL;
        for (uint32_t c = at + 1; c < js_end(doc, at); c = js_end(doc, c + 1)) {
            /* of a repeated name Jansson keeps the last value */
            bool repeated = false;
            for (uint32_t d = js_end(doc, c + 1); d < js_end(doc, at); d = js_end(doc, d + 1))
                repeated = repeated || strcmp(js_string(doc, c), js_string(doc, d)) == 0;
            last = js_string(doc, c);
            if (!repeated && !same(doc, c + 1, json_object_get(judge, last))) return false;
        }
        return true;
    }
    case JS_ROWS: /* nothing is skimmed here */
        break;
    }
    return false;
}

static void jansson_accepts_the_same_documents(void **state)
{
    (void)state;
    static const char *const seeds[] = {
        "{\"a\": [1, -2.5e3, 0.1, 1E-2, -0], \"b\": {\"c\": null, \"d\": true}, \"e\": \"x\\n\\u00e9\\ud83d\\ude00\\/\"}",
        "[[], {}, [[1]], \"\", \"\xC3\xA9\xE2\x82\xAC\xF0\x9F\x98\x80\", false, 12345678901, 1e308]",
        " [ 1 , 2 ]\r\n\t",
    };
    static const char alphabet[] = "{}[]\",:0123456789.eE+-\\untrfals \n\xC3\xA9\xED\xA0\x80/";
    rng r = rng_seed(5);
    int accepted = 0;
    for (int round = 0; round < 60000; round++) {
        char content[256];
        const char *seed = seeds[rng_below(&r, 3)];
        size_t n = strlen(seed);
        memcpy(content, seed, n);
        for (uint64_t edits = rng_below(&r, 4); edits > 0; edits--) {
            size_t at = (size_t)rng_below(&r, n);
            char c = alphabet[rng_below(&r, sizeof alphabet - 1)];
            switch (rng_below(&r, 3)) {
            case 0:
                content[at] = c;
                break;
            case 1:
                memmove(content + at, content + at + 1, --n - at);
                break;
            default:
                memmove(content + at + 1, content + at, n++ - at);
                content[at] = c;
                break;
            }
        }
        js_doc doc;
        vouch_error error = {0};
        vouch_status status = parse(&doc, content, n, &error);
        json_error_t why;
        json_t *judge = json_loadb(content, n, JSON_DECODE_ANY, &why);
        bool too_large = judge == NULL && json_error_code(&why) == json_error_numeric_overflow;
        if (!too_large && (status == VOUCH_OK) != (judge != NULL))
            fail_msg("ours: %s; Jansson: %s; text: %.*s", status ? error.text : "ok", judge ? "ok" : why.text, (int)n, content);
        if (judge && !same(&doc, 0, judge)) fail_msg("another value: %.*s", (int)n, content);
        if (status) assert_true(strncmp(error.text, "x.json:", 7) == 0);
        accepted += judge != NULL;
        json_decref(judge);
        escape_end(&reading);
    }
    assert_true(accepted > 10000);
}

static void messages_name_line_and_path(void **state)
{
    (void)state;
    const char *content = "{ \"a\": [\n  1,\n  { \"b\": [2, [3,\n 4]] } ],\n  \"c\": 5 }";
    static const struct {
        double number;
        const char *place;
    } wanted[] = {{1, "x.json:2: a[0]: no"},
                  {2, "x.json:3: a[1].b[0]: no"},
                  {3, "x.json:3: a[1].b[1][0]: no"},
                  {4, "x.json:4: a[1].b[1][1]: no"},
                  {5, "x.json:5: c: no"}};
    js_doc doc;
    vouch_error error;
    assert_int_equal(parse(&doc, content, strlen(content), &error), VOUCH_OK);
    int seen = 0;
    for (uint32_t i = 0; i < doc.count; i++)
        for (size_t w = 0; w < 5; w++)
            if (js_kind_of(&doc, i) == JS_NUMBER && js_number(&doc, i) == wanted[w].number) {
                failing = &doc;
                failing_at = i;
                assert_int_equal(escape_try(&reading, fail_here, NULL), VOUCH_ERROR_INPUT);
                assert_string_equal(error.text, wanted[w].place);
                seen++;
            }
    assert_int_equal(seen, 5);
    escape_end(&reading);
}

static void a_failing_allocation_is_reported_and_leaves_nothing(void **state)
{
    (void)state;
    const char *content = "{\"a\": [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, \"x\", [], {}], \"b\": [[[[[[]]]]]]}";
    int failures = 0;
    for (sweep w = {0};;) {
        char *copy = mem_string(content);
        js_doc doc = {0};
        vouch_error error = {0};
        sweep_refuse(&w);
        vouch_status status = parse_own(&doc, "x", copy, strlen(content), &error);
        bool last = sweep_ends(&w, status == VOUCH_OK);
        escape_end(&reading);
        assert_int_equal(mem_live(), 0);
        if (last) break;
        if (status == VOUCH_OK) continue;
        assert_int_equal(status, VOUCH_ERROR_MEMORY);
        failures++;
    }
    assert_true(failures > 2);
}

/* A character of UTF-8 that the end of the file cuts, at every place; and the same character whole, before the file ends without a
 * quotation mark. */
static void a_character_cut_at_the_end_is_refused(void **state)
{
    (void)state;
    static const char *const letter[] = {"\xC3\xA9", "\xE2\x82\xAC", "\xF0\x9F\x98\x80"};
    for (size_t i = 0; i < sizeof letter / sizeof *letter; i++) {
        size_t whole = strlen(letter[i]);
        assert_int_equal(js_utf8_length(letter[i], whole), whole);
        for (size_t n = 1; n < whole; n++)
            assert_int_equal(js_utf8_length(letter[i], n), 0); /* the rest stands behind, and is not the file's */
        for (size_t n = 1; n <= whole; n++) {
            char content[8] = "\"";
            js_doc doc;
            vouch_error error = {0};
            memcpy(content + 1, letter[i], n);
            assert_int_equal(parse(&doc, content, 1 + n, &error), VOUCH_ERROR_INPUT);
            assert_non_null(strstr(error.text, n < whole ? "expected UTF-8" : "the file ends inside a string"));
            escape_end(&reading);
        }
    }
}

/* Strings of any bytes can be written and read. */
/* The ends of the ranges of UTF-16, in pairs and halves. */
static void surrogates_count_in_pairs_only(void **state)
{
    (void)state;
    static const struct {
        const char *text, *bytes; /* NULL: refused */
    } cases[] = {{"\"\\uD800\\uDC00\"", "\xF0\x90\x80\x80"},
                 {"\"\\uDBFF\\uDFFF\"", "\xF4\x8F\xBF\xBF"},
                 {"\"\\uD7FF\"", "\xED\x9F\xBF"},
                 {"\"\\uE000\"", "\xEE\x80\x80"},
                 {"\"\\u0080\"", "\xC2\x80"},
                 {"\"\\u007F\"", "\x7F"},
                 {"\"\\u07FF\"", "\xDF\xBF"},
                 {"\"\\u0800\"", "\xE0\xA0\x80"},
                 {"\"\\uFFFF\"", "\xEF\xBF\xBF"},
                 {"\"\\uDBFF\"", NULL},
                 {"\"\\uDBFF\\uE000\"", NULL},
                 {"\"\\uDBFF\\uDBFF\"", NULL},
                 {"\"\\uD800 \\uDC00\"", NULL},
                 {"\"\\uDC00\"", NULL},
                 {"\"\\uDFFF\\uD800\"", NULL}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        js_doc doc;
        vouch_error error = {0};
        vouch_status status = parse(&doc, cases[i].text, strlen(cases[i].text), &error);
        if ((status == VOUCH_OK) != (cases[i].bytes != NULL)) fail_msg("%s: %s", cases[i].text, error.text);
        if (status == VOUCH_OK) assert_string_equal(js_string(&doc, 0), cases[i].bytes);
        escape_end(&reading);
    }
}

static void any_bytes_are_written_so_that_they_can_be_read(void **state)
{
    (void)state;
    rng r = rng_seed(7);
    for (int i = 0; i < 2000; i++) {
        char bytes[12];
        size_t n = rng_below(&r, 11);
        for (size_t j = 0; j < n; j++) bytes[j] = (char)(1 + rng_below(&r, 255));
        bytes[n] = '\0';
        text t = {0};
        js_doc doc;
        js_add(&t, "\"%s\"", bytes);
        assert_int_equal(parse(&doc, t.data, t.length, NULL), VOUCH_OK);
        escape_end(&reading);
        text_free(&t);
    }
}

/* Decimals of few digits take a way of their own. */
static void numbers_are_those_of_strtod(void **state)
{
    (void)state;
    rng random = rng_seed(5);
    for (int i = 0; i < 20000; i++) {
        enum { DIGITS = 19 };
        char number[64], document[80];
        int digits = 1 + (int)rng_below(&random, DIGITS), point = (int)rng_below(&random, (uint64_t)digits + 1);
        size_t n = 0;
        if (rng_below(&random, 2)) number[n++] = '-';
        for (int d = 0; d < digits; d++) {
            if (d == point && d > 0) number[n++] = '.';
            int least = d == 0 && point != 1 && digits > 1; /* no zero in front */
            number[n++] = (char)('0' + least + (int)rng_below(&random, (uint64_t)(10 - least)));
        }
        if (rng_below(&random, 4) == 0)
            n += (size_t)format_text(number + n, sizeof number - n, "e%d", (int)rng_below(&random, 40) - 20);
        number[n] = '\0';
        snprintf(document, sizeof document, "[%s]", number);
        js_doc doc;
        vouch_error error;
        assert_int_equal(parse(&doc, document, strlen(document), &error), VOUCH_OK);
        double want = number_read(number, NULL), got = js_number(&doc, 1);
        assert_memory_equal(&got, &want, sizeof got);
        escape_end(&reading);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(jansson_accepts_the_same_documents),
        cmocka_unit_test(numbers_are_those_of_strtod),
        cmocka_unit_test(messages_name_line_and_path),
        cmocka_unit_test(a_failing_allocation_is_reported_and_leaves_nothing),
        cmocka_unit_test(a_character_cut_at_the_end_is_refused),
        cmocka_unit_test(surrogates_count_in_pairs_only),
        cmocka_unit_test(any_bytes_are_written_so_that_they_can_be_read),
    };
    return run_tests(tests);
}
