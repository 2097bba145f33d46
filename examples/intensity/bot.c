// A small player of Intensity: leads and follows low, throws away high.
// It is started once for every decision and reads integers from stdin.

#include <stdio.h>
#include <stdlib.h>

static int read_number(void) {
    int number;
    if (scanf("%d", &number) != 1) {
        fprintf(stderr, "the input is cut off, or has something that is no number\n");
        exit(1);
    }
    return number;
}

static void read_cards(int cards[], int count) {
    for (int i = 0; i < count; i++) cards[i] = read_number();
}

static int has_calf(const int cards[], int count) {
    for (int i = 0; i < count; i++)
        if (cards[i] / 10 == 3) return 1;
    return 0;
}

// The hand is in ascending order, so the first card that will do is the lowest.
static int choose(const int hand[], int held, const int round[], int laid, int calf_seen) {
    for (int i = 0; i < held; i++) {
        int suit = hand[i] / 10;
        if (laid > 0 ? suit == round[0] / 10 : suit != 3 || calf_seen) return hand[i];
    }
    // Cannot follow: anything goes. Only calves to lead: one of them has to.
    return laid > 0 ? hand[held - 1] : hand[0];
}

int main(void) {
    int hand[10], round[3], earlier[36];
    switch (read_number()) {
    case 0:
        printf("Low C\n");
        break;
    case 1:
        read_cards(hand, 10);
        printf("%d %d %d\n", hand[7], hand[8], hand[9]);
        break;
    case 2: {
        int held = read_number(), laid = read_number();
        read_number();  // the own position
        if (held < 1 || held > 10 || laid < 0 || laid > 3) return 1;
        read_cards(hand, held);
        read_cards(round, laid);
        read_cards(earlier, 4 * (10 - held));
        // The cards passed on and received follow; this player does not need them.
        int calf_seen = has_calf(earlier, 4 * (10 - held));
        printf("%d\n", choose(hand, held, round, laid, calf_seen));
        break;
    }
    case 3: {
        int cards[] = {11, 23, 25, 31}, calves[] = {33, 34}, two[] = {24, 29}, four[] = {41};
        int ok = choose(cards, 4, two, 2, 0) == 23     // follows
              && choose(cards, 4, four, 1, 0) == 31    // cannot follow
              && choose(cards + 3, 1, four, 0, 0) == 31
              && choose(calves, 2, four, 0, 0) == 33;  // only calves to lead
        printf(ok ? "ok\n" : "failed\n");
        return !ok;
    }
    }
    return 0;
}
