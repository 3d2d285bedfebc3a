const QUOTE = 0x22;
const APOSTROPHE = 0x27;
const QUESTION = 0x3f;

/** Skips comments, instructions and the document type, for any content and chunking. */
export class SkippedMarkup {
  /** What ends a comment or an instruction. */
  #until = '';
  #type: TypeSkipper | null = null;

  get open(): boolean {
    return this.#until !== '' || this.#type !== null;
  }

  /** At a `<!` or `<?`. Returns the position to continue from; -1: more text is needed to decide. */
  begin(text: string, at: number): number {
    if (text.charCodeAt(at + 1) === QUESTION) this.#until = '?>';
    else if (text.startsWith('<!--', at)) this.#until = '-->';
    else if (text.length - at < 4) return -1;
    else this.#type = new TypeSkipper();
    return at + (this.#until === '-->' ? 4 : 2);
  }

  /** Returns the position after its end, or the start of what must be seen again with more text. */
  skip(text: string, at: number): number {
    if (this.#type !== null) {
      const end = this.#type.skip(text, at);
      if (end === -1) return text.length;
      this.#type = null;
      return end;
    }
    const end = text.indexOf(this.#until, at);
    // The last characters may be the beginning of what ends it.
    if (end === -1) return Math.max(at, text.length - 2);
    const length = this.#until.length;
    this.#until = '';
    return end + length;
  }
}

/** A document type ends with a `>` outside brackets, quotes and comments; the quotes of a comment don't count. */
class TypeSkipper {
  #quote = 0;
  #brackets = 0;
  #comment = false;
  #last = ''; // the three characters before: they may begin or end a comment

  /** The position after its end; -1: it continues after this text. */
  skip(text: string, from: number): number {
    for (let i = from; i < text.length; i++) {
      const character = text.charAt(i);
      if (this.#ends(character, text.charCodeAt(i))) return i + 1;
      this.#last = (this.#last + character).slice(-3);
    }
    return -1;
  }

  #ends(character: string, code: number): boolean {
    if (this.#comment) this.#comment = !(character === '>' && this.#last.endsWith('--'));
    else if (this.#quote !== 0) this.#quote = code === this.#quote ? 0 : this.#quote;
    else if (character === '-' && this.#last === '<!-') this.#comment = true;
    else if (code === QUOTE || code === APOSTROPHE) this.#quote = code;
    else if (character === '[') this.#brackets++;
    else if (character === ']') this.#brackets = Math.max(0, this.#brackets - 1);
    else return character === '>' && this.#brackets === 0;
    return false;
  }
}
