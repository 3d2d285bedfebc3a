/** The kernel: a module for the vector unit that is made from the anchors of the detectors when the process starts. */
import { moduleOf } from '../../base/wasm/assembler.ts';
import { compile, instantiate, type WasmModule } from '../../base/wasm/instance.ts';
import type { AnchorFinder } from './anchor-finder.ts';
import type { AnchorPlan } from './anchor-plan.ts';
import { ALNUM, CLASS_OF, SEPARATORS } from './byte-classes.ts';
import { countLines } from './count-lines.ts';
import { findAnchors } from './find-anchors.ts';
import { findBlanks } from './find-blanks.ts';
import { GrowingTable, mostRows, rowBytes } from './growing-table.ts';
import { HEADS, headTables } from './heads.ts';
import { type Labels, VOICE_BYTES, voicesOf, writeVoices } from './labels.ts';
import { type Layout, layoutFor, MOST_OUTCOMES, RECORDS_BYTES, WINDOW_BYTES } from './layout.ts';
import type { Naming } from './naming.ts';
import { START } from './openings.ts';
import { type Outcome, Outcomes } from './outcomes.ts';
import { judge, listens, separator } from './probe-functions.ts';
import { wordPass } from './word-pass.ts';

interface KernelFunctions {
  find(from: number, to: number, naming: number): number;
  lines(from: number, to: number): number;
  blanks(from: number, to: number): number;
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
  readonly module: WasmModule;
}

function makeModule(plan: AnchorPlan): KernelModule | null {
  const layout = layoutFor(rowBytes(plan.automaton), mostRows(plan.automaton), plan.labels.speeches.length);
  for (const relaxed of [true, false]) {
    const module = compile(kernelCode(plan, layout, relaxed));
    if (module !== null) return { layout, module };
  }
  return null;
}

/** `relaxed`: with instructions that not every engine has. */
export function kernelCode(plan: AnchorPlan, layout: Layout, relaxed: boolean): Uint8Array<ArrayBuffer> {
  const find = findAnchors({ openings: plan.openings, listeners: plan.listeners, layout, relaxed });
  const asked = [judge(layout), separator(layout, SEPARATORS), wordPass(layout), listens(layout)]; // in the order of FUNCTIONS
  return moduleOf([...asked, find, countLines(layout), findBlanks()]);
}

const SHORTEST_STRIDE = 2048;
const FEW_MISSED = 16;

export class Kernel implements AnchorFinder {
  readonly window: Buffer;
  readonly base: number;
  readonly records: Int32Array;
  count = 0;
  lastLineEnd = -1;
  readonly #functions: KernelFunctions;
  readonly #cells: Int32Array;
  readonly #voices: BigUint64Array;
  readonly #labels: Labels;
  readonly #layout: Layout;
  readonly #table: GrowingTable;
  #stride = SHORTEST_STRIDE;
  #missed = 0;

  constructor(plan: AnchorPlan, { layout, module }: KernelModule) {
    const { functions, memory } = instantiate<KernelFunctions>(module, layout.pages);
    this.#functions = functions;
    this.#layout = layout;
    this.#cells = new Int32Array(memory, 0, 16);
    this.#labels = plan.labels;
    this.#voices = new BigUint64Array(memory, layout.voices, ((MOST_OUTCOMES + 1) * VOICE_BYTES) / 8);
    this.base = layout.window;
    this.window = Buffer.from(memory, layout.window, WINDOW_BYTES);
    this.records = new Int32Array(memory, layout.records, RECORDS_BYTES / 4);
    fillTables(new Uint8Array(memory), plan, layout);
    const steps = new Int32Array(memory, layout.table, layout.tableBytes / 4);
    const outcomes = new Outcomes(({ named }, number) => {
      if (number < MOST_OUTCOMES) this.#tell(number, named);
    });
    this.#table = new GrowingTable(plan.automaton, steps, outcomes);
  }

  /** While the automaton's table still grows, little at once: what is missing in it is missed at every place that needs it. */
  find(_: Buffer, from: number, to: number, naming: Naming): number {
    this.#stride = this.#missed > FEW_MISSED ? SHORTEST_STRIDE : Math.min(this.#stride * 2, WINDOW_BYTES);
    this.#missed = 0;
    const end = Math.min(to, from + this.#stride);
    this.count = this.#functions.find(from + this.base, end + this.base, naming);
    return Math.min(end, this.#cells[this.#layout.stopped >> 2]! - this.base);
  }

  care(detectors: readonly number[]): void {
    this.#tell(MOST_OUTCOMES, detectors);
  }

  /** What stands behind the last outcome's voices are those of the columns. */
  #tell(outcome: number, detectors: readonly number[]): void {
    writeVoices(this.#voices, outcome, voicesOf(this.#labels, detectors));
  }

  whom(id: number, bytes: Buffer, place: number): Outcome {
    if (id < 0) return this.#table.outcomes.at(~id);
    this.#missed++;
    return this.#table.outcomes.at(this.#table.run(bytes, place, id));
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

function fillTables(memory: Uint8Array, plan: AnchorPlan, layout: Layout): void {
  const { cells, speeches } = plan.labels;
  new Uint16Array(memory.buffer, layout.labels, cells.length).set(cells);
  const spoken = new BigUint64Array(memory.buffer, layout.speeches, (speeches.length * VOICE_BYTES) / 8);
  for (const [n, speech] of speeches.entries()) writeVoices(spoken, n, speech);
  const tails = memory.subarray(layout.tails);
  for (const cell of plan.tails.keys()) tails[cell >> 3]! |= 1 << (cell & 7);
  const { three, four } = headTables(plan.openings.words);
  memory.set(three, layout.heads);
  memory.set(four, layout.heads + HEADS);
  memory.set(
    CLASS_OF.map((kind) => (kind & ALNUM ? START.inside : START.word)),
    layout.insides,
  );
  const kinds = new Uint16Array(memory.buffer, layout.byteClasses, 256);
  kinds.set(Uint16Array.from(plan.automaton.classOf, (kind) => kind * 4));
}
