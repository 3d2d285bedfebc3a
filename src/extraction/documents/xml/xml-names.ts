const SLOTS = 512;
const MAX_LENGTH = 32;

/**
 * A cache of tag names, so that each is converted to a string once. A slot keeps the last name of its hash, so that many different names
 * take no additional memory.
 */
export class XmlNames {
  readonly #names: string[] = new Array<string>(SLOTS).fill('');

  /** `[from, to)` of the text, of which `codes` are the codes; two names that are equal are the same string, mostly. */
  name(text: string, codes: Uint16Array, from: number, to: number): string {
    if (to - from > MAX_LENGTH) return text.slice(from, to);
    let hash = to - from;
    for (let i = from; i < to; i++) hash = (Math.imul(hash, 31) + codes[i]!) | 0;
    const slot = (hash ^ (hash >>> 9)) & (SLOTS - 1);
    const known = this.#names[slot]!;
    if (known.length === to - from && text.startsWith(known, from)) return known;
    const name = text.slice(from, to);
    this.#names[slot] = name;
    return name;
  }
}
