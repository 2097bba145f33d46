/* The simplest player of Austerity: it takes a wild token whenever it is asked. */
#include <stdio.h>
#include <string.h>

int main(void)
{
    char line[256];
    while (fgets(line, sizeof line, stdin)) {
        if (!strcmp(line, "dowhat\n")) {
            printf("wild\n");
            fflush(stdout);
        }
    }
    return 0;
}
