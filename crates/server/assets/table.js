// A table in the browser: it listens on a socket, shows what comes one after the other, and sends moves.
//
// Every fragment has a version. What comes is queued and shown at the chosen speed; a hidden page jumps
// to the present. After a gap, a sleep, the back button or a silence the page asks anew.

import { pieces, flight } from './pieces.js';
import { kept, completeLinks } from './site.js';

const room = document.querySelector('#room');
const live = document.querySelector('#live');
const log = document.querySelector('#log');
const told = document.querySelector('#told');
const company = document.querySelector('#company');
const icon = document.querySelector('#icon');
const base = `/table/${room.dataset.table}`;

// Silence for longer than this means that the connection is lost: the server speaks every 5 seconds.
const SILENCE = 12000;
const POLL = 2500;

let shown = Number(room.dataset.version);
let looksBack = room.dataset.past === '1';
let queue = [];
let showing = null;
let socket = null;
let heard = Date.now();
let tries = 0;
let sending = false;
// The version for which a move was made that is not shown yet.
let made = null;

const still = matchMedia('(prefers-reduced-motion: reduce)');
const speed = document.querySelector('#speed');
const asks = document.querySelector('#confirm');
document.querySelector('#wishes').hidden = false;
speed.value = kept.get('speed', '700');
asks.checked = kept.get('confirm', '') === 'yes';
speed.addEventListener('change', () => kept.set('speed', speed.value));
asks.addEventListener('change', () => kept.set('confirm', asks.checked ? 'yes' : ''));
const pause = () => (still.matches || document.hidden ? 0 : Number(speed.value));

// What is drawn, as the browser writes it down: what has not changed is not drawn again under a finger.
let drawn = live.innerHTML;
const table = pieces(live, { play: send, confirm: () => asks.checked });

// ---- showing ----

/// Takes a fragment that has come.
function take(fragment) {
  if (fragment.version === undefined) return;
  if (looksBack) {
    noteNews(fragment);
    return;
  }
  const last = queue.length > 0 ? queue[queue.length - 1].version : shown;
  if (fragment.version < last) return;
  if (fragment.version > last + 1) {
    // Something is missing in between: what happened is asked for, the present is shown.
    queue = [];
    fillLog(fragment.version).then(() => {
      if (fragment.version >= shown && !looksBack) show(fragment);
    });
    return;
  }
  queue.push(fragment);
  if (document.hidden) jump();
  else if (!showing) next();
}

/// Shows the present; what happened on the way to it goes into the log alone.
function jump() {
  clearTimeout(showing);
  for (const fragment of queue.slice(0, -1)) addToLog(fragment);
  queue = queue.slice(-1);
  next();
}

function next() {
  showing = null;
  const fragment = queue.shift();
  if (!fragment) return;
  const isMove = fragment.version > shown;
  show(fragment);
  // What came of a move takes time to be read.
  const came = (fragment.log ?? []).reduce((lines, entry) => lines + entry.more.length, 0);
  const wait = isMove ? pause() * (1 + 0.5 * Math.min(came, 4)) : 0;
  showing = setTimeout(next, wait);
}

/// Draws the table, if there is anything new to draw.
function draw(html) {
  const sheet = document.createElement('template');
  sheet.innerHTML = html;
  if (sheet.innerHTML === drawn) return;
  drawn = sheet.innerHTML;
  table.replace(html);
  tellCost();
}

/// Asks for the moves that cost most, until the expert has looked at all of them.
async function tellCost() {
  const place = live.querySelector('#cost');
  if (!place || place.querySelector('.told-cost')) return;
  const told = document.createElement('div');
  told.className = 'told-cost';
  told.setAttribute('role', 'status');
  place.append(told);
  while (told.isConnected) {
    const answer = await fetch(place.dataset.review).catch(() => null);
    const review = await answer?.json().catch(() => null);
    if (!answer?.ok) {
      told.textContent = review?.error ?? 'The expert cannot be asked now.';
      return;
    }
    const page = new DOMParser().parseFromString(review.html, 'text/html');
    const moves = page.querySelectorAll('.costly-note, .costly-moves');
    const progress = page.querySelector('.progress label')?.textContent;
    if (moves.length > 0) told.replaceChildren(...moves);
    else told.textContent = progress ?? 'No move of yours was certainly worse than the best one.';
    if (review.done) return;
    do await new Promise((done) => setTimeout(done, 700)); while (document.hidden);
  }
}

function show(fragment) {
  const isMove = fragment.version > shown;
  shown = fragment.version;
  const focused = document.activeElement;
  const held = focused && live.contains(focused) && !focused.closest('[data-piece]')
    ? focused.closest('form')?.id || focused.id : null;
  const hint = isMove ? '' : live.querySelector('#hint')?.innerHTML ?? '';
  const land = isMove ? flight(live) : null;
  const unfolded = live.querySelector('.moves')?.open;
  draw(fragment.live);
  if (unfolded && live.querySelector('.moves')) live.querySelector('.moves').open = true;
  if (hint && live.querySelector('#hint')) live.querySelector('#hint').innerHTML = hint;
  if (held) live.querySelector(`#${held} button, #${held}`)?.focus({ preventScroll: true });
  land?.({ ms: Math.min(pause() * 0.7, 450) });
  showCompany(fragment.company);
  addToLog(fragment);
  announce(fragment);
}

