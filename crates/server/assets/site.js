// On every page: what a person likes is remembered in the browser.

export const kept = {
  get(name, usual) {
    try { return localStorage.getItem(`croupier-${name}`) ?? usual; } catch { return usual; }
  },
  set(name, value) {
    try { localStorage.setItem(`croupier-${name}`, value); } catch { /* a browser that keeps nothing */ }
  },
};

const name = document.querySelector('input[autocomplete="nickname"]');
if (name) {
  if (name.value === 'Guest' || name.value === '') name.value = kept.get('name', 'Guest');
  name.form.addEventListener('submit', () => kept.set('name', name.value));
}

// A link to a seat is shown with the address of this server, and is selected whole.
document.addEventListener('focusin', (event) => {
  if (event.target.matches('.invitation input')) event.target.select();
});

document.addEventListener('click', async (event) => {
  const button = event.target.closest('.invitation button');
  if (!button) return;
  const link = button.parentElement.querySelector('input');
  link.select();
  // Browsers let pages write to the clipboard only where they came by a safe way.
  const written = await navigator.clipboard?.writeText(link.value).then(() => true, () => false);
  if (written || document.execCommand('copy')) button.textContent = 'Copied';
});

export function completeLinks(root = document) {
  for (const button of root.querySelectorAll('.invitation button')) button.hidden = false;
  for (const link of root.querySelectorAll('.invitation input')) {
    if (link.value.startsWith('/')) link.value = location.origin + link.value;
  }
}
completeLinks();
