// A recorded game in the browser: moments are asked for a few at a time and kept, so that a step shows
// the next one at once. The address is always that of the moment. Without this script, links do the same.

import { flight } from './pieces.js';
import { kept } from './site.js';

const root = document.querySelector('#replay');
const { source, page } = root.dataset;
const words = root.dataset.words;
const last = Number(root.dataset.last);
const place = document.querySelector('#moment');
const log = document.querySelector('#log');
const slider = document.querySelector('#slider');
const play = document.querySelector('#play');
const tempo = document.querySelector('#tempo');
const still = matchMedia('(prefers-reduced-motion: reduce)');

// So many moments are asked for at a time.
const SOME = 12;
const FIELDS = 'input:not([type="range"]), select, textarea, [contenteditable]';

let at = Number(root.dataset.at);
let wanted = at;
let timer = null;
let verdicts = {};
let costly = [];
const moments = new Map([[at, place.innerHTML]]);
const asked = new Map();

const join = (base, ...parts) => {
  const query = parts.filter(Boolean).join('&');
  return query ? `${base}${base.includes('?') ? '&' : '?'}${query}` : base;
};

// ---- moments ----

/// Asks for the moments from one on, if they are not known yet.
function fetchFrom(from) {
  const start = Math.max(0, Math.min(from, last));
  if (moments.has(start)) return Promise.resolve();
  if (!asked.has(start)) {
    const request = fetch(join(`${source}/moments`, words, `from=${start}`, `count=${SOME}`))
      .then((answer) => (answer.ok ? answer.json() : Promise.reject(answer.status)))
      .then((some) => some.forEach((moment) => moments.set(moment.at, moment.html)))
      .finally(() => asked.delete(start));
    asked.set(start, request);
  }
  return asked.get(start);
}

async function go(to, { moves = false } = {}) {
  wanted = Math.max(0, Math.min(to, last));
  const goal = wanted;
  slider.value = goal;
  if (!moments.has(goal)) {
    // Somebody who goes back wants those before.
    const from = goal < at ? Math.max(0, goal - SOME + 1) : goal;
    try {
      await fetchFrom(moments.has(from) ? goal : from);
      if (!moments.has(goal)) await fetchFrom(goal);
    } catch {
      stop();
      location.assign(join(page, words, `at=${goal}`));
      return;
    }
  }
  if (goal !== wanted) return;
  show(goal, moves);
  if (goal < last && !moments.has(goal + 1)) fetchFrom(goal + 1).catch(() => {});
}

function show(goal, moves) {
  const forward = goal === at + 1;
  const land = forward && moves ? flight(place) : null;
  at = goal;
  place.innerHTML = moments.get(at);
  land?.({ ms: Math.min(Number(tempo.value) * 0.6, 420) });
  history.replaceState(null, '', join(page, words, `at=${at}`));
  mark();
}

/// Everything on the page that tells which moment is shown.
function mark() {
  slider.value = at;
  for (const item of log.querySelectorAll('[aria-current]')) item.removeAttribute('aria-current');
  const item = log.querySelector(`li[data-at="${at}"]`);
  if (item) {
    item.setAttribute('aria-current', 'true');
    const top = item.offsetTop - log.offsetTop;
    if (top < log.scrollTop || top + item.offsetHeight > log.scrollTop + log.clientHeight) {
      log.scrollTop = top - log.clientHeight / 2;
    }
  }
  link('first', at > 0 ? 0 : null);
  link('before', at > 0 ? at - 1 : null);
  link('after', at < last ? at + 1 : null);
  link('end', at < last ? last : null);
  const before = costly.filter((moment) => moment < at).pop() ?? null;
  const after = costly.find((moment) => moment > at) ?? null;
  link('costly-before', before);
  link('costly-after', after);
  const now = root.querySelector('.curve .now');
  const x = `${1 + 98 * at / Math.max(last, 1)}%`;
  now?.setAttribute('x1', x);
  now?.setAttribute('x2', x);
  const verdict = document.querySelector('#verdict');
  if (verdict && Object.keys(verdicts).length > 0) {
    const html = verdicts[at] ?? '';
    if (verdict.innerHTML !== html) verdict.innerHTML = html;
  }
  const onward = document.querySelector('#onward-at');
  if (onward) onward.value = at;
  for (const eyes of root.querySelectorAll('[data-eyes], #review-begin')) {
    const address = new URL(eyes.href);
    address.searchParams.set('at', at);
    eyes.href = address;
  }
}

