/**
 * The drawn text of a marked part and its replacement text (see actual-text.ts) are usually equal, except that the latter has correct
 * spaces. If they differ, either may be correct, so both are yielded.
 */
import { gapOf } from './letter-spacing.ts';
import type { TextItem } from './text-item.ts';
import { type GlyphPosition, positionOf } from './text-item.ts';

const SAME_LINE = 0.5;
const VISIBLE = /[^\s-]/u;
/** Control characters, private use, and replacement characters. */
const UNKNOWN = /[\p{Cc}\p{Co}\ufffd\s]/gu;

/** `items`: of the part, in order. null: nothing is drawn in it. */
export function replacementItems(meant: string, items: readonly TextItem[]): readonly TextItem[] | null {
  // A hyphen at the end of a line often has an empty replacement text, but hyphens also occur inside of numbers.
  if (!VISIBLE.test(meant)) return items;
  const drawn = items.filter(isDrawn);
  if (drawn.length === 0) return null;
  const shown = drawn.map(({ str }) => str).join('');
  const isSame = letters(shown) === letters(meant);
  if (!isSame && shown.replace(UNKNOWN, '') !== '') return withMeaning(meant, items);
  const one = asOne(meant, drawn);
  if (one === null) return isSame ? items : withMeaning(meant, items);
  const before = items.slice(0, items.indexOf(drawn[0]!));
  return [...before, one, ...items.slice(items.indexOf(drawn.at(-1)!) + 1)];
}

/** The part of a text that must be equal for two texts to be considered the same. */
export function letters(text: string): string {
  return text.normalize('NFKC').replace(/[\s\u00ad]/g, '');
}

/** The first one means all of it. */
function withMeaning(meant: string, items: readonly TextItem[]): TextItem[] {
  const first = items.findIndex(isDrawn);
  return items.map((item, index) =>
    isDrawn(item) ? { ...item, meant: index === first ? meant : '' } : item,
  );
}

/** Returns null if it spans several lines. */
function asOne(str: string, drawn: readonly TextItem[]): TextItem | null {
  const [first] = drawn;
  const last = drawn.at(-1)!;
  const positions = drawn.map(positionOf);
  if (!positions.every((position) => isBeside(position, positions[0]!))) return null;
  if (drawn.some((item) => item.hasEOL && item !== last)) return null;
  let [start, end, leftmost] = [positions[0]!.start, positions[0]!.end, first!];
  for (const [index, position] of positions.entries()) {
    if (position.start < start) leftmost = drawn[index]!;
    start = Math.min(start, position.start);
    end = Math.max(end, position.end);
  }
  const gaps = str.match(/ /g)?.map(() => gapOf(0, true)) ?? [];
  return { ...leftmost, str, width: end - start, hasEOL: last.hasEOL, gaps };
}

function isBeside(position: GlyphPosition, first: GlyphPosition): boolean {
  return position.turn === first.turn && Math.abs(position.base - first.base) <= SAME_LINE * first.height;
}

function isDrawn({ str }: TextItem): boolean {
  return str.trim() !== '';
}
