/** What each detector has to say about a place. */
import type { MaskedClaim, MaskedOpinion, PlaceExplanation } from '../../scans/explain/explain-place.ts';
import { heading, type Look } from './look.ts';
import { counted } from './quantities.ts';
import { table } from './table.ts';
import { visible } from './visible.ts';

export function renderPlace(target: string, why: PlaceExplanation, look: Look): string {
  const { part, line, column, offset } = why;
  const where = `${visible(target)}${part === null ? '' : ` (${visible(part)})`}:${line}:${column}, byte ${offset}`;
  return `${heading(where, look)}\n\n${renderOpinions(why, look)}`;
}

export function renderOpinions({ shape, opinions, silent }: PlaceExplanation, look: Look): string {
  const rows = opinions.map((opinion) => [
    opinion.verdict,
    opinion.detector,
    opinion.value ? visible(opinion.value.masked) : '',
    reasonOf(opinion),
  ]);
  const anchors = opinions.filter(({ verdict }) => verdict !== 'needs a label');
  return [
    shape === '' ? 'Nothing but a blank stands there.\n' : `What stands there: ${visible(shape)}\n`,
    rows.length === 0 ? 'No detector has anything to stop at here.\n' : '',
    table(['left', 'left', 'left', 'left'], rows),
    anchors.length > 0 ? `\n${heading('Where they stopped', look)}\n${anchorTable(anchors)}` : '',
    `\n${counted(silent, 'other detector')} had nothing to look at.\n`,
  ].join('');
}

function anchorTable(opinions: readonly MaskedOpinion[]): string {
  return table(
    ['left', 'right', 'left'],
    opinions.map(({ detector, anchor }) => [`  ${detector}`, `byte ${anchor.offset}`, visible(anchor.text)]),
  );
}

function reasonOf({ verdict, value, refusals, to, words }: MaskedOpinion): string {
  if (verdict === 'refused') return `by its check: ${refusals.join(', ')}`;
  if (verdict === 'needs a label')
    return `none of its words stands before it or names its field: ${someOf(words)}`;
  const sure = value ? sureness(value) : '';
  return verdict === 'lost' ? `the bytes are taken by ${to}; ${sure}` : sure;
}

function sureness({ base, confidence, threshold, reasons, field, supports, denies }: MaskedClaim): string {
  const around = Math.round((confidence - base) * 100) / 100;
  const sum =
    around === 0 ? '' : ` (${base.toFixed(2)} ${around > 0 ? '+' : '−'} ${Math.abs(around).toFixed(2)})`;
  const witness = [
    ...(field === null ? [] : [`field ${visible(field)}`]),
    ...(supports === null ? [] : [`"${visible(supports)}" speaks for it`]),
    ...(denies === null ? [] : [`"${visible(denies)}" against it`]),
  ];
  return [`${confidence.toFixed(2)}${sum} of ${threshold.toFixed(2)}`, ...reasons, ...witness].join(', ');
}

const SHOWN = 5;

function someOf(words: readonly string[]): string {
  const more = words.length > SHOWN ? `, and ${words.length - SHOWN} more` : '';
  return `${words.slice(0, SHOWN).join(', ')}${more}`;
}
