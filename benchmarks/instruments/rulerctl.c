/* Switches callgrind's counting on and off around a loop, from inside the program it watches.
 *
 * A client request is a sequence of instructions that changes nothing on a processor and that
 * valgrind recognises (valgrind manual, "The Client Request mechanism"; the sequences are part of
 * its stable interface). Written out here, so that building needs no header of valgrind's. */
#include <stddef.h>

#define EXPORT __attribute__((visibility("default")))

typedef unsigned long word;

enum {
    RUNNING_ON_VALGRIND = 0x1001,
    CALLGRIND = 'C' << 24 | 'T' << 16, /* the first of callgrind's own requests */
    ZERO = CALLGRIND + 1,
    DUMP_AT = CALLGRIND + 3,
    START = CALLGRIND + 4,
    STOP = CALLGRIND + 5
};

static word request(word code, word argument)
{
    volatile word block[6] = {code, argument, 0, 0, 0, 0};
    word answer = 0;
#if defined(__x86_64__)
    __asm__ volatile("rolq $3, %%rdi\n\trolq $13, %%rdi\n\trolq $61, %%rdi\n\trolq $51, %%rdi\n\t"
                     "xchgq %%rbx, %%rbx"
                     : "=d"(answer)
                     : "a"(&block[0]), "0"(answer)
                     : "cc", "memory");
#elif defined(__aarch64__)
    register word result __asm__("x3") = answer;
    register volatile word *where __asm__("x4") = block;
    __asm__ volatile("ror x12, x12, #3\n\tror x12, x12, #13\n\tror x12, x12, #51\n\t"
                     "ror x12, x12, #61\n\torr x10, x10, x10"
                     : "+r"(result)
                     : "r"(where)
                     : "cc", "memory");
    answer = result;
#else
    (void)block;
#endif
    return answer;
}

/* How many valgrinds this program runs under: 0 on a bare processor. */
EXPORT int rulerctl_under_valgrind(void)
{
    return (int)request(RUNNING_ON_VALGRIND, 0);
}

EXPORT void rulerctl_start(void)
{
    request(START, 0);
}

EXPORT void rulerctl_stop(void)
{
    request(STOP, 0);
}

EXPORT void rulerctl_zero(void)
{
    request(ZERO, 0);
}

/* Write what was counted since the last dump to the next file, under a name, and start at zero. */
EXPORT void rulerctl_dump(const char *name)
{
    request(DUMP_AT, (word)name);
}
