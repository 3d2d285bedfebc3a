import type { Report } from '../../scans/report.ts';
import { baselineText, coverageOf, suppressedText, totalFindings } from './coverage.ts';
import { widthClass } from './html-style.ts';
import { WORST_FIRST } from './look.ts';
import { html, type Markup, NOTHING } from './markup.ts';
import { counted, grouped, humanBytes, humanSeconds, threeDigits } from './quantities.ts';
import { statusOf } from './status.ts';
import { visible } from './visible.ts';

export function header(report: Report): Markup {
  const { scan } = report;
  const { word, warning } = statusOf(report);
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
    findings > 0 ? `of ${counted(report.types.length, 'type')}` : 'in what was read',
    ...(report.baseline ? [baselineText(report.baseline)] : []),
    ...(report.suppressed.findings > 0 ? [suppressedText(report.suppressed)] : []),
  ].join('; ');
  const unread = coverage.notRead > 0 ? 'see the reasons below' : 'every object was read to the end';
  const speed = seconds > 0 ? `${threeDigits(read / seconds / 1e6)} MB/s` : humanBytes(read);
  return html`<section class="cards" aria-label="Summary">
${card('Findings', grouped(findings), kinds)}
${card('High or critical', grouped(severe), severe === 1 ? 'object' : 'objects', severe > 0 ? 'bad' : '')}
${card('Objects', grouped(coverage.objects), humanBytes(coverage.bytes))}
${card('Not read to the end', grouped(coverage.notRead), unread, coverage.notRead > 0 ? 'hatched' : '')}
${card('Time', humanSeconds(seconds), speed)}
</section>
${tierBar(report)}`;
}

function card(label: string, value: string, more: string, look = ''): Markup {
  return html`<div class="card ${look}"><p>${label}</p><strong>${value}</strong><small>${more}</small></div>`;
}

/** One bar for all objects with a tier; every tier is named with its count below, whether or not it has a colour. */
function tierBar({ tiers }: Report): Markup {
  const all = Object.values(tiers).reduce((sum, count) => sum + count, 0);
  if (all === 0) return NOTHING;
  const pieces = WORST_FIRST.filter((tier) => tiers[tier] > 0).map(
    (tier) => html`<i class="${tier} ${widthClass(tiers[tier] / all)}"></i>`,
  );
  const names = WORST_FIRST.map(
    (tier) => html`<li><span class="tier ${tier}">${tier}</span> ${grouped(tiers[tier])}</li>`,
  );
  return html`<section><h2>Objects by risk</h2>
<div class="bar" aria-hidden="true">${pieces}</div><ul class="legend">${names}</ul></section>`;
}

function sentence(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}
