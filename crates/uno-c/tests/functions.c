/*
 * Checks the four functions of an Uno strategy the way a marker would: deck, shuffle, checker and
 * player, against a slow reading of the rules that shares nothing with them.
 *
 * Compiled with -DPREFIX=crou001 it checks the library; with another prefix it checks a
 * strategy's file. -DROBUST adds what only the library promises: NULL, counts out of range and
 * garbage do no harm.
 */
#include <limits.h>
#include <stddef.h>
#include <string.h>

#include "proj2.h"

#define PASTE(prefix, name) prefix##_##name
#define NAMED(prefix, name) PASTE(prefix, name)
#define CreateDeck NAMED(PREFIX, CreateDeck)
#define ShuffleDeck NAMED(PREFIX, ShuffleDeck)
#define ValidSelection NAMED(PREFIX, ValidSelection)
#define Play NAMED(PREFIX, Play)

void CreateDeck(Deck *deck);
void ShuffleDeck(Deck *deck, int numberOfCards);
int ValidSelection(GameState *gameInfo, int selection);
int Play(GameState *gameInfo);

static int failures = 0;

#define CHECK(holds, ...)                                                                          \
    do {                                                                                           \
        if (!(holds)) {                                                                            \
            printf("line %d: %s: ", __LINE__, #holds);                                             \
            printf(__VA_ARGS__);                                                                   \
            printf("\n");                                                                          \
            failures++;                                                                            \
        }                                                                                          \
    } while (0)

/* A source of chance of our own, so that the states do not depend on rand(). */
static unsigned long long chance = 88172645463325252ULL;

static int below(int bound)
{
    chance ^= chance << 13;
    chance ^= chance >> 7;
    chance ^= chance << 17;
    return (int)((chance >> 16) % (unsigned long long)bound);
}

static void sizes_and_offsets(void)
{
    CHECK(sizeof(int) == 4, "int");
    CHECK(sizeof(Card) == 12, "Card");
    CHECK(sizeof(Deck) == 1300, "Deck");
    CHECK(sizeof(GameState) == 2664, "GameState");
    CHECK(offsetof(Card, type) == 0, "type");
    CHECK(offsetof(Card, colour) == 4, "colour");
    CHECK(offsetof(Card, value) == 8, "value");
    CHECK(offsetof(Deck, numCards) == 1296, "numCards");
    CHECK(offsetof(GameState, numberOfPlayers) == 0, "numberOfPlayers");
    CHECK(offsetof(GameState, directionOfPlay) == 4, "directionOfPlay");
    CHECK(offsetof(GameState, lastColourCalled) == 8, "lastColourCalled");
    CHECK(offsetof(GameState, yourPosition) == 12, "yourPosition");
    CHECK(offsetof(GameState, yourNumberOfCards) == 16, "yourNumberOfCards");
    CHECK(offsetof(GameState, yourCards) == 20, "yourCards");
    CHECK(offsetof(GameState, numberOfDiscards) == 1316, "numberOfDiscards");
    CHECK(offsetof(GameState, discardPile) == 1320, "discardPile");
    CHECK(offsetof(GameState, allPlayersCardsLeft) == 2616, "allPlayersCardsLeft");
    CHECK(offsetof(GameState, allPlayersColoursCalled) == 2632, "allPlayersColoursCalled");
    CHECK(offsetof(GameState, allPlayersScores) == 2648, "allPlayersScores");
    CHECK(NUMBER == 0 && SKIP == 1 && REVERSE == 2 && DRAW_TWO == 3, "types");
    CHECK(WILD == 4 && WILD_D4 == 5 && PENALTY == 6 && LEFT == 7 && RIGHT == 8, "types");
    CHECK(RED == 10000 && GREEN == 20000 && BLUE == 30000 && YELLOW == 40000, "colours");
    CHECK(NONE == 50000 && MAX_CARDS == 108 && MAX_PLAYERS == 4, "limits");
}

static int count(const Deck *deck, int type, int colour, int value)
{
    int found = 0;
    for (int i = 0; i < MAX_CARDS; i++) {
        const Card *card = &deck->cards[i];
        found += card->type == type && card->colour == colour && card->value == value;
    }
    return found;
}

static void deck_is_complete(const Deck *deck)
{
    CHECK(deck->numCards == 108, "%d", deck->numCards);
    CHECK(count(deck, WILD, NONE, 50) == 4, "wild");
    CHECK(count(deck, WILD_D4, NONE, 50) == 4, "wild draw four");
    for (int colour = RED; colour <= YELLOW; colour += 10000) {
        for (int number = 0; number <= 9; number++) {
            CHECK(count(deck, NUMBER, colour, number) == (number ? 2 : 1), "%d %d", colour, number);
        }
        for (int type = SKIP; type <= DRAW_TWO; type++) {
            CHECK(count(deck, type, colour, 20) == 2, "%d %d", colour, type);
        }
    }
}

static void creates_a_deck(void)
{
    struct {
        Deck deck;
        int fence;
    } room;
    memset(&room, 0x5a, sizeof room);
    CreateDeck(&room.deck);
    deck_is_complete(&room.deck);
    CHECK(room.fence == 0x5a5a5a5a, "written behind the deck");
}

/* A deck whose cards can be told apart. */
static void number_the_cards(Deck *deck)
{
    for (int i = 0; i < MAX_CARDS; i++) {
        deck->cards[i].type = i;
        deck->cards[i].colour = -i;
        deck->cards[i].value = 1000 + i;
    }
    deck->numCards = 77;
}

/* The first n cards are the same as before in some order, and everything else is untouched. */
static void check_shuffled(const Deck *deck, int n)
{
    int seen[MAX_CARDS] = {0};
    for (int i = 0; i < MAX_CARDS; i++) {
        const Card *card = &deck->cards[i];
        int number = card->type;
        CHECK(number >= 0 && number < MAX_CARDS && !seen[number], "place %d of %d", i, n);
        CHECK(card->colour == -number && card->value == 1000 + number, "a card in pieces");
        CHECK((i < n) ? number < n : number == i, "place %d of %d holds %d", i, n, number);
        if (number >= 0 && number < MAX_CARDS) {
            seen[number] = 1;
        }
    }
    CHECK(deck->numCards == 77, "numCards is touched");
}

static void shuffles_only_the_first_cards(void)
{
    static const int counts[] = {0, 1, 2, 3, 50, 107, 108};
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
        for (int round = 0; round < 100; round++) {
            Deck deck;
            number_the_cards(&deck);
            ShuffleDeck(&deck, counts[i]);
            check_shuffled(&deck, counts[i]);
        }
    }
}

