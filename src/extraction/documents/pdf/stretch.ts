/** Text that was drawn in one go along a line: from where to where, in a system that is turned with it. */
export interface Place {
  readonly start: number;
  readonly end: number;
  /** How far up the line it stands on is. */
  readonly base: number;
  readonly height: number;
  /** In degrees. */
  readonly turn: number;
}

// In heights of the text. A word space is about a quarter, and seldom more than one where lines are spaced out.
const SPACE = 0.2;
const WIDE = 1.5;
const BACKWARD = 0.5;
const RAISED = 0.5;
const PROSE_WORDS = 6;

export class Stretch {
  text: string;
  end: number;
  readonly start: number;
  readonly base: number;
  readonly turn: number;
  height: number;
  readonly rightToLeft: boolean;

  constructor(text: string, place: Place, rightToLeft: boolean) {
    this.text = text;
    this.start = place.start;
    this.end = place.end;
    this.base = place.base;
    this.turn = place.turn;
    this.height = place.height;
    this.rightToLeft = rightToLeft;
  }

  /** Also a little raised or lowered, as footnotes' numbers are. */
  isContinuedAt(place: Place): boolean {
    const height = Math.max(this.height, place.height);
    return (
      place.turn === this.turn &&
      Math.abs(place.base - this.base) <= RAISED * height &&
      place.start >= this.end - BACKWARD * height
    );
  }

  append(text: string, place: Place, spaced: boolean): void {
    const between = gapText(this.end, place.start, Math.max(this.height, place.height));
    const needed = !this.text.endsWith(' ') && !text.startsWith(' ');
    this.text += (between !== '' ? between : spaced && needed ? ' ' : '') + text;
    this.end = Math.max(this.end, place.end);
    this.height = Math.max(this.height, place.height);
  }

  /** Bold letters are sometimes made by drawing twice. */
  repeats(other: Stretch): boolean {
    return this.text === other.text && Math.abs(this.start - other.start) < BACKWARD * this.height;
  }

  overlaps(other: Stretch): boolean {
    const slack = SPACE * Math.min(this.height, other.height);
    return this.start < other.end - slack && other.start < this.end - slack;
  }

  get isProse(): boolean {
    return this.text.split(' ', PROSE_WORDS).length === PROSE_WORDS;
  }
}

/** What is written for the paper between two pieces of text: nothing, a space, or a tab as between columns. */
export function gapText(end: number, start: number, height: number): string {
  const gap = start - end;
  if (gap > WIDE * height) return '\t';
  return gap > SPACE * height ? ' ' : '';
}
