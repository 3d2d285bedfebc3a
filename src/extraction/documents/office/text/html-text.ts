import type { XmlTokens, XmlVocabulary } from '../../xml/xml-tokens.ts';
import type { PartText } from '../package/parts.ts';
import { LinkText } from './link-text.ts';
import type { TextFlow } from './text-flow.ts';

/** The characters from 160 on by their names in HTML, in order. */
const LATIN =
  'nbsp iexcl cent pound curren yen brvbar sect uml copy ordf laquo not shy reg macr deg plusmn sup2 sup3 acute micro para ' +
  'middot cedil sup1 ordm raquo frac14 frac12 frac34 iquest Agrave Aacute Acirc Atilde Auml Aring AElig Ccedil Egrave ' +
  'Eacute Ecirc Euml Igrave Iacute Icirc Iuml ETH Ntilde Ograve Oacute Ocirc Otilde Ouml times Oslash Ugrave Uacute Ucirc ' +
  'Uuml Yacute THORN szlig agrave aacute acirc atilde auml aring aelig ccedil egrave eacute ecirc euml igrave iacute icirc ' +
  'iuml eth ntilde ograve oacute ocirc otilde ouml divide oslash ugrave uacute ucirc uuml yacute thorn yuml';
const OTHERS =
  'ndash– mdash— lsquo‘ rsquo’ sbquo‚ ldquo“ rdquo” bdquo„ bull• hellip… euro€ trade™ ensp\u2002 emsp\u2003 thinsp\u2009';

export const HTML: XmlVocabulary = {
  loose: true,
  entities: new Map([
    ...LATIN.split(' ').map((name, i): [string, string] => [name, String.fromCharCode(160 + i)]),
    ...OTHERS.split(' ').map((pair): [string, string] => [pair.slice(0, -1), pair.slice(-1)]),
  ]),
};

const BLOCKS = new Set(
  (
    'address article aside blockquote body caption dd div dl dt figcaption figure footer form h1 h2 h3 h4 h5 h6 header hr li ' +
    'main nav ol option p pre script section summary table tbody text tfoot thead title ul'
  ).split(' '),
);
const GAP = /[\t\n\r ]+/g;

/** A page of HTML as lines of text. */
export class HtmlText implements PartText {
  readonly flow: TextFlow;
  readonly #link = new LinkText();
  #asItIs = 0; // elements whose line breaks count
  #style = false;
  #heads = 0; // cells of the row that are called heads
  #values = 0;

  constructor(flow: TextFlow) {
    this.flow = flow;
  }

  take(xml: XmlTokens): void {
    if (xml.token === 'text') {
      if (!this.#style) this.#text(xml.text);
    } else if (xml.token === 'open') this.#open(xml);
    else this.#close(xml.name);
  }

  #text(raw: string): void {
    let text = raw;
    if (this.#asItIs === 0) {
      text = raw.replace(GAP, ' ');
      if (this.flow.atLineStart) text = text.trimStart();
    }
    this.flow.write(text);
    this.#link.text(text);
  }

  #open(xml: XmlTokens): void {
    if (BLOCKS.has(xml.name)) this.flow.breakLine();
    switch (xml.name) {
      case 'style':
        this.#style = true;
        return;
      case 'pre':
      case 'script':
        this.#asItIs++;
        return;
      case 'br':
        return this.flow.write('\n');
      case 'table':
        return this.flow.beginTable();
      case 'tr':
        this.#heads = 0;
        this.#values = 0;
        return;
      case 'td':
      case 'th':
        if (xml.name === 'th') this.#heads++;
        else this.#values++;
        this.flow.beginCell();
        return this.flow.skipColumns(Number(xml.attribute('colspan') ?? 1) - 1);
      case 'a':
        return this.#link.begin(xml.attribute('href'), 'a');
      case 'img':
        return this.flow.write(xml.attribute('alt') ?? '');
      case 'input':
        return this.flow.write(xml.attribute('value') ?? '');
    }
  }

  #close(name: string): void {
    switch (name) {
      case 'style':
        this.#style = false;
        return;
      case 'td':
      case 'th':
        return this.flow.endCell();
      case 'tr':
        if (this.#heads > 0 && this.#values === 0) this.flow.markHead();
        return this.flow.endRow();
      case 'table':
        this.flow.endTable();
        break;
      case 'a':
        this.#link.end(this.flow);
        return;
      case 'pre':
      case 'script':
        if (this.#asItIs > 0) this.#asItIs--;
    }
    if (BLOCKS.has(name)) this.flow.breakLine();
  }
}
