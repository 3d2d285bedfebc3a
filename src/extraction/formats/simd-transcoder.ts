/** The SIMD transcoder. It is stateless between calls, so a thread needs only one. */
import { encodeModule } from '../../base/wasm/assembler.ts';
import { compile, instantiate } from '../../base/wasm/instance.ts';
import { MARGIN, pickTable, transcodeUtf16 } from './simd-utf16.ts';

/** Bytes of a block of narrowed text. */
export const BLOCK: number = 32 * 1024;
/** A character may begin this many bytes before a block's end: the longest one then fits. */
export const MAX_LENGTH = 4;

const STOPPED = 0;
const PICKS = 16;
const WIDE = PICKS + 256 * 16;
const NARROW = WIDE + 2 * BLOCK + MARGIN;
const PAGES = Math.ceil((NARROW + BLOCK + MARGIN) / 65536);

type TranscodeFunction = (from: number, to: number, out: number, last: number) => number;

interface TranscodeFunctions {
  readonly narrowLittle: TranscodeFunction;
  readonly narrowBig: TranscodeFunction;
}

let made: SimdTranscoder | null | undefined;

/** null where vector instructions are missing. */
export function simdTranscoder(): SimdTranscoder | null {
  if (made === undefined) made = makeTranscoder();
  return made;
}

function makeTranscoder(): SimdTranscoder | null {
  const layout = { stopped: STOPPED, picks: PICKS };
  const module = compile(encodeModule([transcodeUtf16(layout, true), transcodeUtf16(layout, false)]));
  if (module === null) return null;
  const { functions, memory } = instantiate<TranscodeFunctions>(module, PAGES);
  return new SimdTranscoder(functions, memory);
}

class SimdTranscoder {
  readonly #functions: TranscodeFunctions;
  readonly #memory: Uint8Array;
  readonly #cells: Int32Array;

  constructor(functions: TranscodeFunctions, memory: ArrayBuffer) {
    this.#functions = functions;
    this.#memory = new Uint8Array(memory);
    this.#cells = new Int32Array(memory, 0, 4);
    this.#memory.set(pickTable(), PICKS);
  }

  /** As many bytes as were taken by the last call. */
  get taken(): number {
    return this.#cells[STOPPED >> 2]! - WIDE;
  }

  /** Transcodes from `bytes` at `at` into the block at `used`, until either ends, and returns the new `used`. */
  transcode(bytes: Uint8Array, at: number, little: boolean, block: Uint8Array, used: number): number {
    // A unit yields at least a byte, so no more are needed to fill the block.
    const wide = bytes.subarray(at, at + 2 * (BLOCK - used));
    this.#memory.set(wide, WIDE);
    const narrow = little ? this.#functions.narrowLittle : this.#functions.narrowBig;
    const end = narrow(WIDE, WIDE + wide.length, NARROW, NARROW + BLOCK - MAX_LENGTH - used);
    block.set(this.#memory.subarray(NARROW, end), used);
    return used + end - NARROW;
  }
}

export type { SimdTranscoder };
