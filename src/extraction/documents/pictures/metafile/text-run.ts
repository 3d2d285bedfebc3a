/** A text that was drawn in one go, from where to where. */
export interface TextRun {
  readonly text: string;
  /** Where it begins, in the units of its mapping. */
  readonly x: number;
  readonly y: number;
  /** Its width; null: unknown. */
  readonly advance: number | null;
  /** How high its letters are, about. */
  readonly em: number;
  /** Positions in different mappings can't be compared. */
  readonly mapping: number;
}

/** Of the height of letters. A blank is a quarter wide; what is cut by rounding is less. */
const SAME_LINE = 0.15;
const BLANK = 0.2;
const OVERLAP = -0.5;
const CELL = 2;
const MAX_LINE_LENGTH = 16 * 1024;

/** Texts are drawn by letter, word or cell: a run that continues where the last one ended is on the same line. */
export class RunLines {
  #line = '';
  #last: TextRun | null = null;

  /** The line that ended before this run, if one did. */
  *take(run: TextRun): Generator<string> {
    const between = this.#last === null ? null : joint(this.#last, run);
    const hasBlank = isBlank(run.text.at(0)) || isBlank(this.#last?.text.at(-1));
    this.#last = run;
    if (between === null || this.#line.length >= MAX_LINE_LENGTH) yield* this.end();
    else if (between !== ' ' || !hasBlank) this.#line += between;
    this.#line += run.text;
  }

  *end(): Generator<string> {
    const line = this.#line.trim();
    this.#line = '';
    if (line !== '') yield line;
  }
}

function isBlank(letter = ''): boolean {
  return letter.trim() === '';
}

/** The separator of two runs; null: a line end. */
function joint(last: TextRun, run: TextRun): string | null {
  const em = Math.max(last.em, run.em, 1);
  if (run.mapping !== last.mapping || !(Math.abs(run.y - last.y) <= SAME_LINE * em)) return null;
  const gap = (run.x - last.x - (last.advance ?? last.em * usualWidth(last.text))) / em;
  if (gap > CELL) return '\t';
  if (last.advance !== null) return gap < OVERLAP ? null : gap < BLANK ? '' : ' ';
  if (run.x <= last.x) return null;
  // A guess is good for a letter or a hyphen, not for a word.
  const isGuess = last.text.length > 1 && run.text.length > 1;
  return gap < BLANK && !isGuess ? '' : ' ';
}

const NARROW = /[\s.,:;'|!()[\]{}ijlftrI/-]/;
const WIDE = /[mwMW@%\u2e80-\uffff]/;

/** An estimate for letters without widths, relative to their height. */
function usualWidth(text: string): number {
  let width = 0;
  for (const letter of text) width += NARROW.test(letter) ? 0.28 : WIDE.test(letter) ? 0.85 : 0.55;
  return width;
}
