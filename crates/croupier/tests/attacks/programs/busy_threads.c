/* Computes for ever in twelve threads, which keep each other waiting. */
#include "table.h"
#include <pthread.h>
static void *spin(void *none) {
    for (volatile unsigned long n = 0;; n++) {
    }
    return none;
}
int main(void) {
    pthread_t thread;
    asked();
    for (int i = 0; i < 11; i++)
        pthread_create(&thread, NULL, spin, NULL);
    spin(NULL);
}
