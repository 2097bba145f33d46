// A record that is dropped on the lobby is shown.

const form = document.querySelector('.drop');
const input = form.querySelector('input[type="file"]');
const carries = (event) => event.dataTransfer?.types.includes('Files');

input.addEventListener('change', () => { if (input.files.length > 0) form.requestSubmit(); });
addEventListener('dragover', (event) => {
  if (!carries(event)) return;
  event.preventDefault();
  form.classList.add('over');
});
addEventListener('dragleave', (event) => { if (!event.relatedTarget) form.classList.remove('over'); });
addEventListener('drop', (event) => {
  if (!carries(event)) return;
  event.preventDefault();
  form.classList.remove('over');
  input.files = event.dataTransfer.files;
  if (input.files.length > 0) form.requestSubmit();
});
