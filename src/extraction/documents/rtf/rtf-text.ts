import type { DocumentItem } from '../../document-item.ts';
import { decoderOf } from '../code-page.ts';
import { TextWriter } from '../text-writer.ts';
import { RtfTables } from './rtf-tables.ts';

const BYTES = 32 * 1024;
const SHORT = 40;
const TAB = 0x09;
const LF = 0x0a;

/** Decodes the text of an RTF document, bytes of a code page and Unicode characters, and divides it into chunks. */
export class RtfText {
  readonly #writer = new TextWriter(null);
  readonly #tables = new RtfTables({
    write: (text) => this.#writer.add(text),
    beginCell: () => {},
    endCell: () => this.#writer.add('\t'),
    endLine: () => this.#writer.add('\n'),
    endRow: () => this.#writer.add('\n'),
  });
  readonly #bytes = new Uint8Array(BYTES);
  #used = 0;
  #codePage = 1252;
  /** A row of a table has ended. */
  #between = false;
  #ready: DocumentItem[] = [];

  /** The chunks that are ready. */
  take(): readonly DocumentItem[] {
    const ready = this.#ready;
    this.#ready = [];
    return ready;
  }

  moveTo(location: string | null): void {
    this.#endTable();
    this.#ready.push(...this.#writer.moveTo(location));
  }

  codePage(codePage: number): void {
    if (codePage === this.#codePage) return;
    this.#decode();
    this.#codePage = codePage;
  }

  bytes(bytes: Uint8Array, from: number, to: number): void {
    if (this.#between) this.#endTable();
    // Most ranges are short: a loop is faster than a copy.
    if (to - from < SHORT && this.#used + SHORT < BYTES) {
      for (let i = from; i < to; i++) this.#bytes[this.#used++] = bytes[i]!;
      return;
    }
    for (let at = from; at < to; ) {
      if (this.#used === BYTES) this.#decode();
      const end = Math.min(to, at + BYTES - this.#used);
      this.#bytes.set(bytes.subarray(at, end), this.#used);
      this.#used += end - at;
      at = end;
    }
  }

  byte(byte: number): void {
    if (this.#between) this.#endTable();
    if (this.#used === BYTES) this.#decode();
    this.#bytes[this.#used++] = byte;
  }

  characters(text: string): void {
    if (this.#between) this.#endTable();
    this.#decode();
    this.#add(text);
  }

  /** The end of a line, where no multi-byte character can be split. */
  line(): void {
    this.byte(LF);
    if (this.#used > BYTES / 2) this.#decode();
  }

  get inRow(): boolean {
    return this.#tables.inRow;
  }

  beginRow(): void {
    if (this.#tables.inRow) return;
    if (!this.#between) this.#decode();
    this.#tables.beginRow();
    this.#between = false;
  }

  markHead(): void {
    this.#tables.markHead();
  }

  endCell(): void {
    if (!this.#tables.holding) return this.byte(TAB);
    this.#decode();
    this.#tables.endCell();
    this.#gather();
  }

  endRow(): void {
    if (this.#tables.holding) this.#decode();
    else this.line();
    this.#tables.endRow();
    this.#between = true;
    this.#gather();
  }

  entry(item: DocumentItem): void {
    this.#decode();
    this.#ready.push(...this.#writer.end(), item);
  }

  end(): void {
    this.#endTable();
    this.#ready.push(...this.#writer.end());
  }

  #endTable(): void {
    this.#decode();
    this.#between = false;
    this.#tables.end();
    this.#gather();
  }

  #decode(): void {
    if (this.#used === 0) return;
    const text = decoderOf(this.#codePage).decode(this.#bytes.subarray(0, this.#used));
    this.#used = 0;
    this.#add(text);
  }

  #add(text: string): void {
    if (this.#tables.holding) this.#tables.write(text);
    else this.#writer.add(text);
    this.#gather();
  }

  /** Flushes what precedes a table. */
  #gather(): void {
    if (this.#writer.full) this.#ready.push(this.#writer.take());
    for (const chunk of this.#tables.take()) this.#ready.push(...this.#writer.end(), chunk);
  }
}
