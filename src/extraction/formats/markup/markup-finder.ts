import { encodeModule } from '../../../base/wasm/assembler.ts';
import { compile, instantiate } from '../../../base/wasm/instance.ts';
import { BLOCK } from '../rewriter.ts';
import { findMarkup, tagTable } from './find-markup.ts';
import { JOINING } from './joining-tags.ts';

/** Finds positions that may have to be changed. May have false positives, never false negatives. */
export interface MarkupFinder {
  /** Sets the next block; `before`: the byte before it. */
  setBlock(block: Uint8Array, before: number, tags: boolean): void;
  /** The next such position from `from` on; the block's length if there is none. */
  next(from: number): number;
}

let made: MarkupFinder | undefined;

/** It keeps no state except the current block, so one per thread suffices. */
export function markupFinder(): MarkupFinder {
  made ??= vectorFinder() ?? new ScalarMarkupFinder();
  return made;
}

type Find = (from: number, to: number) => number;

// A vector is read from two bytes before the block, and beyond its end.
const TABLE = 0;
const START = 128 + 16;
const MARGIN = 32;
const PAGES = Math.ceil((START + BLOCK + MARGIN) / 65536);

function vectorFinder(): MarkupFinder | null {
  const module = compile(encodeModule([findMarkup('inHtml', TABLE), findMarkup('inXml', null)]));
  if (module === null) return null;
  const { functions, memory } = instantiate<{ readonly inHtml: Find; readonly inXml: Find }>(module, PAGES);
  new Int32Array(memory).set(tagTable(JOINING), TABLE / 4);
  return new SimdMarkupFinder(functions.inHtml, functions.inXml, new Uint8Array(memory));
}

class SimdMarkupFinder implements MarkupFinder {
  readonly #inHtml: Find;
  readonly #inXml: Find;
  readonly #memory: Uint8Array;
  #find: Find;
  #to = START;

  constructor(inHtml: Find, inXml: Find, memory: Uint8Array) {
    this.#inHtml = inHtml;
    this.#inXml = inXml;
    this.#memory = memory;
    this.#find = inXml;
  }

  setBlock(block: Uint8Array, before: number, tags: boolean): void {
    this.#memory[START - 2] = 0x30; // it might be
    this.#memory[START - 1] = before;
    this.#memory.set(block, START);
    this.#to = START + block.length;
    this.#find = tags ? this.#inHtml : this.#inXml;
  }

  next(from: number): number {
    return this.#find(START + from, this.#to) - START;
  }
}

/** For machines without vector instructions, and to compare with. */
export class ScalarMarkupFinder implements MarkupFinder {
  #block: Uint8Array = new Uint8Array(0);
  #tags = false;

  setBlock(block: Uint8Array, _before: number, tags: boolean): void {
    this.#block = block;
    this.#tags = tags;
  }

  next(from: number): number {
    const block = this.#block;
    for (let i = from; i < block.length; i++) {
      const byte = block[i]!;
      if (byte === 0x26 || (this.#tags && byte === 0x3c)) return i;
      if (byte === 0xc2 || (byte === 0xe2 && block[i + 1] === 0x80)) return i;
    }
    return block.length;
  }
}
