/**
 * Joins letters with wide spacing. Some lines have wide gaps between letters, or each letter is placed separately, as in the boxes of a
 * form. Each gap then looks like a space, so that no value is whole. Such letters are recognised by their gaps, which are nearly equal,
 * while gaps between words are wider or contain a space glyph.
 */

// In heights of the text.
/** Spaces between words are never that narrow. */
const TIGHT = 0.2;
/** Spaces between words are seldom wider: letters that far apart are in boxes, and there are many of them. */
const LOOSE = 0.6;
const MAX_LOOSE = 1.5;
const UNEVEN = 0.06;
/** Letters are moved together by less, as those of "To". */
const KERNED = 0.25;
/** Of the usual gap. */
const WIDER = 1.4;

const MIN_TIGHT_GAPS = 4;
const MIN_LETTERS = 5;
const MIN_BOXES = 8;
const MAX_MEAN = 2.5;
/** Two letters may touch where a font draws them together. */
const MAX_LETTER_LENGTH = 2;
const MAX_PAIRS = 0.2;
const MIN_USUAL_GAP = 0.6;
const LETTER = /[\p{L}\p{N}]/u;
/** Ligatures, which fonts draw as one glyph, and what is one character. */
const IN_ONE = /^(?:f[fijlt]|t[ti]|Th|[cs]t|ij|IJ|.\p{M}?)$/u;
const [TAB, SPACE] = [0x09, 0x20];

/** In text heights. Negative if a space glyph is in it, which always separates words. */
export function gapOf(width: number, isDrawn: boolean): number {
  return isDrawn ? -Math.max(width, TIGHT) : Math.max(width, 0);
}

/** `gaps`: of all blanks of the text, in order; NaN: unknown. */
export function closeUp(text: string, gaps: readonly number[]): string {
  if (gaps.length < MIN_TIGHT_GAPS - 1) return text;
  const tight = tightGaps(gaps) >= MIN_TIGHT_GAPS - 1;
  if (!tight && !hasLettersApart(text)) return text;
  const words = text.split(/[ \t]/);
  if (words.length !== gaps.length + 1) return text;
  const line = new SpacedLine(words, gaps);
  line.closeWide();
  if (tight) line.closeTight();
  return line.text(text);
}

function tightGaps(gaps: readonly number[]): number {
  let count = 0;
  for (const gap of gaps) if (gap >= 0 && gap <= TIGHT) count++;
  return count;
}

/** Rejects most lines; must take linear time. */
function hasLettersApart(text: string): boolean {
  let letters = 0;
  let start = 0;
  for (let at = 0; at <= text.length; at++) {
    const code = at === text.length ? SPACE : text.charCodeAt(at);
    if (code !== SPACE && code !== TAB) continue;
    const length = at - start;
    letters = length > 0 && length <= MAX_LETTER_LENGTH ? letters + 1 : 0;
    if (letters === MIN_LETTERS) return true;
    start = at + 1;
  }
  return false;
}

class SpacedLine {
  readonly #words: readonly string[];
  readonly #gaps: readonly number[];
  /** What is written for a gap instead of its blank. */
  readonly #instead = new Map<number, string>();

  constructor(words: readonly string[], gaps: readonly number[]) {
    this.#words = words;
    this.#gaps = gaps;
  }

  /** Of letters that are all apart. */
  closeWide(): void {
    const words = this.#words;
    for (let from = 0; from < words.length; from++) {
      let to = from;
      while (to < words.length && isLetter(words[to]!)) to++;
      if (to - from >= MIN_LETTERS && !this.#isLeader(from, to)) this.#closeRun(from, to);
      from = to;
    }
  }

  /** Where the gap is about as wide as what counts as a space, some letters are together and others apart. */
  closeTight(): void {
    const runs = this.#tightRuns();
    // Short words are known by longer ones: two letters alone may be all there is in two columns.
    if (!runs.some(([from, to]) => to - from >= MIN_TIGHT_GAPS)) return;
    for (const [from, to] of runs) for (let gap = from; gap < to - 1; gap++) this.#instead.set(gap, '');
  }

  /** Words `[from, to)` of each. */
  #tightRuns(): [from: number, to: number][] {
    const runs: [number, number][] = [];
    const gaps = this.#gaps;
    for (let from = 0; from < gaps.length; from++) {
      let to = from;
      let length = this.#words[from]!.length;
      for (; gaps[to]! >= 0 && gaps[to]! <= TIGHT; to++) length += this.#words[to + 1]!.length;
      const words = to - from + 1;
      if (words > 1 && length <= words * MAX_MEAN && !this.#isLeader(from, to + 1)) runs.push([from, to + 1]);
      from = to;
    }
    return runs;
  }

  /** `before`: the text as it was. */
  text(before: string): string {
    if (this.#instead.size === 0) return before;
    let text = '';
    let at = 0;
    for (const [index, word] of this.#words.entries()) {
      text += word;
      at += word.length;
      if (at < before.length) text += this.#instead.get(index) ?? before[at];
      at++;
    }
    return text;
  }

  /** Dots that lead from a title to its page belong to neither. */
  #isLeader(from: number, to: number): boolean {
    const letters = this.#words.slice(from, to).filter((word) => LETTER.test(word)).length;
    return letters * 2 < to - from;
  }

  /** Words `[from, to)`. */
  #closeRun(from: number, to: number): void {
    const gaps = this.#gaps.slice(from, to - 1);
    const known = gaps.filter((gap) => gap >= 0).sort((a, b) => a - b);
    const usual = known[known.length >> 1] ?? Number.NaN;
    const max = usual * WIDER + UNEVEN;
    const letters = known.filter((gap) => gap <= max).length;
    const pairs = this.#words.slice(from, to).filter((word) => word.length > 1).length;
    if (letters < MIN_LETTERS - 1 || letters < known.length * MIN_USUAL_GAP) return;
    if (pairs > (to - from) * MAX_PAIRS || known.length * 2 < gaps.length) return;
    if (!(usual <= (to - from >= MIN_BOXES ? MAX_LOOSE : LOOSE))) return;
    // Two that touch where all others are far apart are a word or a number, and so are the others, each in its column.
    if (usual > KERNED && !this.#words.slice(from, to).every((word) => IN_ONE.test(word))) return;
    // Short words among others are as far from them as from each other.
    const isUsual = (gap: number) => gap >= 0 && gap <= max;
    if (isUsual(this.#gaps[from - 1]!) || isUsual(this.#gaps[to - 1]!)) return;
    for (const [index, gap] of gaps.entries()) {
      const isColumn = Math.abs(gap) - usual > MAX_LOOSE;
      this.#instead.set(from + index, isUsual(gap) ? '' : isColumn ? '\t' : ' ');
    }
  }
}

function isLetter(word: string): boolean {
  return word.length > 0 && word.length <= MAX_LETTER_LENGTH;
}
