import type { Report } from '../../../scans/results/report.ts';
import { baselineText, coverageOf, suppressedText, totalFindings } from '../coverage.ts';
import { groupDigits, humanBytes, humanSeconds, pluralize, threeDigits } from '../quantities.ts';
import { statusText } from '../status-text.ts';
import { WORST_FIRST } from '../terminal-style.ts';
import { visible } from '../visible.ts';
import { html, type Markup, NOTHING } from './markup.ts';
import { widthClass } from './style.ts';

export function header(report: Report): Markup {
  const { scan } = report;
  const { word, warning } = statusText(report);
  const time = scan.createdAt.toISOString();
  return html`<header>
<p class="brand">Seine <span>sensitive data report</span></p>
<h1><bdi>${visible(scan.source)}</bdi></h1>
<p class="meta">Scan <code>${visible(scan.id)}</code> · ${scan.status} · rules ${visible(scan.rules)} ·
<time datetime="${time}">${time.slice(0, 16).replace('T', ' ')} UTC</time></p>
${warning === null ? NOTHING : html`<p class="warning" role="alert"><strong>${sentence(word)}:</strong> ${warning}</p>`}
</header>`;
}

export function summary(report: Report): Markup {
  const coverage = coverageOf(report.ledger);
  const findings = totalFindings(report);
  const { seconds } = report.scan;
  const read = coverage.byOutcome.scanned.bytes + coverage.byOutcome.partial.bytes;
  const severe = report.tiers.CRITICAL + report.tiers.HIGH;
  const kinds = [
    findings > 0 ? `of ${pluralize(report.types.length, 'type')}` : 'in the objects read',
    ...(report.baseline ? [baselineText(report.baseline)] : []),
    ...(report.suppressed.findings > 0 ? [suppressedText(report.suppressed)] : []),
  ].join('; ');
  const unread = coverage.notRead > 0 ? 'reasons below' : 'every object was fully read';
  const speed = seconds > 0 ? `${threeDigits(read / seconds / 1e6)} MB/s` : humanBytes(read);
  return html`<section class="cards" aria-label="Summary">
${card('Findings', groupDigits(findings), kinds)}
${card('High or critical', groupDigits(severe), severe === 1 ? 'object' : 'objects', severe > 0 ? 'bad' : '')}
${card('Objects', groupDigits(coverage.objects), humanBytes(coverage.bytes))}
${card('Not fully read', groupDigits(coverage.notRead), unread, coverage.notRead > 0 ? 'hatched' : '')}
${card('Time', humanSeconds(seconds), speed)}
</section>
${tierBar(report)}`;
}

function card(label: string, value: string, more: string, className = ''): Markup {
  return html`<div class="card ${className}"><p>${label}</p><strong>${value}</strong><small>${more}</small></div>`;
}

/** One bar for all objects with a tier; the legend lists every tier with its count, including empty ones. */
function tierBar({ tiers }: Report): Markup {
  const all = Object.values(tiers).reduce((sum, count) => sum + count, 0);
  if (all === 0) return NOTHING;
  const pieces = WORST_FIRST.filter((tier) => tiers[tier] > 0).map(
    (tier) => html`<i class="${tier} ${widthClass(tiers[tier] / all)}"></i>`,
  );
  const names = WORST_FIRST.map(
    (tier) => html`<li><span class="tier ${tier}">${tier}</span> ${groupDigits(tiers[tier])}</li>`,
  );
  return html`<section><h2>Objects by risk</h2>
<div class="bar" aria-hidden="true">${pieces}</div><ul class="legend">${names}</ul></section>`;
}

function sentence(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}