static void the_callers_seed_governs_the_shuffle(void)
{
    Deck decks[3];
    for (int i = 0; i < 3; i++) {
        number_the_cards(&decks[i]);
        srand(i == 1 ? 2 : 1);
        ShuffleDeck(&decks[i], MAX_CARDS);
    }
    CHECK(memcmp(&decks[0], &decks[2], sizeof(Deck)) == 0, "the same seed, another order");
    CHECK(memcmp(&decks[0], &decks[1], sizeof(Deck)) != 0, "another seed, the same order");
}

/* By Newton's method. A program that called for libm itself would hide that the library needs it. */
static double root(double square)
{
    double root = 1 + square;
    for (int i = 0; i < 100; i++) {
        root = (root + square / root) / 2;
    }
    return root;
}

/* What a chi-square with so many degrees of freedom exceeds with probability 10^-6, by Wilson and
 * Hilferty; 4.7534 is that quantile of the normal distribution. */
static double chi_square_bound(double freedom)
{
    double spread = 2 / (9 * freedom);
    double third = 1 - spread + 4.7534 * root(spread);
    return freedom * third * third * third;
}

static double chi_square(const long *counts, int cells, double expected)
{
    double sum = 0;
    for (int i = 0; i < cells; i++) {
        sum += (counts[i] - expected) * (counts[i] - expected) / expected;
    }
    return sum;
}

/* A million shuffles. Every card is in every place equally often (107 · 107 degrees of freedom),
 * and all orders of four cards are equally frequent (23). A fair shuffle fails with probability
 * 2 · 10^-6; the seed is fixed, so with one C library the answer is always the same. */
static void shuffles_evenly(void)
{
    enum { SHUFFLES = 1000000 };
    static long places[MAX_CARDS][MAX_CARDS];
    long orders[256] = {0};
    long met[24];
    int kinds = 0;
    Deck deck;
    srand(20131020);
    for (long round = 0; round < SHUFFLES; round++) {
        number_the_cards(&deck);
        ShuffleDeck(&deck, MAX_CARDS);
        for (int i = 0; i < MAX_CARDS; i++) {
            places[i][deck.cards[i].type]++;
        }
        number_the_cards(&deck);
        ShuffleDeck(&deck, 4);
        int order = 0;
        for (int i = 0; i < 4; i++) {
            order = order * 4 + deck.cards[i].type;
        }
        orders[order]++;
    }
    double chi = chi_square(&places[0][0], MAX_CARDS * MAX_CARDS, SHUFFLES / 108.0);
    CHECK(chi < chi_square_bound(107.0 * 107.0), "chi-square %f", chi);
    /* A shuffle that is too even is no shuffle either. */
    CHECK(chi > 107.0 * 107.0 - 4.7534 * root(2 * 107.0 * 107.0), "chi-square %f", chi);
    for (int i = 0; i < 256; i++) {
        if (orders[i] > 0 && kinds < 24) {
            met[kinds++] = orders[i];
        }
    }
    CHECK(kinds == 24, "%d orders of four cards", kinds);
    chi = chi_square(met, kinds, SHUFFLES / 24.0);
    CHECK(chi < chi_square_bound(23), "chi-square %f", chi);
}

