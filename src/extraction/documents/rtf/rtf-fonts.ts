import { codePageOfCharset, codePageOfWord } from './rtf-words.ts';

const MAX_FONTS = 10_000;

/** The code page of a text is that of its font, or of the document. */
export class RtfFonts {
  readonly #pages = new Map<number, number>();
  #documentPage = 1252;
  #defaultFont = -1;
  /** The one that the table of fonts is at. */
  #described = -1;

  /** The code page from this word on; null: unchanged. */
  word(word: string, value: number, inTable: boolean): number | null {
    if (inTable) {
      if (word === 'f') this.#described = value;
      else if (word === 'fcharset') this.#describe(codePageOfCharset(value));
      else if (word === 'cpg') this.#describe(codePageOfWord('ansicpg', value));
      return null;
    }
    if (word === 'f') return this.#page(value);
    if (word === 'plain') return this.#page(this.#defaultFont);
    if (word === 'deff') this.#defaultFont = value;
    const page = codePageOfWord(word, value);
    if (page !== null) this.#documentPage = page;
    return page;
  }

  #describe(page: number | null): void {
    if (page !== null && this.#pages.size < MAX_FONTS) this.#pages.set(this.#described, page);
  }

  #page(font: number): number {
    return this.#pages.get(font) ?? this.#documentPage;
  }
}
