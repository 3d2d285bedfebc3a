import type { ExtractionBudget } from '../../budget/extraction-budget.ts';
import type { DocumentItem } from '../../document-item.ts';
import { LimitExceeded } from '../../extraction-error.ts';
import { RtfFonts } from './rtf-fonts.ts';
import { RtfObject } from './rtf-object.ts';
import { RtfShapes } from './rtf-shapes.ts';
import { RtfText } from './rtf-text.ts';
import type { RtfTokenTaker } from './rtf-tokens.ts';
import { characterOf, type Destination, type DestinationWord, destinationOf } from './rtf-words.ts';

const MAX_DEPTH = 4096;
const MAX_FALLBACK_LENGTH = 8;
const SPACE = 0x20;

interface Group {
  readonly destination: Destination;
  /** The separator after its text. */
  readonly apart: string;
  codePage: number;
  /** How many fallback characters follow a Unicode one, for old programs. */
  fallback: number;
  /** Nested in a table cell without being its text: a note, a box. Tables in it are text. */
  readonly inset: boolean;
}

/** The groups of an RTF document, and the text in them. */
export class RtfDocument implements RtfTokenTaker {
  readonly #budget: ExtractionBudget;
  readonly #text = new RtfText();
  readonly #fonts = new RtfFonts();
  readonly #shapes = new RtfShapes();
  readonly #outer: Group[] = [];
  #group: Group = { destination: 'text', apart: '', codePage: 1252, fallback: 1, inset: false };
  /** The group has just begun: its first word is its destination. */
  #first = false;
  #optional = false;
  #skip = 0;
  #object: RtfObject | null = null;
  #objects = 0;

  constructor(budget: ExtractionBudget) {
    this.#budget = budget;
  }

  /** The chunks that are ready. */
  take(): readonly DocumentItem[] {
    return this.#text.take();
  }

  /** Everything buffered, at the end of the input. */
  rest(): readonly DocumentItem[] {
    this.#text.end();
    return this.#text.take();
  }

  /** Every group was closed. */
  get closed(): boolean {
    return this.#outer.length === 0;
  }

  get ignoring(): boolean {
    return this.#group.destination === 'ignored';
  }

  get #visible(): boolean {
    return this.#group.destination === 'text' || this.#group.destination === 'property';
  }

  open(): void {
    if (this.#outer.length >= MAX_DEPTH) throw new LimitExceeded('nesting');
    this.#outer.push(this.#group);
    const { destination, codePage, fallback, inset } = this.#group;
    this.#group = { destination, apart: '', codePage, fallback, inset };
    if (destination === 'property') this.#text.byte(SPACE);
    this.#first = true;
    this.#optional = false;
    this.#skip = 0;
  }

  /** One brace too many closes nothing. */
  close(): void {
    const inner = this.#group;
    const outer = this.#outer.pop();
    if (outer === undefined) return;
    if (inner.apart !== '') this.#character(inner.apart);
    this.#group = outer;
    this.#first = false;
    this.#skip = 0;
    if (inner.destination === 'property' && outer.destination !== 'property') this.#text.moveTo(null);
    if (inner.destination === 'object' && outer.destination !== 'object') this.#endObject();
  }

  textRun(bytes: Uint8Array, from: number, to: number): void {
    this.#first = false;
    if (this.#group.destination === 'object') this.#object?.hex(bytes, from, to);
    if (this.#group.destination === 'setting name') this.#shapes.name(bytes, from, to);
    if (!this.#visible) return;
    const start = Math.min(to, from + this.#skip);
    this.#skip -= start - from;
    this.#text.codePage(this.#group.codePage);
    this.#text.bytes(bytes, start, to);
  }

  hexByte(byte: number): void {
    this.#first = false;
    if (!this.#visible || byte === -1) return;
    if (this.#skip > 0) {
      this.#skip--;
      return;
    }
    this.#text.codePage(this.#group.codePage);
    this.#text.byte(byte);
  }

  data(bytes: Uint8Array, from: number, to: number): void {
    if (this.#group.destination === 'object') this.#object?.raw(bytes.slice(from, to));
  }

  optional(): void {
    this.#optional = true;
  }

  word(word: string, value: number | null): void {
    const destination = this.#first ? destinationOf(word, this.#optional) : null;
    this.#first = false;
    this.#optional = false;
    this.#skip = 0;
    if (this.ignoring) return;
    if (destination !== null)
      return this.#enter(word, this.#shapes.entered(word, destination, this.#outer.length));
    if (word === '') return;
    if (word === 'u') return this.#unicode(value ?? 0);
    if (word === 'uc') this.#group.fallback = Math.min(MAX_FALLBACK_LENGTH, Math.max(0, value ?? 1));
    const page = this.#fonts.word(word, value ?? 0, this.#group.destination === 'fonts');
    if (page !== null) this.#group.codePage = page;
    if (!this.#visible || this.#isOfTable(word)) return;
    const character = characterOf(word);
    if (character !== null) this.#character(character);
  }

  /** Rows and cells, unless they are those of something within a cell. */
  #isOfTable(word: string): boolean {
    if (this.#group.destination !== 'text' || this.#group.inset) return false;
    if (word === 'trowd' || word === 'intbl') this.#text.beginRow();
    else if (!this.#text.inRow) return false;
    else if (word === 'trhdr') this.#text.markHead();
    else if (word === 'cell') this.#text.endCell();
    else if (word === 'row') this.#text.endRow();
    else return false;
    return true;
  }

  #enter(word: string, { destination, apart }: DestinationWord): void {
    const inset = this.#group.inset || (apart !== '' && this.#text.inRow);
    this.#group = { ...this.#group, destination, apart, inset };
    if (destination === 'property') {
      this.#text.moveTo('properties');
      this.#text.characters(`${word}: `);
    } else if (apart !== '') {
      this.#character(apart);
    }
    if (destination === 'object') this.#object = new RtfObject();
  }

  #unicode(value: number): void {
    if (!this.#visible) return;
    this.#text.characters(String.fromCharCode(value & 0xffff));
    this.#skip = this.#group.fallback;
  }

  #character(character: string): void {
    if (character === '\n') this.#text.line();
    else if (character < '\x7f') this.#text.byte(character.charCodeAt(0));
    else this.#text.characters(character);
  }

  #endObject(): void {
    const entry = this.#object?.entry(`object ${this.#objects + 1}`, this.#budget) ?? null;
    this.#object = null;
    if (entry === null) return;
    this.#objects++;
    this.#text.entry(entry);
  }
}
