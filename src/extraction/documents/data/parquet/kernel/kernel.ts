/**
 * Pages are unpacked and written as rows in a memory of WebAssembly: most values of a file are texts that only have to be copied, and
 * the copy of a few bytes costs JavaScript several times as much. Holds one page, and the texts of a dictionary before it.
 */
import { encodeModule } from '../../../../../base/wasm/assembler.ts';
import {
  compile,
  instantiate,
  type WasmInstance,
  type WasmModule,
} from '../../../../../base/wasm/instance.ts';
import { MARGIN } from './copying.ts';
import { unpackBits } from './unpack-bits.ts';
import { unpackSnappy } from './unpack-snappy.ts';
import { findRows, writeIndexed, writePlain } from './write-rows.ts';

/** Rows that are written at a time. */
export const BATCH = 1024;

const STOPS = { at: 0, out: 4 };
const DEFINITIONS = 64;
const INDEXES = DEFINITIONS + BATCH;
const ROWS = INDEXES + 4 * BATCH;
const ROWS_LENGTH = 64 * 1024;
const REST = ROWS + ROWS_LENGTH + MARGIN;
const PAGE = 64 * 1024;
const MIN_COUNT = 4 * 1024 * 1024;
/** Files with larger pages are rare, and read without it. */
const MAX_COUNT = 64 * 1024 * 1024;
const KEPT = 16 * 1024 * 1024;
/** What is larger than any level. */
const ALL_DEFINED = 256;

interface Functions {
  unpackSnappy(at: number, size: number, out: number, max: number): number;
  unpackBits(from: number, shift: number, width: number, target: number, end: number): number;
  writePlain(...numbers: number[]): number;
  writeIndexed(...numbers: number[]): number;
  findRows(from: number, to: number, starts: number): number;
}

let module: WasmModule | null | undefined;
let idle: Kernel | null = null;

/** A kernel for exclusive use until it is released. Null if there is no memory for it, or no SIMD. */
export function acquireKernel(): Kernel | null {
  const kernel = idle ?? makeKernel();
  idle = null;
  return kernel;
}

export function releaseKernel(kernel: Kernel | null): void {
  if (kernel !== null && kernel.size <= KEPT) idle = kernel;
}

function makeKernel(): Kernel | null {
  module ??= compile(
    encodeModule([unpackSnappy(), unpackBits(), writePlain(STOPS), writeIndexed(STOPS), findRows()]),
  );
  const instance = module && instanceOf(module, MIN_COUNT);
  return module && instance && new Kernel(module, instance);
}

/** Null: the process has no memory for it. */
function instanceOf(code: WasmModule, size: number): WasmInstance<Functions> | null {
  try {
    return instantiate<Functions>(code, size / PAGE);
  } catch {
    return null;
  }
}

export class Kernel {
  readonly #module: WasmModule;
  #functions: Functions;
  #memory: Uint8Array;
  #words: Uint32Array;
  #definitions: Uint8Array;
  #indexes: Uint32Array;
  /** The start of the page, after the dictionary. */
  #page = REST;
  #starts = 0;
  #count = 0;

  constructor(module: WasmModule, { functions, memory }: WasmInstance<Functions>) {
    this.#module = module;
    this.#functions = functions;
    this.#memory = new Uint8Array(memory);
    this.#words = new Uint32Array(memory);
    this.#definitions = new Uint8Array(memory, DEFINITIONS, BATCH);
    this.#indexes = new Uint32Array(memory, INDEXES, BATCH);
  }

  get size(): number {
    return this.#memory.length;
  }

  /** Where levels are to be put for the rows that are written next. */
  get definitions(): Uint8Array {
    return this.#definitions;
  }

  /** Where the numbers of a dictionary's values are to be put. */
  get indexes(): Uint32Array {
    return this.#indexes;
  }

  /** A chunk begins: it has no dictionary yet. */
  begin(): void {
    this.#page = REST;
    this.#count = 0;
  }

  holds(bytes: Uint8Array): boolean {
    return bytes.buffer === this.#memory.buffer;
  }

