/** A comparison as text and as JSON. */
import { displayKey } from '../../base/key.ts';
import {
  CAUSES,
  type Change,
  type Difference,
  type FindingLocation,
  type Summary,
} from '../../scans/comparing/difference.ts';
import { type Causes, type Totals, totalsOf } from '../../scans/comparing/totals.ts';
import { keyJson, roundConfidence } from '../../scans/results/finding-json.ts';
import { groupDigits, pluralize } from './quantities.ts';
import { paint, type TerminalStyle } from './terminal-style.ts';
import { visible } from './visible.ts';

export const FAIL_ON = ['new', 'gone', 'moved', 'any'] as const;

/** Whether there is a change of the kind given with --fail-on. */
export function changeOf(failOn: string | undefined, totals: Totals): boolean {
  if (failOn === undefined) return false;
  if (failOn === 'any') return totals.new + totals.gone + totals.moved > 0;
  return totals[failOn as Change] > 0;
}

export function summaryText(summary: Summary, causes: Causes | null): string {
  const totals = totalsOf(summary);
  const lines = [
    `${groupDigits(totals.new)} new, ${groupDigits(totals.gone)} gone, ${groupDigits(totals.moved)} moved, ${groupDigits(totals.unchanged)} unchanged`,
  ];
  for (const change of ['new', 'gone'] as const) {
    const parts = causes === null ? [] : CAUSES.filter((cause) => causes[change][cause] > 0);
    if (parts.length > 0)
      lines.push(
        `${change}: ${parts.map((cause) => `${groupDigits(causes![change][cause])} ${BY[cause]}`).join(', ')}`,
      );
  }
  if (summary.counted > 0)
    lines.push(
      `Only counts were compared for ${pluralize(summary.counted, 'object and type', 'objects and types')} with more findings than are kept.`,
    );
  return lines.map((line) => `  ${line}\n`).join('');
}

const BY = {
  data: 'because the data changed',
  rules: 'because the rules changed',
  suppressions: 'because of suppressions',
  'not read': 'because the object was not fully read in one of the scans',
} as const;

const SIGNS: Readonly<Record<Change, string>> = { new: '+', gone: '-', moved: '>' };
const COLORS = { new: 'red', gone: 'cyan', moved: 'gray' } as const;

export function differenceLine(difference: Difference, style: TerminalStyle): string {
  const { change, cause, detector, count, before, after, masked, fingerprint } = difference;
  const arrow = style.unicode ? ' → ' : ' -> ';
  const places = [before, after].filter((place) => place !== null).map(positionText);
  const what = fingerprint === null ? `(${pluralize(count, 'finding')}, by count)` : visible(masked ?? '');
  const handle = after?.handle ?? before?.handle;
  return [
    paint(style, COLORS[change], `${SIGNS[change]} ${change.padEnd(5)}`),
    (cause ?? '').padEnd(12),
    detector.padEnd(18),
    places.join(arrow),
    what,
    ...(handle ? [paint(style, 'gray', handle)] : []),
  ]
    .filter((cell) => cell !== '')
    .join('  ');
}

function positionText({ key, part, line }: FindingLocation): string {
  const inside = part === null ? '' : `!${visible(part)}`;
  return `${displayKey(key)}${inside}${line === null ? '' : `:${line}`}`;
}

export function differenceJson({ before, after, ...rest }: Difference): Record<string, unknown> {
  const confidence = rest.confidence === null ? null : roundConfidence(rest.confidence);
  return { ...rest, confidence, before: before && positionJson(before), after: after && positionJson(after) };
}

function positionJson({ key, ...place }: FindingLocation): Record<string, unknown> {
  return { ...keyJson(key), ...place };
}
