/* Forks, and so do its children, 300 times in all. */
#include "table.h"
#include <sys/mman.h>
int main(void) {
    int *forks = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    asked();
    while (__atomic_fetch_add(forks, 1, __ATOMIC_SEQ_CST) < 300)
        fork();
    for (;;)
        pause();
}
