/** Thompson's construction: a pattern as an NFA, with every counted repetition expanded. */
import { isAlnum } from '../bytes.ts';
import type { ByteSet, Node, Pattern } from './parse.ts';
import { PatternError } from './pattern-error.ts';

/** A state reads a byte, asserts a word boundary, splits, or accepts. */
export type NfaState =
  | { readonly kind: 'byte'; readonly set: ByteSet; readonly next: number }
  | { readonly kind: 'border'; readonly next: number }
  | { readonly kind: 'split'; readonly next: readonly number[] }
  | { readonly kind: 'end' };

export interface Nfa {
  readonly states: readonly NfaState[];
  readonly start: number;
  /** Bytes that no set of the pattern distinguishes share a class. */
  readonly classOf: Uint8Array;
  readonly classes: number;
  /** By class: one of its bytes. */
  readonly sample: readonly number[];
}

/** The accepting state. */
export const END = 0;
/** Limits the cost per byte of a hostile pattern. */
const MAX_STATES = 1000;

export function compileNfa(pattern: Pattern): Nfa {
  const builder = new NfaBuilder(MAX_STATES, () => {
    const what = `more than ${MAX_STATES} steps when its counts are written out, which is too many`;
    throw new PatternError(pattern.source, 0, what, 'lower the counts in {…}');
  });
  builder.end(); // END
  const start = builder.build(pattern.root, END);
  return { states: builder.states, start, ...byteClasses(builder.states) };
}

/** The epsilon closure: the states reachable from `states` without reading a byte. */
export function epsilonClosure(
  { states }: Pick<Nfa, 'states'>,
  from: readonly number[],
  border: boolean,
): Set<number> {
  const reached = new Set<number>();
  const open = [...from];
  for (let at = open.pop(); at !== undefined; at = open.pop()) {
    if (reached.has(at)) continue;
    reached.add(at);
    const state = states[at]!;
    if (state.kind === 'split') open.push(...state.next);
    else if (state.kind === 'border' && border) open.push(state.next);
  }
  return reached;
}

export class NfaBuilder {
  readonly states: NfaState[] = [];
  readonly #max: number;
  readonly #full: () => never;

  constructor(max: number, full: () => never) {
    this.#max = max;
    this.#full = full;
  }

  /** Adds an accepting state. */
  end(): number {
    return this.#add({ kind: 'end' });
  }

  /** Returns the initial state of `node`, given the state `next` that follows it. */
  build(node: Node, next: number): number {
    switch (node.kind) {
      case 'byte':
        return this.#add({ kind: 'byte', set: node.set, next });
      case 'border':
        return this.#add({ kind: 'border', next });
      case 'sequence':
        return node.items.reduceRight((after, item) => this.build(item, after), next);
      case 'choice':
        return this.#add({ kind: 'split', next: node.options.map((option) => this.build(option, next)) });
      case 'repeat':
        return this.#repeat(node, next);
    }
  }

  #repeat({ item, min, max }: Extract<Node, { kind: 'repeat' }>, next: number): number {
    let entry = next;
    if (max === Number.POSITIVE_INFINITY) {
      entry = this.#add({ kind: 'split', next: [] }); // the loop's edge is added once the item exists
      this.states[entry] = { kind: 'split', next: [this.build(item, entry), next] };
    } else {
      for (let n = min; n < max; n++)
        entry = this.#add({ kind: 'split', next: [this.build(item, entry), next] });
    }
    for (let n = 0; n < min; n++) entry = this.build(item, entry);
    return entry;
  }

  #add(state: NfaState): number {
    if (this.states.length >= this.#max) this.#full();
    return this.states.push(state) - 1;
  }
}

/** Partitions bytes into equivalence classes: each set splits the existing classes in two. */
export function byteClasses(states: readonly NfaState[]): Pick<Nfa, 'classOf' | 'classes' | 'sample'> {
  const sets = new Set<ByteSet>();
  for (const state of states) if (state.kind === 'byte') sets.add(state.set);
  let classOf = refineClasses(new Uint8Array(256), (byte) => isAlnum(byte));
  for (const set of sets) classOf = refineClasses(classOf, (byte) => set[byte] === 1);
  const sample: number[] = [];
  for (let byte = 255; byte >= 0; byte--) sample[classOf[byte]!] = byte;
  return { classOf, classes: sample.length, sample };
}

function refineClasses(classOf: Uint8Array, test: (byte: number) => boolean): Uint8Array {
  const known = new Int16Array(512).fill(-1);
  let count = 0;
  return classOf.map((before, byte) => {
    const key = 2 * before + (test(byte) ? 1 : 0);
    if (known[key] === -1) known[key] = count++;
    return known[key]!;
  });
}
