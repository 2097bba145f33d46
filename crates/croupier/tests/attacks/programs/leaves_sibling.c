/* Leaves a process beside itself and not below, which lives on, and looks for the one of before. */
#include "table.h"
#include "siblings.h"
#include <sched.h>
static void other(pid_t pid) {
    char path[64], text[512] = "";
    snprintf(path, sizeof path, "/proc/%d/cmdline", pid);
    FILE *words = fopen(path, "r");
    if (words && fread(text, 1, sizeof text - 1, words) > 0 && strcmp(text, "left behind") == 0)
        breach("what another decision has left behind");
}
int main(int count, char **words) {
    asked();
    for_siblings(other);
    if (syscall(SYS_clone, CLONE_PARENT | SIGCHLD, 0, 0, 0, 0) == 0) {
        setsid();
        memset(words[0], 0, strlen(words[0]));
        snprintf(words[0], strlen("left behind") + 1, "left behind");
        for (int file = 0; file < 3; file++)
            close(file);
        for (;;)
            pause();
    }
    return play_on();
}
