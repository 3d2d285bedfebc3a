import type { Report } from '../../scans/report.ts';
import { chips, path } from './html-tables.ts';
import { html, type Markup, NOTHING } from './markup.ts';
import { grouped } from './quantities.ts';
import { visible } from './visible.ts';

export function policyTable({ policies }: Report): Markup {
  if (policies.length === 0) return NOTHING;
  const rows = policies.map(
    ({ policy, title, objects, because, worst }) => html`<tr><td><strong>${visible(policy)}</strong></td>
<td>${visible(title)}</td><td class="number">${grouped(objects)}</td><td>${chips(because)}</td>
<td>${worst.map(({ key }) => html`<div class="sample">${path(key)}</div>`)}</td></tr>`,
  );
  return html`<section><h2>Policies</h2><div class="scroll"><table class="policies"><thead><tr>
<th>Policy</th><th>What it is about</th><th class="number">Objects</th><th>Because of</th><th>Worst objects</th>
</tr></thead><tbody>${rows}</tbody></table></div></section>`;
}
