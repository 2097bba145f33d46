/* Uses memory that it could share, at most half a gigabyte, slowly. */
#include "table.h"
#include <sys/mman.h>
int main(void) {
    asked();
    for (int part = 0; part < 512; part++) {
        void *more = mmap(NULL, 1 << 20, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
        if (more == MAP_FAILED)
            abort();
        memset(more, 1, 1 << 20);
        usleep(1000);
    }
    breach("half a gigabyte");
    pause();
}
