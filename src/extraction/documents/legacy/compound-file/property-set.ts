/**
 * Title, author, company and other properties of a document.
 *
 * Format: [MS-OLEPS] sections 2.1 to 2.21.
 */
import type { DocumentItem } from '../../../document-item.ts';
import { CorruptInput } from '../../../extraction-error.ts';
import { decoderOf } from '../../code-page.ts';
import { propertyLine } from '../../property.ts';
import { textChunksOf } from '../../text-writer.ts';
import { uint16, uint32 } from '../excel/biff-records.ts';
import type { Storage } from './compound-directory.ts';

/** Includes previews. */
const MAX_BYTES = 4 * 1024 * 1024;
const MAX_PROPERTIES = 10_000;

const INTEGER = 3;
const FLOAT = 5;
const STRING = 30;
const WIDE_STRING = 31;
const TIME = 64;
const UTF16 = 1200;
const DICTIONARY = 0;
const CODE_PAGE = 1;

type Names = Readonly<Record<number, string>>;

const SUMMARY: Names = {
  2: 'title',
  3: 'subject',
  4: 'author',
  5: 'keywords',
  6: 'comments',
  7: 'template',
  8: 'last author',
};
const DOCUMENT: Names = { 2: 'category', 14: 'manager', 15: 'company' };

/** The document properties [MS-OLEPS], as lines "name: value". */
export async function* documentProperties(document: Storage): AsyncGenerator<DocumentItem> {
  yield* textChunksOf('properties', lines(document, '\x05SummaryInformation', [SUMMARY]));
  // The second set has names of its own.
  yield* textChunksOf('properties', lines(document, '\x05DocumentSummaryInformation', [DOCUMENT, null]));
}

async function* lines(
  document: Storage,
  name: string,
  sets: readonly (Names | null)[],
): AsyncGenerator<string> {
  const stream = document.stream(name);
  if (stream === null) return;
  const bytes = Buffer.from(await stream.read(0, MAX_BYTES));
  const count = Math.min(sets.length, uint32(bytes, 24));
  for (let i = 0; i < count; i++) {
    yield* new PropertySet(bytes, uint32(bytes, 44 + 20 * i), sets[i] ?? null).lines();
  }
}

class PropertySet {
  readonly #bytes: Buffer;
  readonly #names: Names | null;
  readonly #offsets = new Map<number, number>();
  readonly #codePage: number;

  constructor(bytes: Buffer, at: number, names: Names | null) {
    this.#bytes = bytes;
    const count = uint32(bytes, at + 4);
    if (at + 8 + 8 * count > bytes.length || count > MAX_PROPERTIES)
      throw new CorruptInput('document properties');
    for (let i = 0; i < count; i++) {
      const entry = at + 8 + 8 * i;
      this.#offsets.set(uint32(bytes, entry), at + uint32(bytes, entry + 4));
    }
    const codePage = this.#offsets.get(CODE_PAGE);
    this.#codePage = codePage === undefined ? 1252 : uint16(bytes, codePage + 4);
    this.#names = names ?? this.#dictionary();
  }

  *lines(): Generator<string> {
    for (const [id, at] of this.#offsets) {
      const name = this.#names?.[id];
      if (name !== undefined) for (const line of propertyLine(name, this.#value(at))) yield `${line}\n`;
    }
  }

  #value(at: number): string {
    const bytes = this.#bytes;
    const type = uint16(bytes, at);
    const size = type === FLOAT || type === TIME ? 8 : 4;
    if (at + 4 + size > bytes.length) throw new CorruptInput('document properties');
    if (type === INTEGER) return String(bytes.readInt32LE(at + 4));
    if (type === FLOAT) return String(bytes.readDoubleLE(at + 4));
    if (type === TIME) return timeText(bytes.readBigUInt64LE(at + 4));
    const length = uint32(bytes, at + 4);
    if (type === STRING) return this.#string(at + 8, length, this.#codePage);
    return type === WIDE_STRING ? this.#string(at + 8, length * 2, UTF16) : '';
  }

  #string(from: number, length: number, codePage: number): string {
    if (from + length > this.#bytes.length) throw new CorruptInput('document properties');
    const text = decoderOf(codePage).decode(this.#bytes.subarray(from, from + length));
    const end = text.indexOf('\0');
    return end === -1 ? text : text.slice(0, end);
  }

  /** Ids and names, the latter in UTF-16 padded to four bytes, or in the given length. */
  #dictionary(): Names {
    const names: Record<number, string> = {};
    const start = this.#offsets.get(DICTIONARY);
    if (start === undefined) return names;
    const wide = this.#codePage === UTF16;
    let at = start + 4;
    const count = Math.min(MAX_PROPERTIES, uint32(this.#bytes, start));
    for (let i = 0; i < count && at + 8 <= this.#bytes.length; i++) {
      const length = uint32(this.#bytes, at + 4) * (wide ? 2 : 1);
      names[uint32(this.#bytes, at)] = this.#string(at + 8, length, this.#codePage);
      at += 8 + (wide ? Math.ceil(length / 4) * 4 : length);
    }
    return names;
  }
}

/** Ticks of 100 ns since 1601. */
function timeText(ticks: bigint): string {
  const date = new Date(Number(ticks / 10_000n) - 11_644_473_600_000);
  return date.getUTCFullYear() <= 9999 ? date.toISOString() : '';
}
