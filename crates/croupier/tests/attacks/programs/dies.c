/* Dies by the signal with which it was compiled. */
#include "table.h"
#ifndef SIGNAL
#define SIGNAL SIGSEGV
#endif
int main(void) {
    asked();
    signal(SIGNAL, SIG_DFL);
    raise(SIGNAL);
    return 0;
}
