/**
 * The prefilter as a WebAssembly module with SIMD instructions, generated for a list of detectors: finds the positions of a text at which a
 * detector may match. Pipeline per tile: mask pass (byte classes to bit masks), word pass (known words, context words), start filters
 * (shifts and ANDs over the masks), DFA (which detectors may match there).
 */
import {
  type Code,
  encodeModule,
  i8x16,
  i32,
  ifElse,
  Locals,
  v128,
  type WasmFunction,
  whileTrue,
} from '../../base/wasm/assembler.ts';
import { compile, instantiate, type WasmModule } from '../../base/wasm/instance.ts';
import { ALNUM, CLASS_OF, SEPARATORS } from './byte-classes.ts';
import { type DetectorSet, DetectorSets } from './detector-sets.ts';
import { nearLabel, runDfa, separator } from './dfa-functions.ts';
import { findBlanks } from './find-blanks.ts';
import { findCandidates } from './find-candidates.ts';
import { HEADS, headTables } from './heads.ts';
import { BITSET_BYTES, detectorBitsOf, type Labels, writeDetectorBits } from './labels.ts';
import { CANDIDATES_BYTES, type Layout, layoutFor, MAX_DETECTOR_SETS, WINDOW_BYTES } from './layout.ts';
import { LazyDfa, maxRows, rowBytes } from './lazy-dfa.ts';
import type { FieldScope, Prefilter } from './prefilter.ts';
import type { PrefilterPlan } from './prefilter-plan.ts';
import { START } from './start-filter.ts';
import { wordPass } from './word-pass.ts';

interface KernelFunctions {
  find(from: number, to: number, fieldScope: number): number;
  lines(from: number, to: number): number;
  blanks(from: number, to: number): number;
}

/** Returns null if SIMD is not available. */
export function createKernel(plan: PrefilterPlan): Kernel | null {
  const kernelModule = modules.get(plan) ?? compileModule(plan);
  modules.set(plan, kernelModule);
  return kernelModule === null ? null : new Kernel(plan, kernelModule);
}

/** Each scanner has its own memory, but scanners of the same detectors share the compiled module. */
const modules = new WeakMap<PrefilterPlan, KernelModule | null>();

interface KernelModule {
  readonly layout: Layout;
  readonly module: WasmModule;
}

function compileModule(plan: PrefilterPlan): KernelModule | null {
  const layout = layoutFor(rowBytes(plan.nfa), maxRows(plan.nfa), plan.labels.labelSets.length);
  for (const relaxed of [true, false]) {
    const module = compile(kernelCode(plan, layout, relaxed));
    if (module !== null) return { layout, module };
  }
  return null;
}

/** `relaxed`: uses relaxed SIMD instructions, which not every engine has. */
export function kernelCode(plan: PrefilterPlan, layout: Layout, relaxed: boolean): Uint8Array<ArrayBuffer> {
  const find = findCandidates({
    startFilters: plan.startFilters,
    labelGated: plan.labelGated,
    layout,
    relaxed,
  });
  const functions = [runDfa(layout), separator(layout, SEPARATORS), wordPass(layout), nearLabel(layout)]; // in the order of FUNCTIONS
  return encodeModule([...functions, find, countLines(layout), findBlanks()]);
}

/** Bytes of the first call; later calls are longer, up to the window. */
const MIN_STRIDE_LENGTH = 2048;

/** Candidates with a missing DFA transition in a call up to which the next call is longer. */
const MAX_MISSED_TO_GROW = 16;

export class Kernel implements Prefilter {
  readonly window: Buffer;
  readonly base: number;
  readonly candidates: Int32Array;
  count = 0;
  lastLineEnd = -1;
  readonly #functions: KernelFunctions;
  readonly #cells: Int32Array;
  readonly #detectorBits: BigUint64Array;
  readonly #labels: Labels;
  readonly #layout: Layout;
  readonly #dfa: LazyDfa;
  #stride = MIN_STRIDE_LENGTH;
  #missingTransitions = 0;

