/** What was found for texts that repeat: a table has few columns, an archive's member many findings. */
const MOST_TEXTS = 4096;
/** Of texts and answers together: names of archives can be long, and each thread has a memory of its own. */
const MOST_CHARACTERS = 4 * 1024 * 1024;

export class Remembered {
  readonly #known = new Map<string, string>();
  #characters = 0;

  of(text: string, find: () => string): string {
    const before = this.#known.get(text);
    if (before !== undefined) return before;
    const found = find();
    const length = text.length + found.length;
    if (this.#known.size === MOST_TEXTS || this.#characters + length > MOST_CHARACTERS) {
      this.#known.clear();
      this.#characters = 0;
    }
    this.#known.set(text, found);
    this.#characters += length;
    return found;
  }
}
