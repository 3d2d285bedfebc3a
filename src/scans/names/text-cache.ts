/** Caches results for repeated texts: a table has few columns, a member of an archive many findings. */
const MAX_TEXTS = 4096;
/** Limit for texts and results together: names in archives can be long, and each thread has its own cache. */
const MAX_CHARACTERS = 4 * 1024 * 1024;

export class TextCache {
  readonly #entries = new Map<string, string>();
  #characters = 0;

  getOrCompute(text: string, compute: () => string): string {
    const before = this.#entries.get(text);
    if (before !== undefined) return before;
    const found = compute();
    const length = text.length + found.length;
    if (this.#entries.size === MAX_TEXTS || this.#characters + length > MAX_CHARACTERS) {
      this.#entries.clear();
      this.#characters = 0;
    }
    this.#entries.set(text, found);
    this.#characters += length;
    return found;
  }
}
