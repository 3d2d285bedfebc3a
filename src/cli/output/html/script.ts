/** Runs in the page and only filters the list. Without it the page is complete but cannot be filtered. */
export const SCRIPT = `'use strict';
(() => {
  const text = document.getElementById('text');
  const tier = document.getElementById('tier');
  const count = document.getElementById('count');
  const rows = [...document.querySelectorAll('#findings tbody tr')];
  const words = rows.map((row) => row.textContent.toLowerCase());
  const tiers = rows.map((row) => Number(row.dataset.tier));
  const number = (n) => n.toLocaleString('en-US');
  let scheduled = false;

  function filter() {
    scheduled = false;
    const wanted = text.value.toLowerCase().split(/\\s+/).filter(Boolean);
    const minTier = Number(tier.value);
    let shown = 0;
    rows.forEach((row, i) => {
      const fits = tiers[i] >= minTier && wanted.every((word) => words[i].includes(word));
      if (row.hidden === fits) row.hidden = !fits;
      if (fits) shown += 1;
    });
    count.textContent = number(shown) + ' of ' + number(rows.length) + ' shown';
  }

  // Key presses within one frame share one pass over the rows.
  function schedule() {
    if (scheduled) return;
    scheduled = true;
    requestAnimationFrame(filter);
  }

  text.addEventListener('input', schedule);
  tier.addEventListener('change', schedule);
  document.body.classList.add('live');
  filter();
})();
`;
