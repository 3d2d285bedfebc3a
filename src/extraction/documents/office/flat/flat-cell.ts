import { cellText } from '../../../grid.ts';
import { attributeText } from '../../sheets/attributed-text.ts';
import { longer } from '../../sheets/cell-value.ts';
import { plainNumber } from '../../sheets/number-text.ts';
import type { XmlTokens } from '../../xml/xml-tokens.ts';
import { plainTarget } from '../package/relations.ts';

interface CellContent {
  readonly value: string;
  /** The link target, unless the value contains it. */
  readonly link: string | null;
  readonly comment: string;
}

/** A cell of a single-file XML workbook: its value may contain markup, and a comment is nested in it. */
export class FlatCell {
  #type: string | null = null;
  #value = '';
  #comment = '';
  #author = '';
  #formula: string | null = null;
  #link: string | null = null;
  #capturing: 'value' | 'comment' | null = null;
  #inComment = false;
  #depth = 0; // of the data we are in

  begin(xml: XmlTokens): void {
    this.#formula = xml.attribute('Formula');
    this.#link = xml.attribute('HRef');
    this.#type = null;
  }

  open(xml: XmlTokens): void {
    if (xml.name === 'Comment') {
      this.#inComment = true;
      this.#author = xml.attribute('Author') ?? '';
    } else if (xml.name === 'Data' && this.#capturing === null) {
      this.#capturing = this.#inComment ? 'comment' : 'value';
      this.#depth = xml.depth;
      if (!this.#inComment) this.#type = xml.attribute('Type');
    }
  }

  text(xml: XmlTokens): void {
    if (this.#capturing === 'value') this.#value = longer(this.#value, xml.text);
    else if (this.#capturing === 'comment') this.#comment = longer(this.#comment, xml.text);
  }

  close(xml: XmlTokens): void {
    if (xml.depth < this.#depth) {
      this.#capturing = null;
      this.#depth = 0;
    }
    if (xml.name === 'Comment') this.#inComment = false;
  }

  take(): CellContent {
    const value = this.#text();
    const link = this.#link !== null && plainTarget(this.#link) !== value ? this.#link : null;
    const comment = attributeText(this.#author, this.#comment.replace(/\s+/g, ' ').trim());
    this.#value = '';
    this.#comment = '';
    this.#author = '';
    this.#formula = null;
    this.#link = null;
    this.#capturing = null;
    this.#inComment = false;
    this.#depth = 0;
    return { value, link, comment };
  }

  #text(): string {
    const value = this.#value;
    if (value === '') return this.#formula === null ? '' : cellText(this.#formula);
    switch (this.#type) {
      case 'Number':
        return cellText(plainNumber(value, Number(value)));
      case 'Boolean':
        return value === '1' ? 'TRUE' : 'FALSE';
      case 'DateTime':
        return cellText(value.replace('T', ' ').replace(/ 00:00:00(?:\.0+)?$/, ''));
      default:
        return cellText(value);
    }
  }
}
