// A simulation of War that grows while somebody watches: the server is asked as long as the page is seen.

const place = document.querySelector('#simulation');

async function ask() {
  if (document.hidden) return void setTimeout(ask, 500);
  const answer = await fetch(`/war/simulation?${place.dataset.words}`).catch(() => null);
  const told = await answer?.json().catch(() => null);
  if (answer?.ok && told) place.innerHTML = told.html;
  if (!told?.done) setTimeout(ask, answer?.ok ? 250 : 2000);
}
if (place.dataset.runs) ask();

// Whoever asks how long it takes goes on watching where the game stands.
document.querySelector('.chances').addEventListener('formdata', (event) => {
  const at = new URLSearchParams(location.search).get('at');
  if (at) event.formData.set('at', at);
});
