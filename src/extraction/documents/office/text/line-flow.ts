/** Limits repeated empty paragraphs and empty cells. */
const MAX_BREAKS = 2;
const MAX_TABS = 64;

/**
 * Converts runs, paragraphs and cells to lines of text. Separators are written only when text follows, so
 * that a cell's last paragraph ends with the cell and an empty row leaves no trace.
 */
export class LineFlow {
  #text = '';
  #begun = false;
  #breaks = 0;
  #tabs = 0;
  #breaksInCell = 0;
  #cells = 0; // that we are in, of tables in tables

  write(text: string): void {
    const before = this.#separator();
    this.#text += before === '' ? text : before + text;
  }

  endLine(): void {
    if (this.#cells > 0) this.#breaksInCell++;
    else this.#breaks++;
  }

  get atLineStart(): boolean {
    return !this.#begun || this.#breaks > 0 || this.#tabs > 0 || this.#breaksInCell > 0;
  }

  beginCell(): void {
    this.#cells++;
  }

  endCell(): void {
    if (this.#cells > 0) this.#cells--;
    this.#breaksInCell = 0;
    this.#tabs++;
  }

  endRow(): void {
    this.#tabs = 0;
    this.#breaksInCell = 0;
    this.#breaks = Math.max(1, this.#breaks);
  }

  /** Of what is written and not taken yet. */
  get length(): number {
    return this.#text.length;
  }

  take(): string {
    const text = this.#text;
    this.#text = '';
    return text;
  }

  /** Something else follows, or nothing: the last line ends. */
  end(): string {
    if (this.#begun) this.#text += '\n';
    this.#begun = false;
    this.#breaks = 0;
    this.#tabs = 0;
    this.#breaksInCell = 0;
    return this.take();
  }

  #separator(): string {
    let before = '';
    if (this.#begun) before = '\n'.repeat(Math.min(this.#breaks, MAX_BREAKS));
    this.#begun = true;
    if (this.#tabs > 0) before += '\t'.repeat(Math.min(this.#tabs, MAX_TABS));
    if (this.#breaksInCell > 0) before += '\n'.repeat(Math.min(this.#breaksInCell, MAX_BREAKS));
    this.#breaks = 0;
    this.#tabs = 0;
    this.#breaksInCell = 0;
    return before;
  }
}