/* The slow reading of the rules. */
static int slow_playable(const GameState *state, int index)
{
    const Card *mine = &state->yourCards[index];
    const Card *top = &state->discardPile[state->numberOfDiscards - 1];
    if (mine->type == WILD || mine->type == WILD_D4) {
        return 1;
    }
    if (top->type == WILD || top->type == WILD_D4) {
        return mine->colour == state->lastColourCalled;
    }
    if (mine->colour == top->colour) {
        return 1;
    }
    if (mine->type == NUMBER || top->type == NUMBER) {
        return mine->type == top->type && mine->value == top->value;
    }
    return mine->type == top->type;
}

static int slow_valid(const GameState *state, int selection)
{
    int anything = 0;
    for (int i = 0; i < state->yourNumberOfCards; i++) {
        anything += slow_playable(state, i);
    }
    if (selection == -1) {
        return anything == 0;
    }
    for (int i = 0; i < state->yourNumberOfCards; i++) {
        int wild = state->yourCards[i].type == WILD || state->yourCards[i].type == WILD_D4;
        if (!wild && selection == i) {
            return slow_playable(state, i);
        }
        if (wild && (selection == RED + i || selection == GREEN + i || selection == BLUE + i ||
                     selection == YELLOW + i)) {
            return 1;
        }
    }
    return 0;
}

static int any_colour(void)
{
    return 10000 * (1 + below(4));
}

/* Some state of a game: cards of one deck, divided by chance. */
static void any_state(GameState *state)
{
    Deck deck;
    int dealt = 0;
    CreateDeck(&deck);
    for (int i = MAX_CARDS - 1; i > 0; i--) {
        int other = below(i + 1);
        Card card = deck.cards[i];
        deck.cards[i] = deck.cards[other];
        deck.cards[other] = card;
    }
    memset(state, 0, sizeof *state);
    state->numberOfPlayers = 4;
    state->directionOfPlay = below(2) ? LEFT : RIGHT;
    state->yourPosition = below(4);
    state->yourNumberOfCards = below(10) ? 1 + below(12) : 1 + below(100);
    for (int i = 0; i < state->yourNumberOfCards; i++) {
        state->yourCards[i] = deck.cards[dealt++];
    }
    state->numberOfDiscards = 1 + below(104 - dealt);
    for (int i = 0; i < state->numberOfDiscards; i++) {
        state->discardPile[i] = deck.cards[dealt++];
    }
    int top = state->discardPile[state->numberOfDiscards - 1].type;
    int called = top == WILD || top == WILD_D4 || below(2);
    state->lastColourCalled = called ? any_colour() : NONE;
    for (int i = 0; i < 4; i++) {
        int most = (MAX_CARDS - dealt) / 3;
        state->allPlayersCardsLeft[i] = 1 + below(below(2) ? 3 : most > 0 ? most : 1);
        state->allPlayersColoursCalled[i] = called && below(2) ? any_colour() : NONE;
        state->allPlayersScores[i] = below(100000);
    }
    state->allPlayersCardsLeft[state->yourPosition] = state->yourNumberOfCards;
}

static void check_selection(GameState *state, int selection)
{
    int expected = slow_valid(state, selection);
    int answer = ValidSelection(state, selection);
    CHECK(answer == expected, "selection %d of %d cards is %d", selection,
          state->yourNumberOfCards, answer);
}

static void check_selections(GameState *state)
{
    static const int odd[] = {INT_MIN, INT_MIN + 1, -50000, -40001, -10000, -9999, -100, -2, 5000,
                              9998, 9999, 49999, 59999, 99999, 100000, 110000, 1000000, 1000001,
                              1010000, 40000000, 2147480000, INT_MAX};
    for (size_t i = 0; i < sizeof odd / sizeof *odd; i++) {
        check_selection(state, odd[i]);
    }
    for (int colour = 0; colour <= 70000; colour += 10000) {
        for (int index = -2; index <= state->yourNumberOfCards + 2; index++) {
            check_selection(state, colour + index);
        }
        check_selection(state, colour + 107);
        check_selection(state, colour + 108);
    }
}

