import { type GlyphRun, gapText } from './glyph-run.ts';
import { closeUp, gapOf } from './letter-spacing.ts';
import { letters } from './replacement-text.ts';

const SAME_LINE = 0.3;
const MAX_RUNS = 64;
/** Too many for any text: then it stays as it is. */
const UNKNOWN = [Number.NaN];

/** The text on one line of the page, as far as it belongs together. */
export class Row {
  readonly #runs: GlyphRun[];

  constructor(first: GlyphRun) {
    this.#runs = [first];
  }

  /** Returns false if the run is not on this line, or in another column of running text. */
  take(run: GlyphRun): boolean {
    const [first] = this.#runs;
    const near = SAME_LINE * Math.max(first!.height, run.height);
    if (run.turn !== first!.turn || !(Math.abs(run.base - first!.base) <= near)) return false;
    if (this.#runs.some((other) => other.repeats(run))) return true;
    if (this.#runs.length === MAX_RUNS) return false;
    if (this.#runs.some((other) => other.overlaps(run))) return false;
    if (run.isProse && this.#runs.some((other) => other.isProse)) return false;
    this.#runs.push(run);
    return true;
  }

  /** The drawn text, and its replacement text if that differs. */
  texts(): string[] {
    const text = this.#text(({ text }) => text);
    if (this.#runs.every(({ meant }) => meant === null)) return [text];
    const meant = this.#text((run) => run.meant ?? run.text);
    return letters(meant) === letters(text) || letters(meant) === '' ? [text] : [text, meant.trim()];
  }

  #text(of: (run: GlyphRun) => string): string {
    const [first] = this.#runs;
    if (this.#runs.length === 1) return closeUp(of(first!), first!.gaps ?? []);
    const ordered = this.#runs.toSorted((a, b) => a.start - b.start);
    if (ordered.every(({ rightToLeft }) => rightToLeft)) ordered.reverse();
    let text = of(ordered[0]!);
    const gaps = [...(ordered[0]!.gaps ?? UNKNOWN)];
    for (const [index, run] of ordered.slice(1).entries()) {
      const [left, right] = [ordered[index]!, run].toSorted((a, b) => a.start - b.start);
      const height = Math.max(left!.height, right!.height);
      text += (gapText(left!.end, right!.start, height) || ' ') + of(run);
      gaps.push(gapOf((right!.start - left!.end) / height, false));
      for (const gap of run.gaps ?? UNKNOWN) gaps.push(gap);
    }
    return closeUp(text, gaps);
  }
}
