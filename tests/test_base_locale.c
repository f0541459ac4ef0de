/* Numbers and text do not depend on the host's locale. tests/cli_locale.sh also runs this in a locale with a decimal comma and
 * other letters (VOUCH_TEST_LOCALE). */
#include "plan_aid.h"

#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>

#include "base/text.h"
#include "io/json.h"

static void numbers_have_a_point(void **state)
{
    char *end, out[64];
    double x;
    (void)state;
    assert_near(number_read("1.5,2", &end), 1.5, 0);
    assert_string_equal(end, ",2");
    assert_int_equal(format_text(out, sizeof out, "%g %.2f", 0.5, 1e6), 14);
    assert_string_equal(out, "0.5 1000000.00");
    assert_int_equal(scan_text("x 2.5", "x %lf", &x), 1);
    assert_near(x, 2.5, 0);
    FILE *file = tmpfile();
    assert_non_null(file);
    assert_int_equal(format_file(file, "%.1e", 1.5), 7);
    rewind(file);
    assert_non_null(fgets(out, sizeof out, file));
    assert_string_equal(out, "1.5e+00");
    fclose(file);
}

static void letters_are_those_of_ascii(void **state)
{
    (void)state;
    for (int c = 0; c < 256; c++) {
        bool upper = c >= 'A' && c <= 'Z', lower = c >= 'a' && c <= 'z', digit = c >= '0' && c <= '9';
        assert_int_equal(ascii_alpha((char)c), upper || lower);
        assert_int_equal(ascii_alnum((char)c), upper || lower || digit);
        assert_int_equal(ascii_digit((char)c), digit);
        assert_int_equal(ascii_space((char)c), c != 0 && c < 256 && strchr(" \t\n\v\f\r", c) != NULL);
        assert_int_equal((unsigned char)ascii_lower((char)c), upper ? c + 32 : c);
    }
    assert_true(ascii_same("INFINITY", "infinity", SIZE_MAX));
    assert_true(ascii_same("MINimise", "minus", 3));
    assert_false(ascii_same("inf", "infinity", SIZE_MAX));
    assert_false(ascii_same("infinity", "inf", SIZE_MAX));
}

static void messages_are_english(void **state)
{
    (void)state;
    assert_string_equal(system_text(ENOENT), "No such file or directory");
}

static atomic_bool stop;

/* A host whose other thread sets the locale all the time. */
static void *switching(void *name)
{
    while (!atomic_load(&stop)) {
        setlocale(LC_ALL, "C");
        setlocale(LC_ALL, name);
    }
    return NULL;
}

static void a_thread_may_set_the_locale(void **state)
{
    int turns = test_part(40, 300);
    static const char *const locales[] = {"C.UTF-8", "C"};
    const char *given = getenv("VOUCH_TEST_LOCALE");
    char *name = mem_string(given ? given : locales[!setlocale(LC_ALL, locales[0])]), *first = NULL;
    pthread_t other;
    (void)state;
    assert_non_null(name);
    assert_int_equal(pthread_create(&other, NULL, switching, name), 0);
    vouch_model *m;
    assert_int_equal(vouch_generate_corridor(&m, 6, 0.8, NULL), VOUCH_OK);
    double regret = NAN;
    for (int i = 0; i < turns; i++) {
        text t = {0};
        vouch_model *again;
        vouch_error error = {0};
        vouch_plan_options o = plan_options(VOUCH_METHOD_MILP_CCL, 0);
        model_json_write(m, &t);
        assert_non_null(t.data);
        if (first) assert_string_equal(t.data, first);
        if (!first) first = mem_string(t.data);
        if (model_json_parse(&again, "x", t.data, t.length, &error)) fail_msg("%s", error.text);
        vouch_policy *p = plan_by(again, &o);
        assert_near(p->max_regret, i ? regret : p->max_regret, 0);
        regret = p->max_regret;
        vouch_policy_free(p);
        vouch_model_free(again);
    }
    atomic_store(&stop, true);
    pthread_join(other, NULL);
    vouch_model_free(m);
    mem_free(first);
    mem_free(name);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(numbers_have_a_point), cmocka_unit_test(letters_are_those_of_ascii),
                                       cmocka_unit_test(messages_are_english), cmocka_unit_test(a_thread_may_set_the_locale)};
    return run_tests(tests);
}
