import { longer } from '../../sheets/cell-value.ts';
import type { XmlTokens } from '../../xml/xml-tokens.ts';
import type { PartText } from '../package/parts.ts';
import { TextFlow } from '../text/text-flow.ts';

/** Custom XML that a document displays: each text is a line, named after its element. */
export class DataText implements PartText {
  readonly flow = new TextFlow('data');
  #name = '';
  #value = '';

  take(xml: XmlTokens): void {
    if (xml.token === 'text') {
      this.#value = longer(this.#value, xml.text);
      return;
    }
    const value = this.#value.trim();
    this.#value = '';
    if (value !== '') this.flow.writeLine(`${this.#name}: ${value}`);
    this.#name = xml.name;
  }
}
