// Picking pieces on a drawn table.
//
// A drawing has pieces, `[data-piece]`, and a list of all moves in words. Each entry of the list,
// `[data-way]`, names the pieces that make its move. What can still be picked is raised, and when the
// picked pieces are those of a way, its move is made. `[data-refused]` names pieces that do not go
// together, and holds the rule. What pieces are (cards, tokens) says the element around them,
// `[data-kind]`. No game is known here.
//
//   const table = pieces(document.querySelector('#live'), {
//     play: (move) => …,            // sends the move's text
//     confirm: () => false,         // whether to ask before a move is made
//     say: (text) => …,             // tells the rule that forbids a piece; in the line of the turn if missing
//   });
//   table.replace(html);            // a new drawing: focus and picked pieces stay where they can
//
// Listeners are on the root, which stays when what is in it is replaced.

const FIELDS = 'input, select, textarea, [contenteditable]';

export function pieces(root, { play, confirm = () => false, say } = {}) {
  let ways = [];
  let refused = [];
  let picked = new Set();
  let asked = null;
  // Where somebody was when the pieces went: while others move, none can be picked.
  let left = null;
  // What the line of the turn says when nothing is picked.
  let usual = null;

  const all = () => [...root.querySelectorAll('button[data-piece]')];
  const find = (id) => all().find((piece) => piece.dataset.piece === id);
  const seen = () => all().filter((piece) => !piece.disabled && piece.getClientRects().length > 0);
  const kind = (piece) => piece?.closest('[data-kind]')?.dataset.kind ?? 'piece';
  const line = () => root.querySelector('.turn-line');
  const open = () => ways.filter((way) => [...picked].every((id) => way.pieces.has(id)));

  function read() {
    ways = [...root.querySelectorAll('[data-way]')].map((entry) => ({
      move: entry.value,
      label: entry.textContent,
      pieces: new Set(entry.dataset.way.split(' ')),
    }));
    refused = [...root.querySelectorAll('[data-refused]')].map((entry) => ({
      rule: entry.textContent,
      pieces: entry.dataset.refused.split(' '),
    }));
    if (open().length === 0) picked.clear();
    usual = null;
    line()?.setAttribute('role', 'status');
    root.classList.add('live');
    show();
  }

  /// Shows what is picked and what can be picked next.
  function show() {
    const next = new Set();
    for (const way of open()) for (const id of way.pieces) next.add(id);
    const known = new Set(ways.flatMap((way) => [...way.pieces]));
    for (const piece of all()) {
      const id = piece.dataset.piece;
      if (!known.has(id)) continue;
      const state = picked.has(id) ? 'picked' : next.has(id) ? 'next' : 'off';
      piece.dataset.state = state;
      if (piece.hasAttribute('aria-pressed')) piece.setAttribute('aria-pressed', state === 'picked');
    }
    root.classList.toggle('picking', picked.size > 0);
    prompt();
    rove();
  }

  /// One piece is reached by the tabulator, the others from there by arrows.
  function rove(current = document.activeElement) {
    const list = seen();
    const entry = list.includes(current) ? current
      : list.find((piece) => piece.dataset.state === 'next') ?? list[0];
    for (const piece of all()) piece.tabIndex = piece === entry ? 0 : -1;
  }

  function pick(id) {
    hush();
    if (picked.has(id)) picked.delete(id);
    else {
      const fits = all().filter((piece) => piece.dataset.state === 'next');
      const before = [...picked];
      picked.add(id);
      if (open().length === 0) {
        // A cauldron into which the picked card may not go: the card stays picked.
        if (fits.some((piece) => kind(piece) === kind(find(id)))) {
          const known = refused.find(({ pieces }) => pieces.every((piece) => picked.has(piece)));
          picked.delete(id);
          tell(known?.rule ?? `With ${called(find(before.pop()))}, only ${fits.map(called).join(' or ')} can be picked`);
          return;
        }
        // Another card than the picked one: begin anew with it.
        picked = new Set([id]);
      }
    }
    const done = open().find((way) => way.pieces.size === picked.size);
    show();
    if (done) make(done);
    else bringIntoSight(id);
  }

  /// What is to be picked with this piece may lie outside of the window.
  function bringIntoSight(id) {
    const next = all().filter((piece) => piece.dataset.state === 'next' && kind(piece) !== kind(find(id)));
    const isSeen = (piece) => {
      const { top, bottom } = piece.getBoundingClientRect();
      return top >= 0 && bottom <= innerHeight;
    };
    if (!next.some(isSeen)) next[0]?.scrollIntoView({ block: 'nearest' });
  }

  /// Says in the line of the turn what is still to be picked, for whoever has begun: in its place, so
  /// that nothing moves under a finger.
  function prompt() {
    const place = line();
    if (!place) return;
    usual ??= place.innerHTML;
    const missing = Math.min(...open().map((way) => way.pieces.size)) - picked.size;
    if (picked.size === 0 || missing <= 0) {
      place.innerHTML = usual;
      return;
    }
    const kinds = new Set(all().filter((piece) => piece.dataset.state === 'next').map(kind));
    const [noun] = kinds.size === 1 ? kinds : ['piece'];
    const more = [...picked].some((id) => kind(find(id)) === noun);
    if (missing > 1) place.textContent = `Now pick ${missing === 2 ? 'two' : missing} more ${noun}s`;
    else place.textContent = `Now pick ${more ? 'one more' : 'a'} ${noun}`;
  }

  function make(way) {
    if (!confirm()) {
      hush();
      picked.clear();
      show();
      play?.(way.move);
      return;
    }
    asked = way;
    if (picked.size > 0) left = where([...picked].pop());
    const yes = button(way.label, () => { asked = null; hush(); picked.clear(); show(); play?.(way.move); });
    const no = button('Not yet', clear);
    note().replaceChildren(yes, no);
    yes.focus();
  }

  function clear() {
    const back = [...picked].pop();
    asked = null;
    picked.clear();
    hush();
    show();
    if (back && !seen().includes(document.activeElement)) find(back)?.focus();
  }

  /// Where the table asks something.
  function note() {
    let place = root.querySelector('.said');
    if (!place) {
      place = document.createElement('p');
      place.className = 'said';
      place.setAttribute('role', 'status');
      (line() ?? root.firstElementChild ?? root).after(place);
    }
    return place;
  }

  function hush() {
    asked = null;
    root.querySelector('.said')?.replaceChildren();
    prompt();
  }

  /// Tells a rule where it is told whose turn it is, in its place: whoever looks there sees it, and
  /// nothing moves under a finger.
  function tell(rule) {
    const sentence = rule.charAt(0).toUpperCase() + rule.slice(1);
    if (say) say(sentence);
    else (line() ?? note()).textContent = sentence;
  }

  function button(text, act) {
    const made = document.createElement('button');
    made.type = 'button';
    made.textContent = text;
    made.addEventListener('click', act);
    return made;
  }

  root.addEventListener('click', (event) => {
    const entry = event.target.closest('[data-way]');
    const piece = event.target.closest('button[data-piece]');
    if (entry && root.contains(entry)) {
      event.preventDefault();
      const way = ways.find((way) => way.move === entry.value);
      if (way) make(way);
    } else if (piece && root.contains(piece)) {
      event.preventDefault();
      if (piece.getAttribute('aria-disabled') === 'true') tell(piece.title);
      else pick(piece.dataset.piece);
    }
  });

  root.addEventListener('focusin', (event) => {
    if (event.target.matches('button[data-piece]')) rove(event.target);
  });

  function keys(event) {
    if (!root.isConnected) return document.removeEventListener('keydown', keys);
    if (event.defaultPrevented || event.ctrlKey || event.altKey || event.metaKey) return;
    if (event.target.closest?.(FIELDS) || document.querySelector('dialog[open]')) return;
    const list = seen();
    const here = list.indexOf(document.activeElement);
    let target = null;
    if (event.key === 'Escape' && (picked.size > 0 || asked)) clear();
    else if (/^[0-9]$/.test(event.key)) {
      const can = list.filter((piece) => piece.dataset.state === 'next' || piece.dataset.state === 'picked');
      target = can[(Number(event.key) + 9) % 10];
    } else if (event.key === 'ArrowRight') target = here < 0 ? first(list) : list[(here + 1) % list.length];
    else if (event.key === 'ArrowLeft') target = here < 0 ? first(list) : list[(here + list.length - 1) % list.length];
    else if (event.key === 'ArrowUp' && here >= 0) target = beyond(list[here], list, -1);
    else if (event.key === 'ArrowDown' && here >= 0) target = beyond(list[here], list, 1);
    else return;
    if (target) target.focus();
    if (target || event.key === 'Escape') event.preventDefault();
  }
  document.addEventListener('keydown', keys);

  function first(list) {
    return list.find((piece) => piece.dataset.state === 'next') ?? list[0];
  }

  /// A new drawing takes the place of the old one. Whoever was on a piece stays on it; if it has gone,
  /// on the one that is now in its place; if there are none now, as soon as there are some again.
  function replace(html) {
    const focused = document.activeElement;
    const piece = focused?.closest?.('[data-piece]');
    if (piece && root.contains(piece)) left = where(piece.dataset.piece);
    else if (focused !== document.body && !focused?.closest?.('.said')) left = null;
    const question = asked?.move;
    asked = null;
    root.innerHTML = html;
    read();
    const still = ways.find((way) => way.move === question);
    const list = seen();
    if (still) make(still);
    else if (left && list.length > 0) {
      (find(left.id) ?? list.at(Math.min(left.place, list.length - 1))).focus({ preventScroll: true });
      left = null;
    }
  }

  function where(id) {
    return { id, place: seen().indexOf(find(id)) };
  }

  read();
  return { replace, read, clear };
}

