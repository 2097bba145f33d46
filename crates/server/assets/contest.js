// A contest's page while it is played: it asks for what is new as long as somebody looks at it. What is
// sorted, filtered and selected stands in the address, so every update is asked for with it.

const contest = document.getElementById('contest');
const offline = document.getElementById('offline');
const EVERY = 2000;
let timer = 0;
let asking = null;

function place(fresh) {
  const query = new URLSearchParams(location.search);
  if (!fresh) query.set('version', contest.dataset.version);
  return `${location.pathname}/present?${query}`;
}

// What somebody is at, so that it is found again when everything around it is replaced.
function remember() {
  const active = document.activeElement;
  const inside = active && contest.contains(active) ? active : null;
  const scrolled = [...contest.querySelectorAll('.wide')].map((wide) => [wide.id, wide.scrollLeft]);
  const field = inside && 'selectionStart' in inside ? [inside.value, inside.selectionStart, inside.selectionEnd] : null;
  const same = inside && !inside.id && inside.matches('a') ? inside.getAttribute('href') : null;
  return () => {
    for (const [id, left] of scrolled) {
      const wide = id && document.getElementById(id);
      if (wide) wide.scrollLeft = left;
    }
    if (!inside) return;
    const again = inside.id ? document.getElementById(inside.id)
      : [...contest.querySelectorAll('a')].find((link) => link.getAttribute('href') === same);
    if (!again) return;
    again.focus({ preventScroll: true });
    if (field && again.matches('input[type="search"]')) {
      again.value = field[0];
      again.setSelectionRange(field[1], field[2]);
    }
  };
}

async function update(fresh = false) {
  clearTimeout(timer);
  if (asking) asking.abort();
  const own = new AbortController();
  asking = own;
  try {
    const answer = await fetch(place(fresh), { signal: own.signal });
    if (answer.status === 200) {
      const { version, live, html } = await answer.json();
      const restore = remember();
      contest.innerHTML = html;
      contest.dataset.version = version;
      contest.dataset.live = live;
      restore();
    } else if (answer.status !== 204) {
      throw new Error(answer.status);
    }
    offline.hidden = true;
  } catch (wrong) {
    if (own.signal.aborted) return;
    offline.hidden = false;
  }
  if (asking === own) asking = null;
  wait();
}

function wait() {
  clearTimeout(timer);
  // A contest that is over may be given more rounds: that is looked for less often.
  const pause = contest.dataset.live === 'true' ? EVERY : 10 * EVERY;
  if (document.visibilityState === 'visible') timer = setTimeout(update, pause);
}

function go(address) {
  history.pushState(null, '', address);
  update(true);
}

contest.addEventListener('click', (event) => {
  const link = event.target.closest('a[data-wish]');
  if (!link || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
  event.preventDefault();
  go(link.href);
});

contest.addEventListener('submit', (event) => {
  const form = event.target.closest('form.filter');
  if (!form) return;
  event.preventDefault();
  const query = new URLSearchParams();
  for (const [name, value] of new FormData(form)) if (value !== '') query.append(name, value);
  go(`${location.pathname}?${query}`);
});

contest.addEventListener('change', (event) => {
  if (event.target.matches('form.filter select')) event.target.form.requestSubmit();
});

addEventListener('popstate', () => update(true));
addEventListener('pageshow', (event) => { if (event.persisted) update(); });
document.addEventListener('visibilitychange', () => {
  if (document.visibilityState === 'visible') update();
  else clearTimeout(timer);
});
wait();
