/* Answers with half a line and waits. */
#include "table.h"
int main(void) {
    asked();
    printf("wil");
    fflush(stdout);
    for (;;)
        pause();
}