  constructor(plan: PrefilterPlan, { layout, module }: KernelModule) {
    const { functions, memory } = instantiate<KernelFunctions>(module, layout.pages);
    this.#functions = functions;
    this.#layout = layout;
    this.#cells = new Int32Array(memory, 0, 16);
    this.#labels = plan.labels;
    this.#detectorBits = new BigUint64Array(
      memory,
      layout.detectorBits,
      ((MAX_DETECTOR_SETS + 1) * BITSET_BYTES) / 8,
    );
    this.base = layout.window;
    this.window = Buffer.from(memory, layout.window, WINDOW_BYTES);
    this.candidates = new Int32Array(memory, layout.candidates, CANDIDATES_BYTES / 4);
    fillTables(new Uint8Array(memory), plan, layout);
    const steps = new Int32Array(memory, layout.table, layout.tableBytes / 4);
    const detectorSets = new DetectorSets(({ ifLabelled }, number) => {
      if (number < MAX_DETECTOR_SETS) this.#setDetectorBits(number, ifLabelled);
    });
    this.#dfa = new LazyDfa(plan.nfa, steps, detectorSets);
  }

  /**
   * Scans in short pieces while the DFA table is still growing: a missing transition stays missing until the end of the call, at every
   * position that needs it.
   */
  findCandidates(_: Buffer, from: number, to: number, fieldScope: FieldScope): number {
    this.#stride =
      this.#missingTransitions > MAX_MISSED_TO_GROW
        ? MIN_STRIDE_LENGTH
        : Math.min(this.#stride * 2, WINDOW_BYTES);
    this.#missingTransitions = 0;
    const end = Math.min(to, from + this.#stride);
    this.count = this.#functions.find(from + this.base, end + this.base, fieldScope);
    return Math.min(end, this.#cells[this.#layout.stopped >> 2]! - this.base);
  }

  setColumnDetectors(detectors: readonly number[]): void {
    this.#setDetectorBits(MAX_DETECTOR_SETS, detectors);
  }

  /** The bits at index MAX_DETECTOR_SETS are those of the columns. */
  #setDetectorBits(detectorSet: number, detectors: readonly number[]): void {
    writeDetectorBits(this.#detectorBits, detectorSet, detectorBitsOf(this.#labels, detectors));
  }

  detectorSetAt(id: number, bytes: Buffer, at: number): DetectorSet {
    if (id < 0) return this.#dfa.detectorSets.at(~id);
    this.#missingTransitions++;
    return this.#dfa.detectorSets.at(this.#dfa.run(bytes, at, id));
  }

  lines(_: Buffer, from: number, to: number): number {
    this.#cells[this.#layout.lineEnd >> 2] = this.base - 1;
    const count = this.#functions.lines(from + this.base, to + this.base);
    this.lastLineEnd = this.#cells[this.#layout.lineEnd >> 2]! - this.base;
    return count;
  }

  blanks(_: Buffer, from: number, to: number): number {
    return this.#functions.blanks(from + this.base, to + this.base) - this.base;
  }
}

function fillTables(memory: Uint8Array, plan: PrefilterPlan, layout: Layout): void {
  const { cells, labelSets } = plan.labels;
  new Uint16Array(memory.buffer, layout.labels, cells.length).set(cells);
  const memoryBits = new BigUint64Array(
    memory.buffer,
    layout.labelSets,
    (labelSets.length * BITSET_BYTES) / 8,
  );
  for (const [n, bits] of labelSets.entries()) writeDetectorBits(memoryBits, n, bits);
  const suffixes = memory.subarray(layout.suffixes);
  for (const cell of plan.suffixes.keys()) suffixes[cell >> 3]! |= 1 << (cell & 7);
  const { three, four } = headTables(plan.startFilters.wordPrefixes);
  memory.set(three, layout.heads);
  memory.set(four, layout.heads + HEADS);
  memory.set(
    CLASS_OF.map((kind) => (kind & ALNUM ? START.inside : START.word)),
    layout.insides,
  );
  const classOffsets = new Uint16Array(memory.buffer, layout.byteClasses, 256);
  classOffsets.set(Uint16Array.from(plan.nfa.classOf, (kind) => kind * 4));
}

const VECTOR = 16;

const NEWLINE = 10;

/** lines(from, to): the number of line ends; stores the position of the last one in `layout.lineEnd`. */
export function countLines(layout: Layout): WasmFunction {
  const locals = new Locals(2);
  const [from, to] = [locals.param(0), locals.param(1)];
  const [bits, count, rest] = [locals.i32(), locals.i32(), locals.i32()];
  const body: Code[] = [
    whileTrue(i32.ltS(from.get, to.get), [
      bits.set(i8x16.bitmask(i8x16.eq(v128.load(0, from.get), i8x16.splat(NEWLINE)))),
      rest.set(i32.sub(to.get, from.get)),
      ifElse(i32.ltS(rest.get, i32.const(VECTOR)), [
        bits.set(i32.and(bits.get, i32.sub(i32.shl(i32.const(1), rest.get), i32.const(1)))),
      ]),
      ifElse(bits.get, [
        count.set(i32.add(count.get, i32.popcnt(bits.get))),
        i32.store(layout.lineEnd, i32.const(0), i32.add(from.get, i32.sub(i32.const(31), i32.clz(bits.get)))),
      ]),
      from.set(i32.add(from.get, i32.const(VECTOR))),
    ]),
    count.get,
  ];
  return { name: 'lines', locals, body };
}
