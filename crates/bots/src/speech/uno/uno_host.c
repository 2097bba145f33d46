/*
 * The host of an Uno strategy: a process of its own, which loads a shared object and calls its
 * functions for the referee.
 *
 *     uno_host PREFIX FILE.so
 *
 * Requests come on the standard input, all of one size, and each is answered on the standard
 * output with a line of numbers; the line "ready" comes before the first. The strategy has neither
 * of the two: it reads nothing, and what it prints goes to the standard error.
 */
#define _GNU_SOURCE

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "croupier_uno.h"

/* What is called: the letters are those of the functions' names. */
typedef struct {
    int what;
    int seed;
    int number;
    union {
        GameState state;
        Deck deck;
    } with;
} Request;

static int questions;
static int answers;
static Request request;

/* What the strategy is given lies by itself, so that a sanitizer sees a step beside it. */
static GameState state;
static Deck deck;

static void (*create_deck)(Deck *);
static void (*shuffle_deck)(Deck *, int);
static int (*valid_selection)(GameState *, int);
static int (*play)(GameState *);

/* All or nothing; when there is nothing more to come, neither is there anything more to do. */
static void read_request(void)
{
    size_t have = 0;

    while (have < sizeof request) {
        ssize_t more = read(questions, (char *)&request + have, sizeof request - have);
        if (more > 0) {
            have += (size_t)more;
        } else if (more == 0 || errno != EINTR) {
            _exit(0);
        }
    }
}

static void write_line(const char *text, size_t length)
{
    while (length > 0) {
        ssize_t written = write(answers, text, length);
        if (written >= 0) {
            text += written;
            length -= (size_t)written;
        } else if (errno != EINTR) {
            _exit(0);
        }
    }
}

/* One line with these numbers. Thousands of decks are written in a check, so printf is not asked
 * for every number. */
static void answer(const int *numbers, size_t count)
{
    char line[sizeof(Deck) / sizeof(int) * 12 + 1];
    char digits[10];
    size_t length = 0;

    for (size_t i = 0; i < count; i++) {
        unsigned left = numbers[i] < 0 ? 0u - (unsigned)numbers[i] : (unsigned)numbers[i];
        int some = 0;

        do {
            digits[some++] = (char)('0' + left % 10);
            left /= 10;
        } while (left > 0);
        if (i > 0) {
            line[length++] = ' ';
        }
        if (numbers[i] < 0) {
            line[length++] = '-';
        }
        while (some > 0) {
            line[length++] = digits[--some];
        }
    }
    line[length++] = '\n';
    write_line(line, length);
}

static void *found(void *library, const char *prefix, const char *name)
{
    char full[1024];

    snprintf(full, sizeof full, "%s_%s", prefix, name);
    return dlsym(library, full);
}

static void load(const char *prefix, const char *file)
{
    void *library = dlopen(file, RTLD_NOW | RTLD_LOCAL);

    if (library == NULL) {
        fprintf(stderr, "%s\n", dlerror());
        _exit(1);
    }
    *(void **)&create_deck = found(library, prefix, "CreateDeck");
    *(void **)&shuffle_deck = found(library, prefix, "ShuffleDeck");
    *(void **)&valid_selection = found(library, prefix, "ValidSelection");
    *(void **)&play = found(library, prefix, "Play");
}

/* The line to the referee moves to where nobody looks for it by chance. */
static void take_the_line(void)
{
    int nothing = open("/dev/null", O_RDONLY);
    int there = 100;
    struct rlimit most;

    /* The last two numbers that there are, if there are so few. */
    if (getrlimit(RLIMIT_NOFILE, &most) == 0 && most.rlim_cur < 102) {
        there = (int)most.rlim_cur - 2;
    }
    questions = fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, there);
    answers = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, there);
    if (nothing < 0 || questions < 0 || answers < 0 || dup2(nothing, STDIN_FILENO) < 0 ||
        dup2(STDERR_FILENO, STDOUT_FILENO) < 0) {
        perror("uno_host");
        _exit(1);
    }
    close(nothing);
    /* What was printed before a crash shall not be lost. */
    setvbuf(stdout, NULL, _IOLBF, 0);
}

int main(int count, char **arguments)
{
    if (count != 3) {
        fprintf(stderr, "usage: uno_host PREFIX FILE.so\n");
        return 2;
    }
    take_the_line();
    load(arguments[1], arguments[2]);
    write_line("ready\n", 6);
    for (;;) {
        int number;

        read_request();
        state = request.with.state;
        deck = request.with.deck;
        srand((unsigned)request.seed);
        if (request.what == 'P' && play != NULL) {
            number = play(&state);
            answer(&number, 1);
        } else if (request.what == 'V' && valid_selection != NULL) {
            number = valid_selection(&state, request.number);
            answer(&number, 1);
        } else if (request.what == 'S' && shuffle_deck != NULL) {
            shuffle_deck(&deck, request.number);
            answer((const int *)&deck, sizeof(Deck) / sizeof(int));
        } else if (request.what == 'C' && create_deck != NULL) {
            create_deck(&deck);
            answer((const int *)&deck, sizeof(Deck) / sizeof(int));
        } else {
            fprintf(stderr, "there is no function for '%c'\n", request.what);
            _exit(1);
        }
    }
}
