/* Closes its output and lives on. */
#include "table.h"
int main(void) {
    asked();
    close(1);
    for (;;)
        pause();
}
