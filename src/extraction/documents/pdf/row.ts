import { gapText, type Stretch } from './stretch.ts';

const SAME_LINE = 0.3;
const MOST_STRETCHES = 64;

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

  text(): string {
    if (this.#stretches.length === 1) return this.#stretches[0]!.text;
    const ordered = this.#stretches.toSorted((a, b) => a.start - b.start);
    if (ordered.every(({ rightToLeft }) => rightToLeft)) ordered.reverse();
    let text = ordered[0]!.text;
    for (const [index, stretch] of ordered.slice(1).entries()) {
      const [left, right] = [ordered[index]!, stretch].toSorted((a, b) => a.start - b.start);
      const gap = gapText(left!.end, right!.start, Math.max(left!.height, right!.height));
      text += (gap === '' ? ' ' : gap) + stretch.text;
    }
    return text;
  }
}
