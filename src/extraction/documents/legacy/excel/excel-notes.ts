import type { TextChunk } from '../../../document-item.ts';
import { columnLetters } from '../../../grid.ts';
import { attributeText } from '../../sheets/attributed-text.ts';
import { marginLines } from '../../sheets/margin-lines.ts';
import { TextWriter } from '../../text-writer.ts';
import { type BiffRecords, uint16, uint32 } from './biff-records.ts';
import { BiffStrings } from './biff-strings.ts';
import { CONTINUE } from './excel-globals.ts';
import type { WorkbookText } from './excel-text.ts';

const HEADER = 0x14;
const FOOTER = 0x15;
const NOTE = 0x1c;
const OBJECT = 0x5d;
const TEXT_OBJECT = 0x1b6;
const HYPERLINK = 0x1b8;
const CHART_TEXT = 0x100d;

const HAS_TARGET = 0x01;
const HAS_NAME = 0x10;
const HAS_FRAME = 0x80;
const IS_PLAIN = 0x100;
const ADDRESS = Buffer.from('e0c9ea79f9bace118c8200aa004ba90b', 'hex');

/** The text of a sheet outside its cells: comments, text boxes, chart titles, headers and footers, link targets. */
export class SheetNotes {
  readonly #writer: TextWriter;
  readonly #text: WorkbookText;
  readonly #comments = new CellComments();
  readonly #box = new BiffStrings((text) => {
    if (!this.#comments.keep(text)) this.#add(text);
  });

  constructor(location: string, text: WorkbookText) {
    this.#writer = new TextWriter(location);
    this.#text = text;
  }

  take({ type, bytes, from, to }: BiffRecords): void {
    if (type === HEADER || type === FOOTER) this.#addMargin(this.#text.string(bytes, from, to, 2, 1));
    else if (type === CHART_TEXT) this.#add(this.#text.string(bytes, from + 2, to, 1));
    else if (this.#text.isOld) this.#takeOld(type, bytes, from, to);
    else if (type === HYPERLINK) this.#add(linkTarget(bytes.subarray(from, to)));
    else if (type === OBJECT) this.#comments.drawn(bytes, from);
    else if (type === NOTE)
      this.#add(this.#comments.take(bytes, from, this.#text.string(bytes, from + 8, to, 2)));
    else if (type === TEXT_OBJECT) this.#box.expect(uint16(bytes, from + 10));
    else if (type === CONTINUE && this.#box.open) this.#box.feed(bytes, from, to);
  }

  /** The text of a comment is stored with it; a long one in several records. */
  #takeOld(type: number, bytes: Buffer, from: number, to: number): void {
    if (type === NOTE) this.#add(this.#text.string(bytes, from + 4, to, 2));
  }

  #addMargin(text: string): void {
    for (const line of marginLines(text)) this.#add(line);
  }

  #add(text: string): void {
    if (text !== '') this.#writer.add(`${text.replaceAll('\r', '\n')}\n`);
  }

  end(): Iterable<TextChunk> {
    for (const text of this.#comments.rest()) this.#add(text);
    return this.#writer.end();
  }
}

/** A URL or mail address; '' for other targets. It may be preceded by the names of the link and of a frame. */
function linkTarget(link: Buffer): string {
  const flags = uint32(link, 28);
  if ((flags & HAS_TARGET) === 0 || flags & IS_PLAIN) return '';
  let at = 32;
  if (flags & HAS_NAME) at += 4 + 2 * uint32(link, at);
  if (flags & HAS_FRAME) at += 4 + 2 * uint32(link, at);
  if (!link.subarray(at, at + 16).equals(ADDRESS)) return '';
  const text = link.toString('utf16le', at + 20, Math.min(link.length, at + 20 + uint32(link, at + 16)));
  const end = text.indexOf('\0');
  return end === -1 ? text : text.slice(0, end);
}

const COMMENT = 0x19;

/** Comments since Excel 97: the text is stored with its drawing object; cell and author follow later. */
class CellComments {
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
