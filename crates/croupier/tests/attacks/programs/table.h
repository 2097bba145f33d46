/* What all these programs share: a player that understands Austerity's own protocol and JSON
 * lines, and plays `wild`, which is always legal. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static long question = -1;

/* Waits for the next question; 0 when there are no more. */
static int asked(void) {
    static char *line;
    static size_t room;
    while (getline(&line, &room, stdin) > 0) {
        char *id = strstr(line, "\"id\":");
        if (strstr(line, "\"hello\"")) {
            puts("{\"type\":\"ready\",\"name\":\"attack\"}");
            fflush(stdout);
        } else if (strstr(line, "\"turn\"") && id) {
            question = atol(id + 5);
            return 1;
        } else if (strncmp(line, "dowhat", 6) == 0) {
            return 1;
        } else if (strncmp(line, "eog", 3) == 0 || strstr(line, "\"quit\"")) {
            return 0;
        }
    }
    return 0;
}

/* A legal answer. */
static void answer(void) {
    if (question < 0)
        puts("wild");
    else
        printf("{\"type\":\"move\",\"id\":%ld,\"move\":\"wild\"}\n", question);
    fflush(stdout);
}

/* Tells, in place of an answer, that something forbidden has worked. */
__attribute__((unused)) static void breach(const char *what) {
    if (question < 0)
        printf("breach: %s\n", what);
    else
        printf("{\"type\":\"move\",\"id\":%ld,\"move\":\"breach: %s\"}\n", question, what);
    fflush(stdout);
}

/* A file beside the program, which is none of its business. */
__attribute__((unused)) static const char *beside(const char *program, const char *name) {
    static char path[8192];
    const char *slash = strrchr(program, '/');
    snprintf(path, sizeof path, "%.*s/%s", (int)(slash - program), program, name);
    return path;
}

/* Plays on to the end of the game as if nothing had been. */
__attribute__((unused)) static int play_on(void) {
    answer();
    while (asked())
        answer();
    return 0;
}

/* Holds 40 MB in each of three children, which end after some minutes if nobody ends them. */
__attribute__((unused)) static void hold_much(void) {
    static char *volatile mine;
    for (int child = 0; child < 3; child++)
        if (fork() == 0) {
            alarm(200);
            mine = malloc(40 << 20);
            memset(mine, 1, 40 << 20);
            for (;;)
                pause();
        }
}
