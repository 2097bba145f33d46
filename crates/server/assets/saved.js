// A saved game: keys walk through the moments, which are places in this file.
(() => {
  const last = Number(document.body.dataset.last);
  const log = document.querySelector('#log');
  const here = () => Number(location.hash.slice(2)) || 0;
  const go = (at) => { location.replace(`#m${Math.max(0, Math.min(at, last))}`); };
  function mark() {
    for (const item of log.children) {
      const current = Number(item.dataset.at) === here();
      item.toggleAttribute('aria-current', current);
      if (current) log.scrollTop = item.offsetTop - log.offsetTop - log.clientHeight / 2;
    }
    for (const end of ['x1', 'x2']) {
      document.querySelector('.curve .now')?.setAttribute(end, `${1 + 98 * here() / Math.max(last, 1)}%`);
    }
  }
  addEventListener('hashchange', mark);
  addEventListener('keydown', (event) => {
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    if (event.key === 'ArrowRight') go(here() + 1);
    else if (event.key === 'ArrowLeft') go(here() - 1);
    else if (event.key === 'Home') go(0);
    else if (event.key === 'End') go(last);
    else return;
    event.preventDefault();
  });
  mark();
})();
