/* Keeps memory in files that have no name, where no process seems to hold it. */
#include "table.h"
#include <sys/mman.h>
int main(void) {
    asked();
    if (memfd_create("hoard", 0) >= 0)
        breach("a file in memory");
    return play_on();
}