function link(id, to) {
  const own = document.querySelector(`#${id}`);
  if (!own) return;
  if (own.classList.contains('costly')) own.hidden = costly.length === 0;
  if (to === null) {
    own.removeAttribute('href');
    own.setAttribute('aria-disabled', 'true');
  } else {
    own.href = join(page, words, `at=${to}`);
    own.removeAttribute('aria-disabled');
  }
}

// ---- playing ----

function start() {
  if (at >= last) go(0);
  play.setAttribute('aria-pressed', 'true');
  play.title = 'Stop (space)';
  tick();
}

function tick() {
  timer = setTimeout(async () => {
    if (timer === null) return;
    // A page that nobody sees waits.
    if (!document.hidden) await go(wanted + 1, { moves: true });
    if (at >= last) stop();
    else if (timer !== null) tick();
  }, Number(tempo.value));
}

function stop() {
  clearTimeout(timer);
  timer = null;
  play.setAttribute('aria-pressed', 'false');
  play.title = 'Play (space)';
}

play.hidden = false;
document.querySelector('#speed-wish').hidden = false;
tempo.value = kept.get('tempo', '800');
if (!tempo.value) tempo.value = '800';
tempo.addEventListener('change', () => kept.set('tempo', tempo.value));
play.addEventListener('click', () => (timer === null ? start() : stop()));

// ---- ways to a moment ----

slider.addEventListener('input', () => { stop(); go(Number(slider.value)); });
document.querySelector('#slide').addEventListener('submit', (event) => event.preventDefault());

document.addEventListener('click', (event) => {
  if (event.ctrlKey || event.metaKey || event.shiftKey || event.button !== 0) return;
  const curve = event.target.closest('.curve');
  const near = event.target.closest('#log a, .buttons a.step, .costly-moves a[data-at], .curve a');
  if (near && root.contains(near)) {
    const address = near.getAttribute('href');
    event.preventDefault();
    if (!address) return;
    stop();
    go(Number(new URL(address, location).searchParams.get('at')), { moves: near.id === 'after' });
  } else if (curve) {
    const box = curve.getBoundingClientRect();
    stop();
    go(Math.round(((event.clientX - box.left) / box.width - 0.01) / 0.98 * last));
  }
});

document.addEventListener('keydown', (event) => {
  if (event.ctrlKey || event.altKey || event.metaKey || event.target.closest(FIELDS)) return;
  const onSlider = event.target === slider;
  const next = costly.find((moment) => moment > at);
  const before = costly.filter((moment) => moment < at).pop();
  if (event.key === 'ArrowRight') { stop(); go(at + 1, { moves: true }); }
  else if (event.key === 'ArrowLeft') { stop(); go(at - 1); }
  else if (event.key === 'Home') { stop(); go(0); }
  else if (event.key === 'End') { stop(); go(last); }
  else if (event.key === 'n' && next !== undefined) { stop(); go(next); }
  else if (event.key === 'p' && before !== undefined) { stop(); go(before); }
  else if (event.key === ' ' && (onSlider || !event.target.closest('button, a, summary'))) {
    if (timer === null) start(); else stop();
  } else return;
  event.preventDefault();
});

// ---- the review ----

async function review() {
  if (document.hidden) return void setTimeout(review, 1000);
  const answer = await fetch(join(`${source}/review`, words, `at=${at}`)).catch(() => null);
  const told = await answer?.json().catch(() => null);
  if (!answer?.ok || !told) {
    if (answer?.status === 503 || !answer) setTimeout(review, 3000);
    return;
  }
  const box = document.querySelector('#review');
  const open = box.querySelector('.thresholds')?.open;
  const busy = box.contains(document.activeElement);
  // Whoever types a threshold or walks through the list is not interrupted before the end.
  if (!busy || told.done) box.innerHTML = told.html;
  if (open && box.querySelector('.thresholds')) box.querySelector('.thresholds').open = true;
  verdicts = told.verdicts;
  costly = Object.keys(told.signs).map(Number).sort((a, b) => a - b);
  for (const old of log.querySelectorAll('.sign-of')) old.remove();
  for (const [moment, sign] of Object.entries(told.signs)) {
    const line = log.querySelector(`li[data-at="${moment}"] a`);
    if (!line) continue;
    const mark = document.createElement('em');
    mark.className = `sign-of ${sign.class}`;
    mark.title = sign.title;
    mark.textContent = sign.glyph;
    line.append(' ', mark);
  }
  mark();
  if (!told.done) setTimeout(review, 600);
}
if (root.dataset.review) review();

mark();
fetchFrom(at + 1).catch(() => {});