static void selections_are_valid_as_the_rules_say(void)
{
    int drawn = 0;
    int wild = 0;
    for (int round = 0; round < 20000; round++) {
        GameState state;
        GameState before;
        any_state(&state);
        before = state;
        check_selections(&state);
        int choice = Play(&state);
        CHECK(slow_valid(&before, choice), "Play selects %d", choice);
        CHECK(memcmp(&state, &before, sizeof state) == 0, "the state is changed");
        drawn += choice == -1;
        wild += choice >= RED;
    }
    CHECK(drawn > 100 && wild > 100, "%d drawn, %d wild: the states are one-sided", drawn, wild);
}

#ifdef ROBUST
static void only_what_counts_need_be_filled_in(void)
{
    for (int round = 0; round < 2000; round++) {
        GameState state;
        GameState whole;
        any_state(&whole);
        memset(&state, below(2) ? 0xa5 : 0, sizeof state);
        state.lastColourCalled = whole.lastColourCalled;
        state.yourNumberOfCards = whole.yourNumberOfCards;
        memcpy(state.yourCards, whole.yourCards, sizeof(Card) * whole.yourNumberOfCards);
        state.numberOfDiscards = whole.numberOfDiscards;
        state.discardPile[state.numberOfDiscards - 1] =
            whole.discardPile[whole.numberOfDiscards - 1];
        check_selections(&state);
        CHECK(slow_valid(&whole, Play(&state)), "Play selects %d", Play(&state));
    }
}

static void null_is_left_alone(void)
{
    CreateDeck(NULL);
    ShuffleDeck(NULL, 108);
    for (int selection = -2; selection < 50000; selection += 7) {
        CHECK(ValidSelection(NULL, selection) == 0, "%d", selection);
    }
    CHECK(Play(NULL) == -1, "%d", Play(NULL));
}

static void counts_out_of_range(void)
{
    static const int counts[] = {INT_MIN, -109, -1, 0, 109, 10000, INT_MAX};
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
        struct {
            Deck deck;
            int fence[400];
        } room;
        GameState state;
        memset(&room, 0x5a, sizeof room);
        number_the_cards(&room.deck);
        ShuffleDeck(&room.deck, counts[i]);
        check_shuffled(&room.deck, counts[i] < 0 ? 0 : counts[i] > 108 ? 108 : counts[i]);
        for (int j = 0; j < 400; j++) {
            CHECK(room.fence[j] == 0x5a5a5a5a, "written behind the deck");
        }

        any_state(&state);
        state.numberOfDiscards = counts[i];
        for (int selection = -1; selection < 108; selection++) {
            CHECK(!ValidSelection(&state, selection), "%d on %d", selection, counts[i]);
            CHECK(!ValidSelection(&state, RED + selection), "%d on %d", selection, counts[i]);
        }
        CHECK(Play(&state) == -1, "%d", Play(&state));

        any_state(&state);
        state.yourNumberOfCards = counts[i];
        for (int selection = -1; selection < 200; selection++) {
            /* An empty hand can draw, which is all that is left to it. */
            int valid = counts[i] == 0 && selection == -1;
            CHECK(ValidSelection(&state, selection) == valid, "%d of %d", selection, counts[i]);
            CHECK(!ValidSelection(&state, BLUE + selection), "%d of %d", selection, counts[i]);
        }
        CHECK(Play(&state) == -1, "%d", Play(&state));
    }
}

static void garbage_does_no_harm(void)
{
    for (int round = 0; round < 20000; round++) {
        GameState state;
        GameState before;
        int *ints = (int *)&state;
        int size = (int)(sizeof state / sizeof *ints);
        any_state(&state);
        if (below(2)) {
            for (int i = 0; i < size; i++) {
                ints[i] = below(INT_MAX) - below(INT_MAX);
            }
        }
        for (int i = below(60); i > 0; i--) {
            ints[below(below(4) ? size : 24)] = below(2) ? below(200) - 20 : 10000 * below(7);
        }
        before = state;
        int choice = Play(&state);
        int any = 0;
        for (int colour = 0; colour <= YELLOW; colour += 10000) {
            for (int index = -1; index < MAX_CARDS; index++) {
                any |= ValidSelection(&state, colour + index);
            }
        }
        CHECK(any ? ValidSelection(&state, choice) : choice == -1, "%d", choice);
        CHECK(memcmp(&state, &before, sizeof state) == 0, "the state is changed");
    }
}
#endif

int main(void)
{
    sizes_and_offsets();
    creates_a_deck();
    shuffles_only_the_first_cards();
    the_callers_seed_governs_the_shuffle();
    shuffles_evenly();
    selections_are_valid_as_the_rules_say();
#ifdef ROBUST
    only_what_counts_need_be_filled_in();
    null_is_left_alone();
    counts_out_of_range();
    garbage_does_no_harm();
#endif
    printf("%d failures\n", failures);
    return failures != 0;
}
