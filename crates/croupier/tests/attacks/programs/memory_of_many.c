/* Uses little memory in each of eight processes, much in all. */
#include "table.h"
static char *volatile mine;
int main(void) {
    asked();
    for (int child = 0; child < 7; child++)
        if (fork() == 0)
            break;
    mine = malloc(24 << 20);
    memset(mine, 1, 24 << 20);
    for (;;)
        pause();
}
