import { longer } from '../../sheets/cell-value.ts';
import type { XmlTokens } from '../../xml/xml-tokens.ts';
import type { PartText } from '../package/parts.ts';
import { TextFlow } from '../text/text-flow.ts';
import { literalOf } from './formula-literal.ts';

/** Names of a workbook defined as a value, and comments on names. */
export class DefinedNames implements PartText {
  readonly flow = new TextFlow('names');
  #name: string | null = null;
  #formula = '';

  take(xml: XmlTokens): void {
    if (xml.token === 'text') {
      if (this.#name !== null) this.#formula = longer(this.#formula, xml.text);
    } else if (xml.name === 'definedName') {
      if (xml.token === 'open') this.#begin(xml);
      else this.#end();
    }
  }

  #begin(xml: XmlTokens): void {
    this.#name = xml.attribute('name') ?? '';
    this.#formula = '';
    const comment = xml.attribute('comment') ?? '';
    if (comment !== '') this.flow.writeLine(`${this.#name}: ${comment}`);
  }

  #end(): void {
    const value = literalOf(this.#formula) ?? '';
    if (value !== '') this.flow.writeLine(`${this.#name}: ${value}`);
    this.#name = null;
  }
}
