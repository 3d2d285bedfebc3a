import type { RandomAccess } from '../../../document-item.ts';
import { wholeName } from '../../../whole-name.ts';
import { newDecoder } from '../../code-page.ts';
import { chunksOf } from '../../stream-chunks.ts';
import type { ChainedStream } from '../compound-file/chained-stream.ts';
import type { Storage } from '../compound-file/compound-directory.ts';
import { uint16, uint32 } from '../excel/biff-records.ts';

const ENTRY_BYTES = 16;
/** Tens of thousands of properties. */
const MAX_BYTES = 1024 * 1024;
const MAX_LINE_LENGTH = 1024;
const LONG = 0x0003;
const TIME = 0x0040;
const UNICODE = '001F';
const STRING8 = '001E';
const BINARY = '0102';

const CODE_PAGES = [0x3ffd, 0x3fde];
const WESTERN = 1252;
/** In units of 100 ns; times count from 1601. */
const TO_1970 = 11_644_473_600_000;

/** The length of the header before the entries, by the owner of the properties. */
export const PROPERTIES_OF = { message: 32, attachedMessage: 24, part: 8 } as const;

/**
 * The properties of a message, a recipient or an attachment [MS-OXMSG]. Small ones are in a stream of entries; strings and binary data
 * have a stream each, named after their id and type.
 */
export class OutlookProperties {
  readonly #storage: Storage;
  readonly #entries: Uint8Array;
  readonly #first: number;
  readonly #codePage: number;

  /** `codePage`: of strings that are not Unicode; the message's own if it is null. */
  constructor(storage: Storage, entries: Uint8Array, first: number, codePage: number | null) {
    this.#storage = storage;
    this.#entries = entries;
    this.#first = first;
    const own = CODE_PAGES.map((id) => this.number(id)).find((page) => page !== null);
    this.#codePage = codePage ?? own ?? WESTERN;
  }

  static async open(
    storage: Storage,
    first: number,
    codePage: number | null = null,
  ): Promise<OutlookProperties> {
    const stream = storage.stream('__properties_version1.0');
    const entries = stream === null ? new Uint8Array(0) : await stream.read(0, MAX_BYTES);
    return new OutlookProperties(storage, entries, first, codePage);
  }

  get codePage(): number {
    return this.#codePage;
  }

  number(id: number): number | null {
    const at = this.#find(id, LONG);
    return at === null ? null : uint32(this.#entries, at + 8);
  }

  /** ISO. */
  time(id: number): string | null {
    const at = this.#find(id, TIME);
    if (at === null) return null;
    const ticks = uint32(this.#entries, at + 8) + 2 ** 32 * uint32(this.#entries, at + 12);
    const date = new Date(ticks / 10_000 - TO_1970);
    return date.getUTCFullYear() <= 9999 ? date.toISOString() : null;
  }

  has(id: number): boolean {
    return this.#stream(id, UNICODE) !== null || this.#stream(id, STRING8) !== null;
  }

  binary(id: number): ChainedStream | null {
    return this.#stream(id, BINARY);
  }

  /** A string in chunks; nothing if there is none. */
  async *text(id: number): AsyncGenerator<string> {
    const unicode = this.#stream(id, UNICODE);
    const stream = unicode ?? this.#stream(id, STRING8);
    if (stream !== null) yield* decoded(stream, unicode === null ? this.#codePage : 1200);
  }

  /** A string that is a name, in one line. */
  async name(id: number): Promise<string> {
    for await (const text of this.text(id)) return inOneLine(wholeName(text));
    return '';
  }

  /** The beginning of a string, in one line: for text, as what is cut may be a part of a value. */
  async short(id: number): Promise<string> {
    for await (const text of this.text(id)) return inOneLine(text.slice(0, MAX_LINE_LENGTH));
    return '';
  }

  /** The strings whose id is not in `known`, in chunks. */
  *others(known: ReadonlySet<number>): Generator<{ id: number; text: AsyncGenerator<string> }> {
    for (const [name, stream] of this.#storage.streams) {
      const parts = /^__SUBSTG1\.0_([0-9A-F]{4})(001[EF]|101[EF]-[0-9A-F]{8})$/.exec(name);
      const id = Number.parseInt(parts?.[1] ?? '', 16);
      if (parts === null || known.has(id)) continue;
      yield { id, text: decoded(stream, parts[2]![3] === 'F' ? 1200 : this.#codePage) };
    }
  }

  #stream(id: number, type: string): ChainedStream | null {
    return this.#storage.stream(`__substg1.0_${id.toString(16).padStart(4, '0')}${type}`);
  }

  #find(id: number, type: number): number | null {
    const bytes = this.#entries;
    for (let at = this.#first; at + ENTRY_BYTES <= bytes.length; at += ENTRY_BYTES) {
      if (uint16(bytes, at + 2) === id && uint16(bytes, at) === type) return at;
    }
    return null;
  }
}

function inOneLine(text: string): string {
  return text.replace(/\p{Cc}+/gu, ' ').trim();
}

async function* decoded(stream: RandomAccess, codePage: number): AsyncGenerator<string> {
  const decoder = newDecoder(codePage);
  for await (const chunk of chunksOf(stream, 0, stream.size)) yield decoder.decode(chunk, { stream: true });
  yield decoder.decode();
}
