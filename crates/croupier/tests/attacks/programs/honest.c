/* Does nothing wrong. */
#include "table.h"
int main(void) {
    return asked() ? play_on() : 0;
}
