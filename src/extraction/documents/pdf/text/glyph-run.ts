import { gapOf } from './letter-spacing.ts';
import type { GlyphPosition, TextItem } from './text-item.ts';

// In heights of the text. A word space is about a quarter, and seldom more than one where lines are spaced out.
const SPACE = 0.2;
const WIDE = 1.5;
const BACKWARD = 0.5;
const RAISED = 0.5;
const PROSE_WORDS = 6;
/** Tolerance in page units: positions are sums of many numbers, and comparisons with a bound must not depend on the order of summation. */
const ROUNDING = 1e-6;

/** What precedes a run besides the gap: a space glyph, or one that the library would insert. */
export type PrecedingText = 'none' | 'seen' | 'drawn';

type Drawn = Pick<TextItem, 'str' | 'gaps' | 'meant'>;

export class GlyphRun {
  text: string;
  /** Of its blanks (see letter-spacing.ts); null: not known of all. */
  gaps: number[] | null;
  /** The replacement text; null: none. */
  meant: string | null;
  end: number;
  readonly start: number;
  readonly base: number;
  readonly turn: number;
  height: number;
  readonly rightToLeft: boolean;
  /** Tracked separately, because reading the end of a growing rope string would flatten it, at a cost proportional to its length. */
  #endsBlank: boolean;

  constructor({ str: text, gaps, meant }: Drawn, position: GlyphPosition, rightToLeft: boolean) {
    this.text = text;
    this.meant = meant ?? null;
    this.gaps = gaps === undefined || rightToLeft ? null : [...gaps];
    this.start = position.start;
    this.end = position.end;
    this.base = position.base;
    this.turn = position.turn;
    this.height = position.height;
    this.rightToLeft = rightToLeft;
    this.#endsBlank = text.endsWith(' ');
  }

  /** Also a little raised or lowered, as footnotes' numbers are. */
  isContinuedAt(position: GlyphPosition): boolean {
    const height = Math.max(this.height, position.height);
    return (
      position.turn === this.turn &&
      Math.abs(position.base - this.base) <= RAISED * height &&
      position.start >= this.end - BACKWARD * height
    );
  }

  append({ str: text, gaps, meant }: Drawn, position: GlyphPosition, before: PrecedingText): void {
    const height = Math.max(this.height, position.height);
    const between = gapText(this.end, position.start, height);
    const needed = between !== '' || (before !== 'none' && !this.#endsBlank && !text.startsWith(' '));
    if (needed) this.gaps?.push(gapOf((position.start - this.end) / height, before === 'drawn'));
    const blank = needed ? between || ' ' : '';
    if (meant !== undefined) this.meant ??= this.text;
    if (this.meant !== null) this.meant += blank + (meant ?? text);
    this.text += blank + text;
    if (gaps === undefined) this.gaps = null;
    else if (this.gaps !== null) for (const gap of gaps) this.gaps.push(gap);
    this.#endsBlank = text.endsWith(' ');
    this.end = Math.max(this.end, position.end);
    this.height = Math.max(this.height, position.height);
  }

  /** Bold letters are sometimes made by drawing twice. */
  repeats(other: GlyphRun): boolean {
    if (this.text !== other.text || this.meant !== other.meant) return false;
    return Math.abs(this.start - other.start) < BACKWARD * this.height;
  }

  overlaps(other: GlyphRun): boolean {
    const slack = SPACE * Math.min(this.height, other.height);
    return this.start < other.end - slack && other.start < this.end - slack;
  }

  get isProse(): boolean {
    return this.text.split(' ', PROSE_WORDS).length === PROSE_WORDS;
  }
}

/** The text for a gap between two runs: nothing, a space, or a tab as between columns. */
export function gapText(end: number, start: number, height: number): string {
  const gap = start - end - ROUNDING;
  if (gap > WIDE * height) return '\t';
  return gap > SPACE * height ? ' ' : '';
}
