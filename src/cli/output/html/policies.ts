import type { Report } from '../../../scans/results/report.ts';
import { groupDigits } from '../quantities.ts';
import { visible } from '../visible.ts';
import { html, type Markup, NOTHING } from './markup.ts';
import { chips, path } from './tables.ts';

export function policyTable({ policies }: Report): Markup {
  if (policies.length === 0) return NOTHING;
  const rows = policies.map(
    ({ policy, title, objects, because, worst }) => html`<tr><td><strong>${visible(policy)}</strong></td>
<td>${visible(title)}</td><td class="number">${groupDigits(objects)}</td><td>${chips(because)}</td>
<td>${worst.map(({ key }) => html`<div class="sample">${path(key)}</div>`)}</td></tr>`,
  );
  return html`<section><h2>Policies</h2><div class="scroll"><table class="policies"><thead><tr>
<th>Policy</th><th>Title</th><th class="number">Objects</th><th>Findings</th><th>Worst objects</th>
</tr></thead><tbody>${rows}</tbody></table></div></section>`;
}
