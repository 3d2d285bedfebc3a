import type { XmlTokens } from '../xml/xml-tokens.ts';
import type { PartText } from './parts.ts';
import { TextFlow } from './text-flow.ts';

/** What older programs show instead of a conversation, with its first text once more. */
const STAND_IN = '[Threaded comment]';
const LONGEST_START = 64;

/** Comments of a sheet, each after the cell it is about. */
export class SheetComments implements PartText {
  readonly flow: TextFlow;
  #cell = '';
  #start = '';
  #told = false;
  #telling = false;

  constructor(place: string) {
    this.flow = new TextFlow(place);
  }

  take(xml: XmlTokens): void {
    if (xml.token === 'text') {
      if (this.#telling) this.text(xml.text);
    } else if (xml.name === 'comment' || xml.name === 'threadedComment') {
      if (xml.token === 'open') this.begin(xml.attribute('ref') ?? '');
      else this.end();
    } else this.#telling = xml.token === 'open' && (xml.name === 't' || xml.name === 'text');
  }

  begin(cell: string): void {
    this.#cell = cell.slice(0, LONGEST_START);
    this.#start = '';
    this.#told = false;
  }

  /** The first characters are held back until they tell whether it only stands for another. */
  text(text: string): void {
    if (this.#told) return this.flow.write(text);
    this.#start += text;
    if (this.#start.length >= STAND_IN.length) this.#tell();
  }

  #tell(): void {
    const start = this.#start;
    this.#start = '';
    this.#told = true;
    if (start.startsWith(STAND_IN)) this.#telling = false;
    else if (start.trim() !== '') this.flow.write(`${this.#cell}: ${start}`);
  }

  end(): void {
    if (!this.#told) this.#tell();
    this.#telling = false;
    this.flow.endLine();
  }
}
