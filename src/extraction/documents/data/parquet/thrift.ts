/**
 * Thrift's compact protocol, as far as Parquet uses it. Structs are visited instead of built: the reader takes the fields it knows,
 * the others are skipped, because metadata may be hundreds of times as large in memory as in the file.
 *
 * Format: "Thrift Compact protocol encoding" (apache/thrift, doc/specs/thrift-compact-protocol.md). No library: generated code builds
 * every struct.
 */
import { CorruptInput } from '../../../extraction-error.ts';

const STOP = 0;
const TRUE = 1;
const BYTE = 3;
const I64 = 6;
const DOUBLE = 7;
const BINARY = 8;
const LIST = 9;
const SET = 10;
const MAP = 11;
const STRUCT = 12;
const UUID = 13;
const MAX_DEPTH = 32;

export class Thrift {
  readonly #bytes: Uint8Array;
  readonly #what: string;
  #depth = 0;
  at: number;

  /** `what`: is damaged if this can't be read. */
  constructor(bytes: Uint8Array, what: string, at = 0) {
    this.#bytes = bytes;
    this.#what = what;
    this.at = at;
  }

  /** Calls `read` with number and type of each field; if it doesn't advance, the value is skipped. */
  struct(read: (field: number, type: number) => void): void {
    this.#enter();
    for (let field = 0; ; ) {
      const head = this.#byte();
      const type = head & 15;
      if (type === STOP) break;
      field = head >> 4 === 0 ? this.integer() : field + (head >> 4);
      const before = this.at;
      read(field, type);
      if (this.at === before) this.skip(type);
    }
    this.#depth--;
  }

  /** `read` is called for each element, and must move on. */
  list(read: (index: number) => void): void {
    const [count] = this.#listHead();
    for (let i = 0; i < count; i++) read(i);
  }

  /** How many elements; they follow. */
  listSize(): number {
    return this.#listHead()[0];
  }

  /** Of 16, 32 or 64 bits; beyond 53 it is no longer exact, and no size or count is. */
  integer(): number {
    let value = 0;
    let scale = 1;
    for (let i = 0; i < 10; i++) {
      const byte = this.#byte();
      value += (byte & 0x7f) * scale;
      if (byte < 0x80) return value % 2 === 0 ? value / 2 : -(value + 1) / 2;
      scale *= 128;
    }
    throw this.#damage();
  }

  byte(): number {
    return this.#byte();
  }

  binary(): Uint8Array {
    const length = this.#unsigned();
    this.#need(length);
    this.at += length;
    return this.#bytes.subarray(this.at - length, this.at);
  }

  skip(type: number): void {
    if (type === BYTE) this.#byte();
    else if (type > BYTE && type <= I64) this.integer();
    else if (type === DOUBLE) this.#pass(8);
    else if (type === UUID) this.#pass(16);
    else if (type === BINARY) this.binary();
    else if (type === LIST || type === SET) this.#skipList();
    else if (type === MAP) this.#skipMap();
    else if (type === STRUCT) this.struct(() => {});
    else if (type > BYTE) throw this.#damage();
  }

  #skipList(): void {
    this.#enter();
    const [count, type] = this.#listHead();
    // Within lists a truth value is a byte of its own.
    if (type <= BYTE) this.#pass(count);
    else for (let i = 0; i < count; i++) this.skip(type);
    this.#depth--;
  }

  #skipMap(): void {
    this.#enter();
    const count = this.#unsigned();
    const types = count === 0 ? 0 : this.#byte();
    this.#need(count);
    for (let i = 0; i < count; i++) {
      this.skip(Math.max(BYTE, types >> 4));
      this.skip(Math.max(BYTE, types & 15));
    }
    this.#depth--;
  }

  /** Every element takes at least a byte, so no list is longer than the rest of the data. */
  #listHead(): [count: number, type: number] {
    const head = this.#byte();
    const count = head >> 4 === 15 ? this.#unsigned() : head >> 4;
    this.#need(count);
    return [count, head & 15];
  }

  #unsigned(): number {
    let value = 0;
    for (let i = 0; i < 5; i++) {
      const byte = this.#byte();
      value += (byte & 0x7f) * 2 ** (7 * i);
      if (byte < 0x80) return value;
    }
    throw this.#damage();
  }

  #byte(): number {
    const byte = this.#bytes[this.at++];
    if (byte === undefined) throw this.#damage();
    return byte;
  }

  #pass(count: number): void {
    this.#need(count);
    this.at += count;
  }

  #need(count: number): void {
    if (count > this.#bytes.length - this.at) throw this.#damage();
  }

  #enter(): void {
    if (++this.#depth > MAX_DEPTH) throw this.#damage();
  }

  #damage(): CorruptInput {
    return new CorruptInput(this.#what);
  }
}

/** Outside of lists a boolean is encoded in its type. */
export function isTrue(type: number): boolean {
  return type === TRUE;
}
