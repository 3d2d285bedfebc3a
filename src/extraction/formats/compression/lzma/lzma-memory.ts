import { encodeModule } from '../../../../base/wasm/assembler.ts';
import {
  compile,
  instantiateGrowable,
  type WasmMemory,
  type WasmModule,
} from '../../../../base/wasm/instance.ts';
import { LimitExceeded } from '../../../extraction-error.ts';
import { copyRest } from './lzma-copy.ts';
import { FIELDS, STATE, WINDOW, WINDOW_MARGIN } from './lzma-layout.ts';
import { decodeSymbols } from './lzma-symbols.ts';

/** Limits the window, whatever a file requests. */
export const MAX_WINDOW = 256 * 1024 * 1024;
const PAGE = 64 * 1024;

interface Functions {
  readonly decode: (last: number, end: number, reach: number, ring: number) => number;
  readonly copy: (distance: number, length: number, out: number, ring: number) => number;
}

let module: WasmModule | undefined;

/** Compiled on first use. */
function decoderModule(): WasmModule {
  module ??= compile(encodeModule([decodeSymbols(), copyRest()]))!;
  return module;
}

const idle: LzmaMemory[] = [];
const MAX_IDLE = 2;
const MAX_IDLE_BYTES = WINDOW + 9 * 1024 * 1024; // the usual dictionary has 8 MB

/** Creating an instance takes longer than unpacking a small file, so unused ones are reused. */
export function acquireMemory(): LzmaMemory {
  return idle.pop() ?? new LzmaMemory();
}

/** Views of it must not be used any more. Returns true if it is kept for reuse; otherwise garbage collection frees it. */
export function releaseMemory(memory: LzmaMemory): boolean {
  const isKept = idle.length < MAX_IDLE && memory.bytes.length <= MAX_IDLE_BYTES;
  if (isKept) idle.push(memory);
  return isKept;
}

/** The memory in which one stream is decoded, and the code that does it. */
export class LzmaMemory {
  readonly functions: Functions;
  readonly #memory: WasmMemory;
  bytes: Uint8Array<ArrayBuffer>;
  fields: Int32Array<ArrayBuffer>;

  constructor() {
    const max = pagesFor(MAX_WINDOW + WINDOW_MARGIN);
    const { functions, memory } = instantiateGrowable<Functions>(decoderModule(), pagesFor(PAGE), max);
    this.functions = functions;
    this.#memory = memory;
    this.bytes = new Uint8Array(memory.buffer);
    this.fields = new Int32Array(memory.buffer, STATE, FIELDS);
  }

  /** Grows the memory for a window of this size. Invalidates all views of it. */
  reserve(size: number): void {
    const missing = pagesFor(size) - this.bytes.length / PAGE;
    if (missing <= 0) return;
    try {
      this.#memory.grow(missing);
    } catch {
      throw new LimitExceeded('dictionary');
    }
    this.bytes = new Uint8Array(this.#memory.buffer);
    this.fields = new Int32Array(this.#memory.buffer, STATE, FIELDS);
  }
}

function pagesFor(window: number): number {
  return Math.ceil((WINDOW + window + WINDOW_MARGIN) / PAGE);
}
