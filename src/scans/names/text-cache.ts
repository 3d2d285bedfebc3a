/** What was found for texts that repeat: a table has few columns, an archive's member many findings. */
const MAX_TEXTS = 4096;
/** Of texts and answers together: names of archives can be long, and each thread has a memory of its own. */
const MAX_CHARACTERS = 4 * 1024 * 1024;

export class TextCache {
  readonly #known = new Map<string, string>();
  #characters = 0;

  getOrCompute(text: string, compute: () => string): string {
    const before = this.#known.get(text);
    if (before !== undefined) return before;
    const found = compute();
    const length = text.length + found.length;
    if (this.#known.size === MAX_TEXTS || this.#characters + length > MAX_CHARACTERS) {
      this.#known.clear();
      this.#characters = 0;
    }
    this.#known.set(text, found);
    this.#characters += length;
    return found;
  }
}
