import { isCellPath } from '../../../extraction/embedded-path.ts';
import { TIERS } from '../../../governance/tier.ts';
import type { Finding } from '../../../scans/results/finding.ts';
import { formatEmbeddedPath } from '../../../scans/results/finding-location.ts';
import { WORST_FIRST } from '../terminal-style.ts';
import { visible } from '../visible.ts';
import { html, type Markup } from './markup.ts';
import { path, pill } from './tables.ts';

/** Everything up to the first row; `end` of html.ts closes the elements opened here. */
export function findingsHead(): Markup {
  const tiers = WORST_FIRST.map((tier, i) => {
    const label = i === 0 ? `${tier} only` : `${tier} and worse`;
    return html`<option value="${TIERS.indexOf(tier)}">${tier === 'MINIMAL' ? 'all tiers' : label}</option>`;
  });
  return html`<section id="findings"><h2>Findings</h2>
<div class="tools"><label>Filter <input id="text" type="search" placeholder="type, path, field, value…" autocomplete="off" spellcheck="false"></label>
<label>Tier <select id="tier">${tiers.toReversed()}</select></label><output id="count" aria-live="polite"></output></div>
<div class="scroll list"><table class="findings"><thead><tr><th>Tier</th><th>Type</th><th>Masked value</th><th>Location</th>
<th class="number">Confidence</th><th>Reasons</th></tr></thead><tbody>
`;
}

export function findingRow(finding: Finding): Markup {
  const part = visible(formatEmbeddedPath(finding.part));
  const line =
    finding.part !== null && isCellPath(finding.part) ? '' : `line ${finding.line}, column ${finding.column}`;
  const field = finding.field === null ? '' : visible(finding.field);
  return html`<tr data-tier="${TIERS.indexOf(finding.tier)}"><td>${pill(finding.tier)}</td><td>${visible(finding.detector)}</td>
<td><code>${visible(finding.masked)}</code></td><td>${path(finding.key)}${part}<small>${[line, field === '' ? '' : `field ${field}`].filter((text) => text !== '').join(' · ')}</small></td>
<td class="number">${Math.round(finding.confidence * 100)} %</td><td class="why">${finding.reasons.map(visible).join(', ')}</td></tr>
`;
}