let seated = company.innerHTML;

function showCompany(html) {
  if (seated === html) return;
  seated = html;
  const focused = company.contains(document.activeElement) ? document.activeElement.id : '';
  company.innerHTML = html;
  completeLinks(company);
  if (focused) document.getElementById(focused)?.focus({ preventScroll: true });
}

function announce(fragment) {
  document.title = fragment.title;
  icon.setAttribute('href', fragment.turn ? icon.dataset.turn : icon.dataset.plain);
}

function addToLog(fragment) {
  for (const entry of fragment.log ?? []) {
    if (log.querySelector(`[data-at="${entry.version}"]`)) continue;
    const item = document.createElement('li');
    item.dataset.at = entry.version;
    const link = document.createElement('a');
    link.href = `${base}?at=${entry.version}`;
    link.textContent = entry.line;
    item.append(link);
    for (const more of entry.more) {
      const line = document.createElement('span');
      line.textContent = more;
      item.append(line);
    }
    log.append(item);
  }
  if (!told.matches(':hover, :focus-within')) told.scrollTop = told.scrollHeight;
}

/// Adds what happened up to a version and is not in the log yet.
async function fillLog(version) {
  const answer = await fetch(base, { headers: { accept: 'text/html' } }).catch(() => null);
  if (!answer?.ok) return;
  const page = new DOMParser().parseFromString(await answer.text(), 'text/html');
  for (const item of page.querySelectorAll('#log li')) {
    const at = Number(item.dataset.at);
    if (at <= version && !log.querySelector(`[data-at="${at}"]`)) log.append(document.adoptNode(item));
  }
  told.scrollTop = told.scrollHeight;
}

told.scrollTop = told.scrollHeight;

// ---- looking back ----

function noteNews(fragment) {
  const now = live.querySelector('[data-step="now"]');
  if (now && fragment.latest > shown) now.textContent = `Now (${fragment.latest})`;
  announce(fragment);
  addToLog(fragment);
}

async function look(at) {
  const query = at === null ? '' : `?at=${at}`;
  const answer = await fetch(`${base}/present${query}`).catch(() => null);
  if (!answer?.ok) return offline(true);
  const fragment = await answer.json();
  looksBack = fragment.version < fragment.latest;
  queue = [];
  shown = fragment.version;
  draw(fragment.live);
  for (const item of log.children) item.toggleAttribute('aria-current', Number(item.dataset.at) === shown && looksBack);
  history.replaceState(null, '', looksBack ? `${base}?at=${shown}` : base);
  if (!looksBack) {
    showCompany(fragment.company);
    announce(fragment);
    fillLog(fragment.version);
  }
}

document.addEventListener('click', (event) => {
  if (event.ctrlKey || event.metaKey || event.shiftKey || event.button !== 0) return;
  const link = event.target.closest(`a[href^="${base}?at="], a[data-step="now"]`);
  if (!link) return;
  event.preventDefault();
  const at = new URL(link.href).searchParams.get('at');
  look(at === null ? null : Number(at));
});

// A card on the table leads to the moment at which it was played.
live.addEventListener('click', async (event) => {
  const card = event.target.closest('[data-card]');
  if (!card || event.defaultPrevented || card.closest('button:enabled, .fan, .moves')) return;
  const query = new URLSearchParams({ card: card.dataset.card, at: shown });
  const answer = await fetch(`${base}/card?${query}`).catch(() => null);
  if (answer?.ok) look((await answer.json()).version);
});

// ---- moves and hints ----

