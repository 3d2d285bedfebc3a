import { attributeText } from '../../sheets/attributed-text.ts';
import { longer } from '../../sheets/cell-value.ts';
import type { XmlTokens } from '../../xml/xml-tokens.ts';
import type { PartText } from '../package/parts.ts';
import { TextFlow } from '../text/text-flow.ts';
import { CommentAuthors, type Persons } from './comment-authors.ts';

/** The beginning of the placeholder of a threaded comment for older programs, which repeats its text. */
const STAND_IN = '[Threaded comment]';
const MAX_START_LENGTH = 64;

/** Comments of a sheet, each after the cell it is about and its author. */
export class SheetComments implements PartText {
  readonly flow: TextFlow;
  readonly authors: CommentAuthors = new CommentAuthors();
  readonly #persons: Persons;
  #cell = '';
  #author = '';
  #start = '';
  #emitted = false;
  #capturing: 'text' | 'author' | null = null;
  /** The author's name that we are in, of the list before the comments. */
  #name = '';

  /** `persons`: the authors of threaded comments. */
  constructor(location: string, persons: Persons = new Map()) {
    this.flow = new TextFlow(location);
    this.#persons = persons;
  }

  take(xml: XmlTokens): void {
    if (xml.token === 'text') {
      if (this.#capturing === 'text') this.text(xml.text);
      else if (this.#capturing === 'author') this.#name = longer(this.#name, xml.text);
    } else if (xml.name === 'comment' || xml.name === 'threadedComment') {
      if (xml.token === 'open') this.begin(xml.attribute('ref') ?? '', this.#authorOf(xml));
      else this.end();
    } else if (xml.name === 'author') this.#takeAuthor(xml.token === 'open');
    else this.#capturing = xml.token === 'open' && (xml.name === 't' || xml.name === 'text') ? 'text' : null;
  }

  #takeAuthor(begins: boolean): void {
    this.#capturing = begins ? 'author' : null;
    if (!begins) this.authors.add(this.#name);
    this.#name = '';
  }

  #authorOf(xml: XmlTokens): string {
    const person = xml.attribute('personId');
    if (person !== null) return this.#persons.get(person) ?? '';
    return this.authors.of(Number(xml.attribute('authorId') ?? Number.NaN));
  }

  begin(cell: string, author: string): void {
    this.#cell = cell.slice(0, MAX_START_LENGTH);
    this.#author = author;
    this.#start = '';
    this.#emitted = false;
  }

  /** The first characters are buffered until they show whether it is a placeholder or begins with its author's name. */
  text(text: string): void {
    if (this.#emitted) return this.flow.write(text);
    this.#start += text;
    if (this.#start.length > Math.max(STAND_IN.length, this.#author.length)) this.#emit();
  }

  #emit(): void {
    const start = this.#start;
    this.#start = '';
    this.#emitted = true;
    if (start.startsWith(STAND_IN)) {
      this.#capturing = null;
      return;
    }
    const said = attributeText(this.#author, start);
    if (said.trim() !== '') this.flow.write(`${this.#cell}: ${said}`);
  }

  end(): void {
    if (!this.#emitted) this.#emit();
    this.#capturing = null;
    this.flow.endLine();
  }
}