/// What a piece is called: `cauldron 2` of `cauldron 2, 7 of 13, can be picked`.
function called(piece) {
  return piece.getAttribute('aria-label').split(',')[0];
}

/// The nearest piece above (-1) or below (1) another.
function beyond(from, list, way) {
  const at = middle(from);
  let best = null;
  for (const piece of list) {
    const to = middle(piece);
    const ahead = (to.y - at.y) * way;
    if (ahead < 8) continue;
    const far = ahead + 2 * Math.abs(to.x - at.x);
    if (!best || far < best.far) best = { piece, far };
  }
  return best?.piece ?? null;
}

function middle(element) {
  const box = element.getBoundingClientRect();
  return { x: box.left + box.width / 2, y: box.top + box.height / 2 };
}

// Cards that move. Called before a drawing is replaced; what it gives is called afterwards and lets the
// cards fly from where they were: `const land = flight(root); table.replace(html); land({ ms, seat })`.
// A card that was nowhere to be seen comes from the seat that moved, or from the deck into the own hand.
export function flight(root) {
  const before = new Map();
  for (const card of root.querySelectorAll('[data-card]')) {
    const boxes = before.get(card.dataset.card) ?? [];
    boxes.push(card.getBoundingClientRect());
    before.set(card.dataset.card, boxes);
  }
  return ({ ms = 350, seat = null } = {}) => {
    if (!ms || document.hidden || matchMedia('(prefers-reduced-motion: reduce)').matches) return;
    const box = (selector) => root.querySelector(selector)?.getBoundingClientRect();
    const mover = seat === null ? null : box(`[data-seat="${Number(seat)}"]`);
    const deck = box('[data-pile="deck"]');
    for (const card of root.querySelectorAll('[data-card]')) {
      const to = card.getBoundingClientRect();
      if (to.width === 0) continue;
      const boxes = before.get(card.dataset.card) ?? [];
      const near = (one, other) => Math.hypot(one.x - to.x, one.y - to.y) - Math.hypot(other.x - to.x, other.y - to.y);
      boxes.sort(near);
      const own = boxes.shift();
      const from = own ?? (card.closest('.in-hand') ? deck : mover);
      if (!from || from.width === 0 || Math.hypot(from.x - to.x, from.y - to.y) < 6) continue;
      const [dx, dy] = [from.x + from.width / 2 - to.x - to.width / 2, from.y + from.height / 2 - to.y - to.height / 2];
      const size = own ? from.width / to.width : 0.5;
      card.animate(
        [{ transform: `translate(${dx}px, ${dy}px) scale(${size})` }, { transform: 'none' }],
        { duration: ms, easing: 'cubic-bezier(.2, .7, .3, 1)' },
      );
    }
  };
}
