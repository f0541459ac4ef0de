/* The heap pops in sorted order for any sequence of pushes, pops and removals. */
#include "test.h"

#include "base/heap.h"

typedef struct item {
    double key;
    int id;
} item;

static bool least_first(const void *context, const void *a, const void *b)
{
    const item *x = a, *y = b;
    double sign = context ? *(const double *)context : 1;
    return x->key != y->key ? sign * x->key < sign * y->key : x->id < y->id;
}

static void items_come_out_in_order_and_ties_by_the_second_key(void **state)
{
    (void)state;
    enum { N = 500 };
    static item all[N];
    for (int turn = 0; turn < 2; turn++) {
        double sign = turn ? -1 : 1;
        heap h;
        heap_init(&h, least_first, &sign);
        for (int i = 0; i < N; i++) {
            all[i] = (item){(i * 37) % 50, i};
            assert_int_equal(heap_push(&h, &all[i]), 0);
        }
        const item *last = NULL;
        for (int i = 0; i < N; i++) {
            const item *top = heap_top(&h);
            assert_ptr_equal(top, heap_pop(&h));
            if (last) assert_true(least_first(&sign, last, top));
            last = top;
        }
        assert_null(heap_pop(&h));
        assert_null(heap_top(&h));
        heap_free(&h);
    }
}

static void random_calls_agree_with_a_list(void **state)
{
    (void)state;
    enum { N = 300 };
    static item all[N];
    bool in[N] = {false};
    heap h = {.before = least_first};
    unsigned long long random = 1;
    for (int step = 0; step < 20000; step++) {
        random = random * 6364136223846793005ull + 1442695040888963407ull;
        int i = (int)(random >> 33) % N;
        if (random >> 62 && !in[i]) {
            all[i] = (item){(double)((random >> 40) % 20), i};
            in[i] = true;
            heap_push(&h, &all[i]);
        } else if (!(random >> 62)) {
            const item *best = NULL, *top = heap_pop(&h);
            for (int k = 0; k < N; k++)
                if (in[k] && (!best || least_first(NULL, &all[k], best))) best = &all[k];
            assert_ptr_equal(top, best);
            if (top) in[top->id] = false;
        }
    }
    heap_free(&h);
}

static void items_may_be_taken_out_from_outside_and_order_restored(void **state)
{
    (void)state;
    enum { N = 100 };
    static item all[N];
    heap h = {.before = least_first};
    for (int i = 0; i < N; i++) {
        all[i] = (item){(i * 61) % N, i};
        heap_push(&h, &all[i]);
    }
    size_t kept = 0;
    for (size_t k = 0; k < h.count; k++)
        if (((const item *)h.item[k])->key < 40) h.item[kept++] = h.item[k];
    h.count = kept;
    heap_restore(&h);
    for (int i = 0; i < 40; i++) assert_near(((const item *)heap_pop(&h))->key, i, 0);
    assert_int_equal(h.count, 0);
    heap_free(&h);
}

static void a_push_without_memory_changes_nothing(void **state)
{
    (void)state;
    item one = {1, 1}, two = {2, 2};
    heap h = {.before = least_first};
    mem_fail_after(0);
    assert_int_equal(heap_push(&h, &one), -1);
    mem_fail_after(-1);
    assert_int_equal(h.count, 0);
    heap_push(&h, &two);
    assert_ptr_equal(heap_top(&h), &two);
    heap_free(&h);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(items_come_out_in_order_and_ties_by_the_second_key),
        cmocka_unit_test(random_calls_agree_with_a_list),
        cmocka_unit_test(items_may_be_taken_out_from_outside_and_order_restored),
        cmocka_unit_test(a_push_without_memory_changes_nothing),
    };
    return run_tests(tests);
}
