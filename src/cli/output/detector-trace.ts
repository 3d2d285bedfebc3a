/** What each detector found or rejected at a position. */
import type { MaskedMatch, MaskedTrace, PositionExplanation } from '../../scans/explain/explain-position.ts';
import { pluralize } from './quantities.ts';
import { table } from './table.ts';
import { heading, type TerminalStyle } from './terminal-style.ts';
import { visible } from './visible.ts';

export function renderPosition(target: string, why: PositionExplanation, style: TerminalStyle): string {
  const { part, line, column, offset } = why;
  const where = `${visible(target)}${part === null ? '' : ` (${visible(part)})`}:${line}:${column}, byte ${offset}`;
  return `${heading(where, style)}\n\n${renderDetectorTrace(why, style)}`;
}

export function renderDetectorTrace(
  { shape, opinions, silent }: PositionExplanation,
  style: TerminalStyle,
): string {
  const rows = opinions.map((opinion) => [
    opinion.verdict,
    opinion.detector,
    opinion.value ? visible(opinion.value.masked) : '',
    reasonOf(opinion),
  ]);
  const anchors = opinions.filter(({ verdict }) => verdict !== 'needs a label');
  return [
    shape === '' ? 'No text at this position.\n' : `Text at this position: ${visible(shape)}\n`,
    rows.length === 0 ? 'No detector has a candidate here.\n' : '',
    table(['left', 'left', 'left', 'left'], rows),
    anchors.length > 0 ? `\n${heading('Candidates', style)}\n${prefilterTable(anchors)}` : '',
    `\n${pluralize(silent, 'other detector')} had no candidate here.\n`,
  ].join('');
}

function prefilterTable(opinions: readonly MaskedTrace[]): string {
  return table(
    ['left', 'right', 'left'],
    opinions.map(({ detector, anchor }) => [`  ${detector}`, `byte ${anchor.offset}`, visible(anchor.text)]),
  );
}

function reasonOf({ verdict, value, refusals, to, words }: MaskedTrace): string {
  if (verdict === 'refused') return `failed check: ${refusals.join(', ')}`;
  if (verdict === 'needs a label') return `no context word: ${firstWords(words)}`;
  const sure = value ? confidenceText(value) : '';
  return verdict === 'lost' ? `overlapped by ${to}; ${sure}` : sure;
}

function confidenceText({
  base,
  confidence,
  threshold,
  reasons,
  field,
  supports,
  denies,
}: MaskedMatch): string {
  const adjustment = Math.round((confidence - base) * 100) / 100;
  const sum =
    adjustment === 0
      ? ''
      : ` (${base.toFixed(2)} ${adjustment > 0 ? '+' : '−'} ${Math.abs(adjustment).toFixed(2)})`;
  const context = [
    ...(field === null ? [] : [`field ${visible(field)}`]),
    ...(supports === null ? [] : [`positive context "${visible(supports)}"`]),
    ...(denies === null ? [] : [`negative context "${visible(denies)}"`]),
  ];
  return [`${confidence.toFixed(2)}${sum} of ${threshold.toFixed(2)}`, ...reasons, ...context].join(', ');
}

const MAX_WORDS = 5;

function firstWords(words: readonly string[]): string {
  const more = words.length > MAX_WORDS ? `, and ${words.length - MAX_WORDS} more` : '';
  return `${words.slice(0, MAX_WORDS).join(', ')}${more}`;
}
