/* Has the kernel keep half a gigabyte of tables for pages that it only reads, slowly: it has hardly any pages
   of its own. */
#include "table.h"
#include <sys/mman.h>
int main(void) {
    long tables = 512 << 8, each = 2 << 20;
    asked();
    int how = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE;
    volatile char *space = mmap(NULL, tables * each, PROT_READ, how, -1, 0);
    if (space == MAP_FAILED)
        abort();
    madvise((void *)space, tables * each, MADV_NOHUGEPAGE);
    for (long table = 0; table < tables; table++) {
        (void)space[table * each];
        if (table % 256 == 0)
            usleep(1000);
    }
    breach("half a gigabyte");
    pause();
}
