import { displayKey, type Key } from '../../../base/key.ts';
import type { Tier } from '../../../governance/tier.ts';
import { formatLocation } from '../../../scans/results/finding-location.ts';
import type { Report, TypeRisk } from '../../../scans/results/report.ts';
import { groupDigits, humanBytes } from '../quantities.ts';
import { visible } from '../visible.ts';
import { html, type Markup, NOTHING } from './markup.ts';
import { widthClass } from './style.ts';

const MAX_OBJECTS = 50;
const MAX_FOLDERS = 20;

export function objectTable(report: Report): Markup {
  if (report.objects.length === 0) return NOTHING;
  const rows = report.objects.slice(0, MAX_OBJECTS).map(
    (object) => html`<tr><td class="number">${score(object.score)}</td><td>${pill(object.tier)}</td>
<td>${path(object.key)}</td><td>${chips(object.counts)}</td><td class="number">${humanBytes(object.size)}</td>
<td class="date">${object.modified?.toISOString().slice(0, 10) ?? ''}</td></tr>`,
  );
  return html`<section><h2>Worst objects</h2><div class="scroll"><table class="objects"><thead><tr>
<th class="number">Score</th><th>Tier</th><th>Object</th><th>Findings</th><th class="number">Size</th><th>Modified</th>
</tr></thead><tbody>${rows}</tbody></table></div></section>`;
}

export function folderTable(report: Report): Markup {
  if (report.folders.length === 0) return NOTHING;
  const rows = report.folders.slice(0, MAX_FOLDERS).map(
    (folder) => html`<tr><td class="number">${score(folder.worst)}</td><td>${pill(folder.tier)}</td>
<td><bdi class="path">${folder.folder === '' ? '(top)' : visible(folder.folder)}</bdi></td>
<td class="number">${groupDigits(folder.findings)}</td><td class="number">${groupDigits(folder.objects)}</td></tr>`,
  );
  return html`<section><h2>Worst folders</h2><div class="scroll"><table class="folders"><thead><tr>
<th class="number">Worst</th><th>Tier</th><th>Folder</th><th class="number">Findings</th><th class="number">Objects</th>
</tr></thead><tbody>${rows}</tbody></table></div></section>`;
}

export function typeTable(report: Report): Markup {
  if (report.types.length === 0) return NOTHING;
  const max = Math.max(...report.types.map(({ findings }) => findings));
  const rows = report.types.map((type) => typeRow(type, max));
  return html`<section><h2>Findings by type</h2><div class="scroll"><table class="types"><thead><tr>
<th>Type</th><th>Category</th><th class="number">Findings</th><th class="gauge"></th><th class="number">Objects</th><th>Examples</th>
</tr></thead><tbody>${rows}</tbody></table></div></section>`;
}

function typeRow(type: TypeRisk, max: number): Markup {
  const samples = type.samples.map(
    ({ masked, key, part, line }) =>
      html`<div class="sample"><code>${visible(masked)}</code> <span>${path(key)}${visible(formatLocation({ part, line }))}</span></div>`,
  );
  return html`<tr><td><strong>${visible(type.detector)}</strong></td><td>${visible(type.category).replaceAll('_', ' ')}</td>
<td class="number">${groupDigits(type.findings)}</td>
<td class="gauge"><div class="bar thin"><i class="plain ${widthClass(type.findings / max)}"></i><i class="${widthClass(1 - type.findings / max)}"></i></div></td>
<td class="number">${groupDigits(type.objects)}</td><td>${samples}</td></tr>`;
}

export function pill(tier: Tier): Markup {
  return html`<span class="tier ${tier}">${tier}</span>`;
}

/** In a `<bdi>` element: a name in a right-to-left script must not reorder the text around it. */
export function path(key: Key): Markup {
  return html`<bdi class="path">${displayKey(key)}</bdi>`;
}

function score(value: number): Markup {
  return html`<strong>${groupDigits(value)}</strong>`;
}

export function chips(counts: Readonly<Record<string, number>>): Markup {
  const sorted = Object.entries(counts).toSorted(([, a], [, b]) => b - a);
  return html`${sorted.map(([type, count]) => html`<span class="chip"><b>${groupDigits(count)}</b> ${visible(type)}</span> `)}`;
}

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
