import { longer } from '../../sheets/cell-value.ts';
import type { XmlTokens } from '../../xml/xml-tokens.ts';
import { literalOf } from '../excel/formula-literal.ts';

const MESSAGES = new Set(['InputTitle', 'InputMessage', 'ErrorTitle', 'ErrorMessage']);

/** Validation rules of a single-file XML workbook: allowed values and messages. */
export class FlatValidation {
  /** The depth of the rule that we are in; 0: none. */
  #depth = 0;
  #cells = '';
  #value = '';

  open(xml: XmlTokens): void {
    if (this.#depth === 0 && xml.name === 'DataValidation') {
      this.#depth = xml.depth;
      this.#cells = '';
    }
    this.#value = '';
  }

  text(xml: XmlTokens): void {
    if (this.#depth > 0) this.#value = longer(this.#value, xml.text);
  }

  /** The line to write; null if there is nothing new. */
  close(xml: XmlTokens): string | null {
    if (this.#depth === 0) return null;
    if (xml.depth < this.#depth) this.#depth = 0;
    const value = this.#value;
    this.#value = '';
    if (xml.name === 'Range') this.#cells = value;
    const said = MESSAGES.has(xml.name) ? value : xml.name === 'Value' ? literalOf(value) : null;
    return said === null || said === '' ? null : `${this.#cells}: ${said}`;
  }
}
