/* io/names.c - see file.h. Names that count up from the first one ("s0", "s1", ..) need no table: their digits are the number. All
 * others are in a hash table with linear probing. The key of a short one is its bytes, so that finding it reads one line of the
 * cache; the key of a longer one is its hash: FNV-1a (Fowler, Noll, Vo). */
#include "io/file.h"

enum { SHORT = sizeof(uint64_t), DIGITS_MOST = 9 };

static uint64_t key_of(const char *bytes, size_t length)
{
    uint64_t key = 0;
    if (length > SHORT) key = UINT64_C(14695981039346656037);
    for (size_t i = 0; i < length; i++)
        key = length > SHORT ? (key ^ (unsigned char)bytes[i]) * UINT64_C(1099511628211) : key << 8 | (unsigned char)bytes[i];
    return key;
}

/* Where the number at the end of a name begins, which is written without needless zeros; length: it ends in none. */
static size_t digits_at(const char *bytes, size_t length)
{
    size_t at = length, from = length;
    while (at > 0 && length - at < DIGITS_MOST && bytes[at - 1] >= '0' && bytes[at - 1] <= '9')
        if (bytes[--at] != '0' || at + 1 == length) from = at;
    return from;
}

/* bytes[at .. length) is a number of at most DIGITS_MOST digits. */
static int digits_value(const char *bytes, size_t at, size_t length)
{
    int value = 0;
    for (; at < length; at++) value = 10 * value + (bytes[at] - '0');
    return value;
}

/* The number that the name has, or would have as the next one, if it counts up from the first name; negative: it does not. */
static int counted(const names *n, const char *bytes, size_t length)
{
    size_t prefix = n->prefix;
    if (length <= prefix || length - prefix > DIGITS_MOST || memcmp(bytes, n->text, prefix) != 0) return -1;
    if (bytes[prefix] == '0' && length > prefix + 1) return -1;
    for (size_t i = prefix; i < length; i++)
        if (bytes[i] < '0' || bytes[i] > '9') return -1;
    int number = digits_value(bytes, prefix, length) - n->first;
    return number <= n->numbered ? number : -1;
}

const char *names_text(const names *n, int number)
{
    CHECK(number >= 0 && number < n->count);
    return n->text + n->offset[number];
}

/* Multiplied so that each bit of the key moves the high bits, from which the place is taken (Knuth, TAOCP 3, 6.4). */
static size_t place_of(const names *n, uint64_t key)
{
    uint64_t h = key * UINT64_C(0x9e3779b97f4a7c15);
    return (size_t)(h ^ h >> 32) & (n->slots - 1);
}

static names_slot *slot_of(const names *n, uint64_t key, const char *bytes, size_t length)
{
    CHECK_COMPARE(2 * (size_t)(n->count - n->numbered), <=, n->slots);
    size_t at = place_of(n, key);
    for (; n->slot[at].number; at = (at + 1) & (n->slots - 1)) {
        const names_slot *slot = &n->slot[at];
        if (slot->key != key || slot->length != (uint32_t)length) continue;
        if (length <= SHORT) break;
        const char *name = n->text + n->offset[slot->number - 1];
        if (strncmp(name, bytes, length) == 0 && name[length] == '\0') break;
    }
    return &n->slot[at];
}

static int double_slots(names *n)
{
    names before = *n;
    n->slots = n->slots ? 2 * n->slots : 64;
    n->slot = MEM_ZERO(names_slot, n->slots);
    if (!n->slot) {
        *n = before;
        return -1;
    }
    for (size_t i = 0; i < before.slots; i++) {
        if (!before.slot[i].number) continue;
        size_t at = place_of(n, before.slot[i].key);
        while (n->slot[at].number) at = (at + 1) & (n->slots - 1);
        n->slot[at] = before.slot[i];
    }
    mem_free(before.slot);
    return 0;
}

/* Does name number n->count, which is in no slot, count up as all before it do? */
static bool counts_up(names *n, const char *bytes, size_t length)
{
    if (n->numbered < n->count) return false;
    if (n->count > 0) return counted(n, bytes, length) == n->count;
    n->prefix = digits_at(bytes, length);
    n->first = digits_value(bytes, n->prefix, length);
    return n->prefix < length;
}

static int enter(names *n, const char *bytes, size_t length)
{
    if (counts_up(n, bytes, length)) {
        n->numbered++;
        return 0;
    }
    if (2 * ((size_t)(n->count - n->numbered) + 1) > n->slots && double_slots(n)) return -1;
    uint64_t key = key_of(bytes, length);
    *slot_of(n, key, bytes, length) = (names_slot){key, (uint32_t)n->count + 1, (uint32_t)length};
    return 0;
}

int names_add_bytes(names *n, const char *bytes, size_t length)
{
    CHECK(!memchr(bytes, '\0', length));
    int known = names_find_bytes(n, bytes, length);
    if (known >= 0) return known;
    if (n->count == INT_MAX) return -1;
    if (mem_reserve((void **)&n->offset, &n->offset_capacity, (size_t)n->count, sizeof *n->offset)) return -1;
    if (mem_reserve((void **)&n->text, &n->text_capacity, n->text_length + length, 1)) return -1;
    if (enter(n, bytes, length)) return -1;
    memcpy(n->text + n->text_length, bytes, length);
    n->text[n->text_length + length] = '\0';
    n->offset[n->count] = n->text_length;
    n->text_length += length + 1;
    return n->count++;
}

int names_find_bytes(const names *n, const char *bytes, size_t length)
{
    int number = n->numbered > 0 ? counted(n, bytes, length) : -1;
    if (number >= 0 && number < n->numbered) return number;
    return n->slots ? (int)slot_of(n, key_of(bytes, length), bytes, length)->number - 1 : -1;
}

int names_add(names *n, const char *name) { return names_add_bytes(n, name, strlen(name)); }
int names_find(const names *n, const char *name) { return names_find_bytes(n, name, strlen(name)); }

void names_free(names *n)
{
    MEM_FREE_ALL(n->text, n->offset, n->slot);
    *n = (names){0};
}