function nonce() {
  const bytes = crypto.getRandomValues(new Uint8Array(12));
  return [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}

async function post(path, fields) {
  return fetch(`${base}/${path}`, {
    method: 'POST',
    headers: { accept: 'application/json', 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams(fields),
  });
}

async function send(move) {
  if (sending || looksBack || made === shown) return;
  sending = true;
  const fields = { version: shown, nonce: nonce(), move };
  try {
    // A move that got lost on the way is sent again: the nonce keeps it from being made twice.
    for (let attempt = 0; ; attempt += 1) {
      const answer = await post('move', fields).catch(() => null);
      if ((answer === null || answer.status === 503) && attempt < 3) {
        offline(true);
        await new Promise((done) => setTimeout(done, 500 * 2 ** attempt));
        continue;
      }
      if (answer === null) return;
      offline(false);
      const fragment = await answer.json().catch(() => null);
      if (answer.ok) {
        made = fields.version;
        if (!socket || socket.readyState !== WebSocket.OPEN) ask();
      } else if (fragment?.version !== undefined) {
        queue = [];
        show(fragment);
      } else {
        offline(true, fragment?.error);
      }
      return;
    }
  } finally {
    sending = false;
  }
}

live.addEventListener('submit', (event) => {
  const form = event.target;
  if (form.id === 'moving') {
    event.preventDefault();
    const move = event.submitter?.value;
    if (move) send(move);
  } else if (form.id === 'hinting') {
    event.preventDefault();
    hint();
  }
});

async function hint() {
  const place = live.querySelector('#hint');
  const button = live.querySelector('#hinting button');
  if (!place || !button) return;
  place.textContent = 'The expert is thinking …';
  const version = shown;
  const answer = await post('hint', { version }).catch(() => null);
  const thought = await answer?.json().catch(() => null);
  const now = live.querySelector('#hint');
  if (version !== shown || !now) return;
  if (answer?.ok) now.innerHTML = thought.html;
  // So far that the first moves are read, as long as the cards are still seen above them.
  if (answer?.ok) {
    const covered = live.querySelector('.latest')?.offsetHeight ?? 0;
    const top = (live.querySelector('.hand, .fan') ?? now).getBoundingClientRect().top - covered;
    const reads = [...now.querySelectorAll('p, tbody tr:nth-child(-n + 3)')];
    const fits = reads.filter((part) => part.getBoundingClientRect().bottom - top < innerHeight);
    (fits.at(-1) ?? now).scrollIntoView({ block: 'nearest', behavior: still.matches ? 'auto' : 'smooth' });
  } else now.textContent = thought?.error ?? 'The expert cannot be asked now.';
}

// ---- keys ----

const keys = document.querySelector('#keys');
document.querySelector('#keys-open').addEventListener('click', () => keys.showModal());

document.addEventListener('keydown', (event) => {
  if (event.defaultPrevented || event.ctrlKey || event.altKey || event.metaKey) return;
  if (event.target.closest('input, select, textarea, [contenteditable]') || keys.open) return;
  const at = (step) => live.querySelector(`[data-step="${step}"]`);
  const acts = {
    h: hint,
    '?': () => keys.showModal(),
    '[': () => at('back')?.click(),
    ']': () => at('forward')?.click(),
    Escape: () => at('now')?.click(),
    l: () => repeat([...log.lastElementChild?.children ?? []].map((line) => line.textContent).join('; ')
      || 'Nothing has happened yet.'),
    c: () => repeat(words('.hand [data-piece], .in-hand, .in-hand [data-piece]')),
    s: () => repeat(words('.seat .facts, .result tr')),
  };
  const act = acts[event.key];
  if (!act) return;
  event.preventDefault();
  act();
});

function words(selector) {
  const found = [...live.querySelectorAll(selector)];
  const told = found.map((element) => element.getAttribute('aria-label') ?? element.textContent.trim());
  return [...new Set(told)].join('; ') || 'There is nothing to tell.';
}

/// Says something again to whoever listens.
function repeat(text) {
  let place = document.querySelector('#again');
  if (!place) {
    place = document.createElement('p');
    place.id = 'again';
    place.className = 'unseen';
    place.setAttribute('role', 'status');
    document.body.append(place);
  }
  place.textContent = '';
  setTimeout(() => { place.textContent = text; }, 50);
}

// ---- staying up to date ----

function offline(is, why = 'The connection is lost; trying again …') {
  let note = document.querySelector('.offline');
  if (!is) return note?.remove();
  if (!note) {
    note = document.createElement('p');
    note.className = 'offline';
    note.setAttribute('role', 'status');
    room.after(note);
  }
  note.textContent = why;
}

/// Asks for the present, for a page without a socket.
async function ask() {
  const answer = await fetch(`${base}/present`).catch(() => null);
  if (!answer?.ok) return offline(true, answer?.status === 404 ? 'This table is not there any more.' : undefined);
  heard = Date.now();
  offline(false);
  take(await answer.json());
}

/// Opens the socket. After a silence the present is asked for, and not everything up to it.
function connect() {
  if (socket && socket.readyState <= WebSocket.OPEN) return;
  const since = Date.now() - heard > SILENCE ? '' : `?version=${shown}`;
  const address = new URL(`${base}/socket${since}`, location.href);
  address.protocol = address.protocol.replace('http', 'ws');
  const own = new WebSocket(address);
  socket = own;
  own.addEventListener('message', (event) => {
    heard = Date.now();
    tries = 0;
    offline(false);
    take(JSON.parse(event.data));
  });
  own.addEventListener('close', () => {
    if (socket === own) socket = null;
  });
}

setInterval(() => {
  const silent = Date.now() - heard > SILENCE;
  if (socket && silent) {
    socket.close();
    socket = null;
  }
  if (!socket && !document.hidden) {
    tries += 1;
    ask();
    // A server or a proxy that knows no sockets is asked from time to time.
    if (tries < 4 || tries % 8 === 0) connect();
  }
}, POLL);

document.addEventListener('visibilitychange', () => {
  // What waits to be shown is not shown to nobody, nor caught up with afterwards.
  if (queue.length > 0) jump();
  if (document.hidden) return;
  if (Date.now() - heard > SILENCE) {
    socket?.close();
    socket = null;
  }
  connect();
});
addEventListener('pageshow', (event) => {
  if (!event.persisted) return;
  queue = [];
  if (!looksBack) ask();
  connect();
});
addEventListener('pagehide', () => socket?.close());
connect();
tellCost();
