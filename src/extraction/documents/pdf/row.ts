import { closeUp, gapOf } from './letter-spacing.ts';
import { letters } from './meant-text.ts';
import { gapText, type Stretch } from './stretch.ts';

const SAME_LINE = 0.3;
const MOST_STRETCHES = 64;
/** Too many for any text: then it stays as it is. */
const UNKNOWN = [Number.NaN];

/** Everything that stands on one line of the paper, as far as it belongs together. */
export class Row {
  readonly #stretches: Stretch[];

  constructor(first: Stretch) {
    this.#stretches = [first];
  }

  /** False: it is not of this line, or stands in another column of running text. */
  take(stretch: Stretch): boolean {
    const [first] = this.#stretches;
    const near = SAME_LINE * Math.max(first!.height, stretch.height);
    if (stretch.turn !== first!.turn || !(Math.abs(stretch.base - first!.base) <= near)) return false;
    if (this.#stretches.some((other) => other.repeats(stretch))) return true;
    if (this.#stretches.length === MOST_STRETCHES) return false;
    if (this.#stretches.some((other) => other.overlaps(stretch))) return false;
    if (stretch.isProse && this.#stretches.some((other) => other.isProse)) return false;
    this.#stretches.push(stretch);
    return true;
  }

  /** What is written, and what it is said to mean if that is something else. */
  texts(): string[] {
    const text = this.#text(({ text }) => text);
    if (this.#stretches.every(({ meant }) => meant === null)) return [text];
    const meant = this.#text((stretch) => stretch.meant ?? stretch.text);
    return letters(meant) === letters(text) || letters(meant) === '' ? [text] : [text, meant.trim()];
  }

  #text(of: (stretch: Stretch) => string): string {
    const [first] = this.#stretches;
    if (this.#stretches.length === 1) return closeUp(of(first!), first!.gaps ?? []);
    const ordered = this.#stretches.toSorted((a, b) => a.start - b.start);
    if (ordered.every(({ rightToLeft }) => rightToLeft)) ordered.reverse();
    let text = of(ordered[0]!);
    const gaps = [...(ordered[0]!.gaps ?? UNKNOWN)];
    for (const [index, stretch] of ordered.slice(1).entries()) {
      const [left, right] = [ordered[index]!, stretch].toSorted((a, b) => a.start - b.start);
      const height = Math.max(left!.height, right!.height);
      text += (gapText(left!.end, right!.start, height) || ' ') + of(stretch);
      gaps.push(gapOf((right!.start - left!.end) / height, false));
      for (const gap of stretch.gaps ?? UNKNOWN) gaps.push(gap);
    }
    return closeUp(text, gaps);
  }
}
