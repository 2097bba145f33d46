/* Starts 300 threads. */
#include "table.h"
#include <pthread.h>
static void *wait_on(void *none) {
    pause();
    return none;
}
int main(void) {
    pthread_attr_t small;
    pthread_t thread;
    pthread_attr_init(&small);
    pthread_attr_setstacksize(&small, 1 << 14);
    asked();
    for (int i = 0; i < 300; i++)
        pthread_create(&thread, &small, wait_on, NULL);
    pause();
}
