// A decision once more: pieces are picked as at a table, and the move is sent with the form.

import { pieces } from './pieces.js';

const form = document.querySelector('#trying');
const chosen = document.querySelector('#chosen');
pieces(form, {
  play: (move) => {
    chosen.disabled = false;
    chosen.value = move;
    form.submit();
  },
});
