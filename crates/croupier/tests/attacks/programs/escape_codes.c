/* Answers with codes that would clear the reader's screen and rename the window. */
#include "table.h"
int main(void) {
    while (asked()) {
        if (question < 0)
            puts("\x1b[2J\x1b]0;mine\x07wild\r\x9b");
        else
            printf("{\"type\":\"move\",\"id\":%ld,\"move\":\"\\u001b[2J\\u0007\\r\\nwild\"}\n", question);
        fflush(stdout);
    }
    return 0;
}
