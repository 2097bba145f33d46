/* A player that answers every question at once: what is measured is the way to it and back. */
#include <stdio.h>
#include <string.h>

int main(void) {
    char line[256];
    while (fgets(line, sizeof line, stdin)) {
        if (!strcmp(line, "dowhat\n")) {
            printf("take%d,%d,%d,%d\n", 1, 1, 1, 0);
            fflush(stdout);
        }
    }
    return 0;
}