  /** Copies the page to this memory, valid until the next call; returns the original if there is no space. */
  hold(page: Uint8Array): Uint8Array {
    if (this.holds(page) || !this.#room(page.length + MARGIN)) return page;
    this.#memory.set(page, this.#page);
    return this.#memory.subarray(this.#page, this.#page + page.length);
  }

  /** Unpacks a block, without its length prefix, to exactly `length` bytes. Undefined: no space; null: invalid data. */
  unpackSnappy(compressed: Uint8Array, length: number): Uint8Array | null | undefined {
    const from = this.#page + length + MARGIN;
    if (!this.#room(length + compressed.length + 2 * MARGIN)) return undefined;
    this.#memory.set(compressed, from);
    const max = this.#page + length;
    const end = this.#functions.unpackSnappy(from, from + compressed.length, this.#page, max);
    return end === max ? this.#memory.subarray(this.#page, max) : null;
  }

  /** Unpacks numbers of up to 24 bits from a held page, starting at a bit offset, to an index in the kernel's indexes. */
  unpackBits(page: Uint8Array, at: number, shift: number, width: number, to: number, count: number): void {
    const target = INDEXES + 4 * to;
    this.#functions.unpackBits(page.byteOffset + at, shift, width, target, target + 4 * count);
  }

  /** The texts of a dictionary, each a row. False: there is no room. */
  keepDictionary(rows: Uint8Array, count: number): boolean {
    this.begin();
    if (!this.#room(rows.length + MARGIN + 4 * (count + 2))) return false;
    this.#memory.set(rows, REST);
    this.#starts = REST + 4 * Math.ceil((rows.length + MARGIN) / 4);
    this.#page = this.#functions.findRows(REST, REST + rows.length, this.#starts);
    this.#count = count;
    return true;
  }

  /** Values of a held page with their lengths before them; see write-rows.ts. */
  writePlain(page: Uint8Array, at: number, end: number, rows: Rows, min: number): Written {
    const { byteOffset } = page;
    const place = this.#place(rows);
    const stopped = this.#functions.writePlain(byteOffset + at, byteOffset + end, ...place, min);
    return this.#written(stopped, this.#words[STOPS.at / 4]! - byteOffset);
  }

  /** Values of the dictionary, by `indexes` from one to another. */
  writeIndexed(from: number, to: number, rows: Rows): Written {
    const place = this.#place(rows);
    const dictionary = [this.#starts, this.#count];
    const stopped = this.#functions.writeIndexed(
      INDEXES + 4 * from,
      INDEXES + 4 * to,
      ...place,
      ...dictionary,
    );
    return this.#written(stopped, (this.#words[STOPS.at / 4]! - INDEXES) / 4);
  }

  #place({ from, to, defined }: Rows): number[] {
    return [DEFINITIONS + from, DEFINITIONS + to, ROWS, ROWS + ROWS_LENGTH, defined ?? ALL_DEFINED];
  }

  #written(stopped: number, at: number): Written {
    const text = this.#memory.subarray(ROWS, this.#words[STOPS.out / 4]);
    return { row: stopped - DEFINITIONS, at, text };
  }

  /** Reserves space after the dictionary. Overwrites what was there. */
  #room(bytes: number): boolean {
    const needed = this.#page + bytes;
    if (needed <= this.#memory.length) return true;
    const size = 2 ** Math.ceil(Math.log2(needed));
    const larger = size > MAX_COUNT ? null : instanceOf(this.#module, size);
    if (larger === null) return false;
    const old = this.#memory.subarray(0, this.#page);
    this.#functions = larger.functions;
    this.#memory = new Uint8Array(larger.memory);
    this.#words = new Uint32Array(larger.memory);
    this.#definitions = new Uint8Array(larger.memory, DEFINITIONS, BATCH);
    this.#indexes = new Uint32Array(larger.memory, INDEXES, BATCH);
    this.#memory.set(old);
    return true;
  }
}

/** Of the batch: from one to another. */
export interface Rows {
  readonly from: number;
  readonly to: number;
  /** The level of a value that is there; null: all are. */
  readonly defined: number | null;
}

/** The position reached: the row before which it stopped, and the position of that row's value. */
export interface Written {
  readonly row: number;
  readonly at: number;
  /** Valid until the next call. */
  readonly text: Uint8Array;
}
