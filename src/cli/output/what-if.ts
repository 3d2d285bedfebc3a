/** What other rules would change: totals before and after, and what can't be determined without reading. */
import type { ScanRow } from '../../scans/lifecycle/scan-store.ts';
import type { Totals } from '../../scans/whatif/totals.ts';
import { isComplete, type WhatIf } from '../../scans/whatif/what-if.ts';
import { groupDigits, pluralize } from './quantities.ts';
import { table } from './table.ts';
import { heading, paint, type TerminalStyle } from './terminal-style.ts';
import { visible } from './visible.ts';

export interface WhatIfResult {
  readonly scan: ScanRow;
  /** The rules file and packs, as given. */
  readonly rules: string;
  readonly changes: readonly string[];
  readonly answer: WhatIf;
}

export function renderWhatIf({ scan, rules, changes, answer }: WhatIfResult, style: TerminalStyle): string {
  const title = `Scan ${scan.id} of ${scan.source}, under ${visible(rules)} instead of ${scan.rules}`;
  const lines = changes.length > 0 ? changes : ['No difference between the rules.'];
  return [
    `${heading(title, style)}\n${lines.map((change) => `  ${change}\n`).join('')}\n`,
    sums(answer),
    changeTable('TYPE', findingsBy(answer.before), findingsBy(answer.after)),
    changeTable('POLICY, OBJECTS', answer.before.policies, answer.after.policies),
    `\n${pluralize(answer.changed, 'object')} would change.\n`,
    rereads(answer, style),
  ].join('');
}

function sums({ before, after }: WhatIf): string {
  const row = (name: string, of: (totals: Totals) => number) => [
    name,
    groupDigits(of(before)),
    groupDigits(of(after)),
    difference(of(after) - of(before)),
  ];
  return table(
    ['left', 'right', 'right', 'right'],
    [
      ['', 'BEFORE', 'AFTER', 'CHANGE'],
      row('findings', ({ findings }) => findings),
      row('objects with findings', ({ objects }) => objects),
      ...before.worstFirst.map(([tier]) => row(`  ${tier}`, ({ tiers }) => tiers[tier])),
      ...before.scores.map((_, n) => row(`  score ${scoreRange(n)}`, ({ scores }) => scores[n]!)).reverse(),
    ],
  );
}

function scoreRange(bar: number): string {
  return `${bar * 10}–${bar === 9 ? 100 : bar * 10 + 9}`;
}

function findingsBy({ types }: Totals): Record<string, number> {
  return Object.fromEntries(Object.entries(types).map(([name, { findings }]) => [name, findings]));
}

/** Only the rows that change. */
function changeTable(
  title: string,
  before: Readonly<Record<string, number>>,
  after: Readonly<Record<string, number>>,
): string {
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])].sort();
  const rows = names
    .map((name) => ({ name, was: before[name] ?? 0, is: after[name] ?? 0 }))
    .filter(({ was, is }) => was !== is)
    .map(({ name, was, is }) => [name, groupDigits(was), groupDigits(is), difference(is - was)]);
  if (rows.length === 0) return '';
  return `\n${table(['left', 'right', 'right', 'right'], [[title, 'BEFORE', 'AFTER', 'CHANGE'], ...rows])}`;
}

function difference(n: number): string {
  if (n === 0) return '';
  return n > 0 ? `+${groupDigits(n)}` : `−${groupDigits(-n)}`;
}

function rereads(answer: WhatIf, style: TerminalStyle): string {
  const { everything, unlisted, reasons, unknown, otherVersion } = answer.reread;
  const note = otherVersion
    ? 'The scan used another version of the detectors; a new scan may differ in more.\n'
    : '';
  if (isComplete(answer)) return `No object must be read again; the result is exact.\n${note}`;
  const lines = [
    ...everything.map((why) => `every object: ${why}`),
    ...unlisted.map((why) => `objects not listed: ${why}`),
    ...Object.entries(reasons).map(([why, objects]) => `${pluralize(objects, 'object')}: ${why}`),
    ...(unknown > 0
      ? [`${pluralize(unknown, 'object')} without findings: values below the old threshold were not stored`]
      : []),
  ];
  const title = paint(style, 'yellow', 'Must be read again');
  return `\n${title} (--objects lists them)\n${lines.map((line) => `  ${line}\n`).join('')}${note}`;
}
