import { longer } from '../../sheets/cell-value.ts';
import type { XmlTokens } from '../../xml/xml-tokens.ts';
import { literalOf } from './formula-literal.ts';
import type { SheetExtras } from './sheet-extras.ts';

const MARGIN = /^(odd|even|first)(Header|Footer)$/;
const MESSAGES = ['promptTitle', 'prompt', 'errorTitle', 'error'];

/** The tokens of a sheet to what it has besides its cells. */
export class SheetExtrasTokens {
  readonly #extras: SheetExtras;
  /** The cells of the rule that we are in. */
  #cells: string | null = null;
  #list = '';
  #capturing = false;
  /** The head or foot of a page that we are in. */
  #margin: string | null = null;

  constructor(extras: SheetExtras) {
    this.#extras = extras;
  }

  take(xml: XmlTokens): void {
    if (this.#cells !== null) this.#inRule(xml, this.#cells);
    else if (xml.token === 'open' && xml.name === 'hyperlink')
      this.#extras.link(xml.attribute('ref') ?? '', xml.prefixedAttribute('id') ?? '');
    else if (xml.token === 'open' && xml.name === 'dataValidation') this.#beginRule(xml);
    else this.#inMargin(xml);
  }

  #inMargin(xml: XmlTokens): void {
    if (xml.token === 'text') {
      if (this.#margin !== null) this.#margin = longer(this.#margin, xml.text);
      return;
    }
    if (this.#margin !== null) this.#extras.margin(this.#margin);
    this.#margin = xml.token === 'open' && MARGIN.test(xml.name) ? '' : null;
  }

  #beginRule(xml: XmlTokens): void {
    this.#cells = xml.attribute('sqref') ?? '';
    this.#list = '';
    const messages = MESSAGES.map((name) => xml.attribute(name) ?? '');
    this.#extras.validation(this.#cells, messages);
  }

  /** A list may be given as a formula with one quoted text, or as element text if that would be too long. */
  #inRule(xml: XmlTokens, cells: string): void {
    if (xml.token === 'text') {
      if (this.#capturing) this.#list = longer(this.#list, xml.text);
    } else if (xml.token === 'open') this.#capturing = /^(formula1|f|list)$/.test(xml.name);
    else {
      if (this.#capturing) {
        this.#extras.validation(cells, [xml.name === 'list' ? this.#list : (literalOf(this.#list) ?? '')]);
        this.#list = '';
      }
      this.#capturing = false;
      if (xml.name === 'dataValidation') this.#cells = null;
    }
  }
}
