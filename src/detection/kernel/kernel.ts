/** The kernel: a module for the vector unit that is made from the anchors of the detectors when the process starts. */
import type { AnchorFinder } from './anchor-finder.ts';
import type { AnchorPlan } from './anchor-plan.ts';
import { moduleOf } from './assembler.ts';
import { SEPARATORS } from './byte-classes.ts';
import { countLines } from './count-lines.ts';
import { FUNCTIONS, isBordered } from './drain.ts';
import { findAnchors } from './find-anchors.ts';
import { type Layout, layoutFor, PAIR_TABLE_BYTES, RECORDS_BYTES, WINDOW_BYTES } from './layout.ts';
import { LITERAL_BYTES } from './literals.ts';
import type { Naming } from './naming.ts';
import { begins, paired, separator } from './probe-functions.ts';
import { wordPass } from './word-pass.ts';

/** As much of it as is needed here: the platform has it, the language's own declarations do not. */
declare const WebAssembly: {
  validate(code: Uint8Array): boolean;
  readonly Memory: new (pages: { initial: number; maximum: number }) => { readonly buffer: ArrayBuffer };
  readonly Module: new (code: Uint8Array) => object;
  readonly Instance: new (
    module: object,
    imports: { env: { memory: object } },
  ) => { readonly exports: KernelFunctions };
};

interface KernelFunctions {
  find(from: number, to: number, naming: number): number;
  lines(from: number, to: number): number;
}

/** null where vector instructions are missing. */
export function kernelFinder(plan: AnchorPlan): Kernel | null {
  const made = modules.get(plan) ?? makeModule(plan);
  modules.set(plan, made);
  return made === null ? null : new Kernel(plan, made);
}

/** Every scanner has a memory of its own, but those of the same detectors share the code. */
const modules = new WeakMap<AnchorPlan, KernelModule | null>();

interface KernelModule {
  readonly layout: Layout;
  readonly module: object;
}

function makeModule(plan: AnchorPlan): KernelModule | null {
  const pairTables = plan.filters.filter(({ probe }) => probe === 'pair').length;
  const layout = layoutFor(pairTables, plan.chains.literals.length);
  for (const relaxed of [true, false]) {
    const code = kernelCode(plan, layout, relaxed);
    if (WebAssembly.validate(code)) return { layout, module: new WebAssembly.Module(code) };
  }
  return null;
}

/** `relaxed`: with instructions that not every engine has. */
export function kernelCode(plan: AnchorPlan, layout: Layout, relaxed: boolean): Uint8Array<ArrayBuffer> {
  const find = findAnchors({ filters: plan.filters, tails: plan.tailTexts, layout, relaxed });
  const words = wordPass(layout, FUNCTIONS.begins, plan.filters.findIndex(isBordered));
  const asked = [begins(layout), paired(), separator(layout, SEPARATORS), words]; // in the order of FUNCTIONS
  return moduleOf([...asked, find, countLines(layout)]);
}

export class Kernel implements AnchorFinder {
  readonly window: Buffer;
  readonly base: number;
  readonly records: Int32Array;
  count = 0;
  lastLineEnd = -1;
  readonly #functions: KernelFunctions;
  readonly #cells: Int32Array;
  readonly #layout: Layout;

  constructor(plan: AnchorPlan, { layout, module }: KernelModule) {
    const memory = new WebAssembly.Memory({ initial: layout.pages, maximum: layout.pages });
    const { exports } = new WebAssembly.Instance(module, { env: { memory } });
    this.#functions = exports;
    this.#layout = layout;
    this.#cells = new Int32Array(memory.buffer, 0, 16);
    this.base = layout.window;
    this.window = Buffer.from(memory.buffer, layout.window, WINDOW_BYTES);
    this.records = new Int32Array(memory.buffer, layout.records, RECORDS_BYTES / 4);
    fillTables(new Uint8Array(memory.buffer), plan, layout);
  }

  find(_: Buffer, from: number, to: number, naming: Naming): number {
    this.count = this.#functions.find(from + this.base, to + this.base, naming);
    return Math.min(to, this.#cells[this.#layout.stopped >> 2]! - this.base);
  }

  lines(_: Buffer, from: number, to: number): number {
    this.#cells[this.#layout.lineEnd >> 2] = this.base - 1;
    const count = this.#functions.lines(from + this.base, to + this.base);
    this.lastLineEnd = this.#cells[this.#layout.lineEnd >> 2]! - this.base;
    return count;
  }
}

function fillTables(memory: Uint8Array, plan: AnchorPlan, layout: Layout): void {
  memory.set(plan.labels, layout.labels);
  const tails = memory.subarray(layout.tails);
  for (const cell of plan.tails.keys()) tails[cell >> 3]! |= 1 << (cell & 7);
  const { heads, literals } = plan.chains;
  new Uint16Array(memory.buffer, layout.heads, heads.length).set(heads);
  const chains = new DataView(memory.buffer, layout.literals);
  for (const [n, { bits, mask }] of literals.entries()) {
    chains.setBigUint64(n * LITERAL_BYTES, bits, true);
    chains.setBigUint64(n * LITERAL_BYTES + 8, mask, true);
  }
  let pairs = layout.pairs;
  for (const { probe, keys } of plan.filters) {
    if (probe !== 'pair') continue;
    for (const pair of keys.keys()) memory[pairs + (pair >> 3)]! |= 1 << (pair & 7);
    pairs += PAIR_TABLE_BYTES;
  }
}
