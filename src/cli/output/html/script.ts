/** Runs in the page. It narrows the list and does nothing else; without it the page is whole, only not to be filtered. */
export const SCRIPT = `'use strict';
(() => {
  const text = document.getElementById('text');
  const tier = document.getElementById('tier');
  const count = document.getElementById('count');
  const rows = [...document.querySelectorAll('#findings tbody tr')];
  const words = rows.map((row) => row.textContent.toLowerCase());
  const tiers = rows.map((row) => Number(row.dataset.tier));
  const number = (n) => n.toLocaleString('en-US');
  let waiting = false;

  function narrow() {
    waiting = false;
    const wanted = text.value.toLowerCase().split(/\\s+/).filter(Boolean);
    const least = Number(tier.value);
    let shown = 0;
    rows.forEach((row, i) => {
      const fits = tiers[i] >= least && wanted.every((word) => words[i].includes(word));
      if (row.hidden === fits) row.hidden = !fits;
      if (fits) shown += 1;
    });
    count.textContent = number(shown) + ' of ' + number(rows.length) + ' shown';
  }

  // Several keys between two frames are one pass over the rows.
  function soon() {
    if (waiting) return;
    waiting = true;
    requestAnimationFrame(narrow);
  }

  text.addEventListener('input', soon);
  tier.addEventListener('change', soon);
  document.body.classList.add('live');
  narrow();
})();
`;
