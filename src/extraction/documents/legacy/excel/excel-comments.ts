import { columnLetters } from '../../../grid.ts';
import { attributeText } from '../../sheets/attributed-text.ts';
import { uint16 } from './biff-records.ts';

const COMMENT = 0x19;

/** Comments since Excel 97: the text is stored with its drawing object; cell and author follow later. */
export class CellComments {
  readonly #texts = new Map<number, string>();
  /** The object whose text may follow; null: it is no comment. */
  #object: number | null = null;

  /** A drawing object: its type and number tell whether it is a comment, and which. */
  drawn(bytes: Buffer, at: number): void {
    this.#object = uint16(bytes, at + 4) === COMMENT ? uint16(bytes, at + 6) : null;
  }

  /** Returns whether the text is that of a comment; a later one of the same number does not replace it. */
  keep(text: string): boolean {
    const object = this.#object;
    this.#object = null;
    if (object === null || this.#texts.has(object)) return false;
    this.#texts.set(object, text);
    return true;
  }

  /** The comment of the cell in the record at `at`. */
  take(bytes: Buffer, at: number, author: string): string {
    const object = uint16(bytes, at + 6);
    const said = attributeText(author, this.#texts.get(object) ?? '');
    this.#texts.delete(object);
    const cell = `${columnLetters(uint16(bytes, at + 2))}${uint16(bytes, at) + 1}`;
    return said.trim() === '' ? '' : `${cell}: ${said}`;
  }

  /** The texts of comments that are of no cell. */
  rest(): Iterable<string> {
    return this.#texts.values();
  }
}
