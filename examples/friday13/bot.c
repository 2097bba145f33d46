/* A small bot for Friday the 13th.

   cc -o bot bot.c
   ./bot game_state.txt n k e g gv o ov...

   It is started once a turn. It lays the first card of its hand that explodes nothing, or else
   the first one it can lay at all. All it needs is in the state file, so it ignores the numbers
   after the file's name. */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MOST_CARDS 20000
#define MOST_LINES 200

struct card { int value; char colour[24]; };
struct line { int count; struct card cards[MOST_CARDS]; };

/* Hand, deck, hand, deck, ... and then the piles. */
static struct line lines[MOST_LINES];
static int active, players, threshold, piles;

static void fail(const char *what) {
    fprintf(stderr, "bot: %s\n", what);
    exit(1);
}

static void read_cards(const char *text, struct line *line) {
    int used;
    struct card card;
    while (sscanf(text, "%d %23s%n", &card.value, card.colour, &used) == 2) {
        if (line->count == MOST_CARDS) fail("too many cards");
        line->cards[line->count++] = card;
        text += used;
    }
}

static void read_state(const char *name) {
    static char text[400000];
    int found = 0;
    FILE *file = fopen(name, "r");
    if (!file) fail("cannot open the state file");
    while (fgets(text, sizeof text, file)) {
        const char *cards = strchr(text, ':');
        if (sscanf(text, "active player = %d", &active) == 1) continue;
        if (sscanf(text, "players number = %d", &players) == 1) continue;
        if (sscanf(text, "explosion threshold = %d", &threshold) == 1) continue;
        if (!cards || found == MOST_LINES) continue;
        read_cards(cards + 1, &lines[found++]);
    }
    fclose(file);
    piles = found - 2 * players;
    if (players < 2 || active < 1 || active > players || piles < 1) fail("this is no state");
}

static void write_cards(FILE *file, const struct line *line) {
    for (int i = 0; i < line->count; i++)
        fprintf(file, " %d %s", line->cards[i].value, line->cards[i].colour);
    fprintf(file, "\n");
}

static void write_state(const char *name) {
    char beside[4096];
    FILE *file;
    snprintf(beside, sizeof beside, "%s.new", name);
    file = fopen(beside, "w");
    if (!file) fail("cannot write the state file");
    fprintf(file, "active player = %d\nplayers number = %d\n", active, players);
    if (threshold) fprintf(file, "explosion threshold = %d\n", threshold);
    for (int p = 0; p < players; p++) {
        fprintf(file, "%d player hand cards:", p + 1);
        write_cards(file, &lines[2 * p]);
        fprintf(file, "%d player deck cards:", p + 1);
        write_cards(file, &lines[2 * p + 1]);
    }
    for (int i = 0; i < piles; i++) {
        fprintf(file, "%d pile cards:", i + 1);
        write_cards(file, &lines[2 * players + i]);
    }
    if (fclose(file) != 0 || rename(beside, name) != 0) fail("cannot write the state file");
}

static int is_green(const struct card *card) { return strcmp(card->colour, "green") == 0; }

/* The colour that lies on a pile besides green, or nothing. */
static const char *colour_of(const struct line *pile) {
    for (int i = 0; i < pile->count; i++)
        if (!is_green(&pile->cards[i])) return pile->cards[i].colour;
    return "";
}

static int sum_of(const struct line *pile) {
    int sum = 0;
    for (int i = 0; i < pile->count; i++) sum += pile->cards[i].value;
    return sum;
}

static int may_lie(const struct card *card, const struct line *all, int pile) {
    if (is_green(card)) return 1;
    for (int i = 0; i < piles; i++)
        if (strcmp(colour_of(&all[i]), card->colour) == 0) return i == pile;
    return colour_of(&all[pile])[0] == 0;
}

int main(int argc, char **argv) {
    struct line *hand, *deck, *all;
    int place = -1, pile = -1, safe = 0;
    const char *name = argc > 1 ? argv[1] : "game_state.txt";
    read_state(name);
    hand = &lines[2 * (active - 1)];
    deck = hand + 1;
    all = &lines[2 * players];
    for (int c = 0; c < hand->count && !safe; c++)
        for (int i = 0; i < piles && !safe; i++) {
            if (!may_lie(&hand->cards[c], all, i)) continue;
            safe = sum_of(&all[i]) + hand->cards[c].value <= threshold;
            if (safe || place < 0) place = c, pile = i;
        }
    if (place >= 0) {
        struct line *target = &all[pile];
        target->cards[target->count++] = hand->cards[place];
        memmove(&hand->cards[place], &hand->cards[place + 1],
                (size_t)(hand->count - place - 1) * sizeof hand->cards[0]);
        hand->count--;
        if (sum_of(target) > threshold) {
            for (int i = 0; i < target->count; i++) deck->cards[deck->count++] = target->cards[i];
            target->count = 0;
        }
    }
    active = active % players + 1;
    write_state(name);
    return 0;
}
