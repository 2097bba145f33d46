/* A small player of Austerity: buys the first card it can pay for, else takes tokens.

   cc -o bot bot.c
   ./bot pcount myid

   It lives as long as the game. It reads a message a line, keeps what it needs to know, and
   answers dowhat. The colours are always in the order purple, brown, yellow, red. */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define COLOURS 4
#define WILD 4
#define MARKET 8
#define PLAYERS 26

struct card { int bonus, points, price[COLOURS]; };

static struct card market[MARKET];
static int cards, piles[COLOURS];
static int tokens[PLAYERS][COLOURS + 1], discounts[PLAYERS][COLOURS];
static int players, me;

static void fail(void) {
    fprintf(stderr, "Communication Error\n");
    exit(6);
}

static void add_card(const char *text) {
    struct card card;
    char colour;
    if (cards == MARKET || sscanf(text, "%c:%d:%d,%d,%d,%d", &colour, &card.points, &card.price[0],
                                  &card.price[1], &card.price[2], &card.price[3]) != 6) fail();
    const char *bonus = strchr("PBYR", colour);
    if (!bonus || !*bonus) fail();
    card.bonus = (int)(bonus - "PBYR");
    market[cards++] = card;
}

static int player_of(char letter) {
    if (letter < 'A' || letter >= 'A' + players) fail();
    return letter - 'A';
}

/* Somebody has bought a card: what was paid goes back to the piles. */
static void bought(const char *text) {
    char letter;
    int place, paid[COLOURS + 1];
    if (sscanf(text, "%c:%d:%d,%d,%d,%d,%d", &letter, &place, &paid[0], &paid[1], &paid[2], &paid[3],
               &paid[4]) != 7 || place < 0 || place >= cards) fail();
    int who = player_of(letter);
    discounts[who][market[place].bonus]++;
    for (int c = 0; c <= WILD; c++) tokens[who][c] -= paid[c];
    for (int c = 0; c < COLOURS; c++) piles[c] += paid[c];
    memmove(&market[place], &market[place + 1], (size_t)(cards - place - 1) * sizeof market[0]);
    cards--;
}

static void took(const char *text) {
    char letter;
    int taken[COLOURS];
    if (sscanf(text, "%c:%d,%d,%d,%d", &letter, &taken[0], &taken[1], &taken[2], &taken[3]) != 5) fail();
    int who = player_of(letter);
    for (int c = 0; c < COLOURS; c++) tokens[who][c] += taken[c], piles[c] -= taken[c];
}

/* What a card costs me: own tokens of a colour first, wild ones for the rest. */
static int can_pay(const struct card *card, int paid[COLOURS + 1]) {
    paid[WILD] = 0;
    for (int c = 0; c < COLOURS; c++) {
        int need = card->price[c] - discounts[me][c];
        if (need < 0) need = 0;
        paid[c] = need < tokens[me][c] ? need : tokens[me][c];
        paid[WILD] += need - paid[c];
    }
    return paid[WILD] <= tokens[me][WILD];
}

static void answer(void) {
    int paid[COLOURS + 1], take[COLOURS] = {0}, taken = 0;
    for (int place = 0; place < cards; place++)
        if (can_pay(&market[place], paid)) {
            printf("purchase%d:%d,%d,%d,%d,%d\n", place, paid[0], paid[1], paid[2], paid[3], paid[4]);
            return;
        }
    for (int c = 0; c < COLOURS && taken < 3; c++)
        if (piles[c] > 0) take[c] = 1, taken++;
    if (taken == 3) printf("take%d,%d,%d,%d\n", take[0], take[1], take[2], take[3]);
    else printf("wild\n");
}

int main(int argc, char **argv) {
    char line[256];
    if (argc != 3) {
        fprintf(stderr, "Usage: bot pcount myid\n");
        return 1;
    }
    players = atoi(argv[1]);
    me = atoi(argv[2]);
    if (players < 2 || players > PLAYERS) return 2;
    if (me < 0 || me >= players) return 3;
    while (fgets(line, sizeof line, stdin)) {
        if (sscanf(line, "tokens%d", &piles[0]) == 1) piles[1] = piles[2] = piles[3] = piles[0];
        else if (strncmp(line, "newcard", 7) == 0) add_card(line + 7);
        else if (strncmp(line, "purchased", 9) == 0) bought(line + 9);
        else if (strncmp(line, "took", 4) == 0) took(line + 4);
        else if (strncmp(line, "wild", 4) == 0) tokens[player_of(line[4])][WILD]++;
        else if (strcmp(line, "dowhat\n") == 0) answer(), fflush(stdout);
        else if (strcmp(line, "eog\n") == 0) return 0;
        else fail();
    }
    fail();
}
