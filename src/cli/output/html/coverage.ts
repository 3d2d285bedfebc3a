import type { Report } from '../../../scans/results/report.ts';
import {
  type Coverage,
  coverageLine,
  coverageOf,
  isGap,
  MEANINGS,
  MIXED_VERSIONS,
  OUTCOMES,
  reasonOf,
} from '../coverage.ts';
import { groupDigits, humanBytes } from '../quantities.ts';
import { html, type Markup, NOTHING } from './markup.ts';
import { widthClass } from './style.ts';

/** The coverage. Outcomes that are not fully read are hatched, so that they are not mistaken for harmless ones. */
export function coverageSection(report: Report): Markup {
  const coverage = coverageOf(report.ledger);
  return html`<section><h2>Coverage</h2><p>${coverageLine(coverage)}.</p>
${report.scan.mixedVersions ? html`<p>${MIXED_VERSIONS}</p>` : NOTHING}${coverageBar(coverage)}
<div class="scroll"><table class="coverage"><thead><tr><th>Outcome</th><th>Reason</th><th class="number">Objects</th>
<th class="number">Size</th></tr></thead><tbody>${outcomeRows(coverage)}</tbody>
<tfoot><tr><td>Total</td><td></td><td class="number">${groupDigits(coverage.objects)}</td>
<td class="number">${humanBytes(coverage.bytes)}</td></tr></tfoot></table></div></section>`;
}

function coverageBar(coverage: Coverage): Markup {
  if (coverage.objects === 0) return NOTHING;
  const pieces = OUTCOMES.filter((outcome) => coverage.byOutcome[outcome].objects > 0).map((outcome) => {
    const share = coverage.byOutcome[outcome].objects / coverage.objects;
    return html`<i class="${outcome} ${widthClass(share)}"></i>`;
  });
  return html`<div class="bar" aria-hidden="true">${pieces}</div>`;
}

/** The rows sum up to the total: an outcome that is a gap has a row for each reason, any other has one row. */
function outcomeRows(coverage: Coverage): Markup[] {
  return OUTCOMES.flatMap((outcome) => {
    const whole = { why: MEANINGS[outcome], ...coverage.byOutcome[outcome] };
    const reasons = coverage.gaps
      .filter((line) => line.outcome === outcome)
      .map((line) => ({ why: reasonOf(line), objects: line.objects, bytes: line.bytes }));
    const lines = isGap(outcome) ? reasons : [whole];
    return lines
      .filter(({ objects }) => objects > 0)
      .map(
        ({
          why,
          objects,
          bytes,
        }) => html`<tr><td><span class="outcome"><i class="swatch ${outcome}"></i>${outcome}</span></td><td>${why}</td>
<td class="number">${groupDigits(objects)}</td><td class="number">${humanBytes(bytes)}</td></tr>`,
      );
  });
}
