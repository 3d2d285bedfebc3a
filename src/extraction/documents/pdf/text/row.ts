import { type GlyphRun, gapText } from './glyph-run.ts';
import { closeUp, gapOf } from './letter-spacing.ts';
import { letters } from './replacement-text.ts';

const SAME_LINE = 0.3;
const MAX_STRETCHES = 64;
/** Too many for any text: then it stays as it is. */
const UNKNOWN = [Number.NaN];

/** The text on one line of the page, as far as it belongs together. */
export class Row {
  readonly #runs: GlyphRun[];

  constructor(first: GlyphRun) {
    this.#runs = [first];
  }

  /** Returns false if the run is not on this line, or in another column of running text. */
  take(window: GlyphRun): boolean {
    const [first] = this.#runs;
    const near = SAME_LINE * Math.max(first!.height, window.height);
    if (window.turn !== first!.turn || !(Math.abs(window.base - first!.base) <= near)) return false;
    if (this.#runs.some((other) => other.repeats(window))) return true;
    if (this.#runs.length === MAX_STRETCHES) return false;
    if (this.#runs.some((other) => other.overlaps(window))) return false;
    if (window.isProse && this.#runs.some((other) => other.isProse)) return false;
    this.#runs.push(window);
    return true;
  }

  /** The drawn text, and its replacement text if that differs. */
  texts(): string[] {
    const text = this.#text(({ text }) => text);
    if (this.#runs.every(({ meant }) => meant === null)) return [text];
    const meant = this.#text((window) => window.meant ?? window.text);
    return letters(meant) === letters(text) || letters(meant) === '' ? [text] : [text, meant.trim()];
  }

  #text(of: (window: GlyphRun) => string): string {
    const [first] = this.#runs;
    if (this.#runs.length === 1) return closeUp(of(first!), first!.gaps ?? []);
    const ordered = this.#runs.toSorted((a, b) => a.start - b.start);
    if (ordered.every(({ rightToLeft }) => rightToLeft)) ordered.reverse();
    let text = of(ordered[0]!);
    const gaps = [...(ordered[0]!.gaps ?? UNKNOWN)];
    for (const [index, window] of ordered.slice(1).entries()) {
      const [left, right] = [ordered[index]!, window].toSorted((a, b) => a.start - b.start);
      const height = Math.max(left!.height, right!.height);
      text += (gapText(left!.end, right!.start, height) || ' ') + of(window);
      gaps.push(gapOf((right!.start - left!.end) / height, false));
      for (const gap of window.gaps ?? UNKNOWN) gaps.push(gap);
    }
    return closeUp(text, gaps);
  }
}
