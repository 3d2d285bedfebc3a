/**
 * The combined NFA as a DFA whose states are built when first needed. Its transition table is in the memory of the kernel, which follows it and
 * leaves missing transitions to this class. When the table is full it is cleared.
 */
import { isAlnum } from '../bytes.ts';
import { type CombinedNfa, MAX_DEPTH } from './combined-nfa.ts';
import { type DetectorSets, EMPTY_SET } from './detector-sets.ts';

/**
 * Rows are identified by their byte offset in the table. All transitions of row 0 (missing) and of accepting rows lead back to the same
 * row, because the kernel reads several bytes before it tests the status.
 */
const UNKNOWN = 0;

/** Status of a row: still running, transition missing, or negative: ended with detector set ~status. */
const RUNNING = 0;

const MISSING = 1;

/** The start rows follow the row for missing transitions. */
export const FIRST_START = 1;

export class LazyDfa {
  readonly detectorSets: DetectorSets;
  readonly #nfa: CombinedNfa;
  readonly #table: Int32Array;
  /** 32-bit words per row. */
  readonly #width: number;
  /** By NFA state: the round in which it was last expanded, and last reached; each happens at most once per round. */
  readonly #expanded: Int32Array;
  readonly #reached: Int32Array;
  #round = 0;
  #count = 0;
  #states = new DfaStates();
  readonly #rowByState = new Map<number, number>(); // by state number
  readonly #stateByRow = new Map<number, number>(); // by row
  readonly #rowByDetectorSet = new Map<number, number>(); // by detector set

  constructor(nfa: CombinedNfa, table: Int32Array, detectorSets: DetectorSets) {
    this.detectorSets = detectorSets;
    this.#nfa = nfa;
    this.#table = table;
    this.#width = rowBytes(nfa) / 4;
    this.#expanded = new Int32Array(nfa.states.length);
    this.#reached = new Int32Array(nfa.states.length);
    this.#flushCache();
  }

  /** The number of the detector set at a position. */
  run(bytes: Buffer, at: number, start: number): number {
    const { classOf, classes } = this.#nfa;
    let row = (FIRST_START + start) * this.#width * 4;
    for (let i = at; ; i++) {
      const byteClass = classOf[bytes[i]!]!;
      const known = this.#table[(row >> 2) + byteClass]!;
      row = known === UNKNOWN ? this.#computeTransition(row, byteClass) : known;
      const status = this.#table[(row >> 2) + classes]!;
      if (status !== RUNNING) return ~status;
    }
  }

  #computeTransition(row: number, byteClass: number): number {
    const state = this.#states.at(this.#stateByRow.get(row)!);
    const next = this.#step(state, this.#nfa.sample[byteClass]!);
    const full = (this.#count + 1) * this.#width > this.#table.length;
    if (full) this.#flushCache(); // the source row is gone too
    const ended = next.threads.length === 0 || next.depth === MAX_DEPTH;
    const to = ended ? this.#acceptingRow(this.#detectorSetOf(next)) : this.#rowFor(next);
    if (!full) this.#table[(row >> 2) + byteClass] = to;
    return to;
  }

  /** Advances all threads by one byte. A pattern that has matched needs no more threads. */
  #step({ threads, complete, afterWord, depth }: DfaState, byte: number): DfaState {
    const { states, owners } = this.#nfa;
    const isBoundary = !(afterWord && isAlnum(byte));
    const completed: number[] = [];
    const next: number[] = [];
    const pending = [...threads];
    this.#round++;
    for (let at = pending.pop(); at !== undefined; at = pending.pop()) {
      if (!this.#isNew(this.#expanded, at)) continue;
      const state = states[at]!;
      if (state.kind === 'end') completed.push(owners[at]!);
      else if (state.kind === 'split') pending.push(...state.next);
      else if (state.kind === 'byte') {
        if (state.set[byte] === 1 && this.#isNew(this.#reached, state.next)) next.push(state.next);
      } else if (isBoundary) pending.push(state.next);
    }
    const all = completed.length === 0 ? complete : [...new Set([...complete, ...completed])].sort(byNumber);
    const remaining = all.length === 0 ? next : next.filter((at) => !all.includes(owners[at]!));
    return { threads: remaining.sort(byNumber), complete: all, afterWord: isAlnum(byte), depth: depth + 1 };
  }

  #isNew(rounds: Int32Array, state: number): boolean {
    if (rounds[state] === this.#round) return false;
    rounds[state] = this.#round;
    return true;
  }

  /** At the depth limit, detectors whose patterns may still match are included, or they would be missed. */
  #detectorSetOf({ threads, complete }: DfaState): number {
    return this.detectorSets.numberOf([...complete, ...threads.map((at) => this.#nfa.owners[at]!)]);
  }

  #rowFor(state: DfaState): number {
    const number = this.#states.numberOf(state);
    const known = this.#rowByState.get(number);
    if (known !== undefined) return known;
    const row = this.#addRow(RUNNING);
    this.#rowByState.set(number, row);
    this.#stateByRow.set(row, number);
    return row;
  }

  /** The row of runs that ended with this set: all its transitions lead back to it. */
  #acceptingRow(detectorSet: number): number {
    const known = this.#rowByDetectorSet.get(detectorSet);
    if (known !== undefined) return known;
    const row = this.#addRow(~detectorSet);
    this.#table.fill(row, row >> 2, (row >> 2) + this.#width - 1);
    this.#rowByDetectorSet.set(detectorSet, row);
    return row;
  }

  #addRow(status: number): number {
    const row = this.#count++ * this.#width * 4;
    this.#table[(row >> 2) + this.#width - 1] = status;
    return row;
  }

  #flushCache(): void {
    this.#table.fill(UNKNOWN, 0, this.#count * this.#width);
    this.#count = 0;
    this.#states = new DfaStates();
    for (const known of [this.#rowByState, this.#stateByRow, this.#rowByDetectorSet]) known.clear();
    this.#addRow(MISSING);
    // The kernel computes the offsets of the start rows, so they must be consecutive.
    for (const threads of this.#nfa.starts)
      this.#stateByRow.set(
        this.#addRow(RUNNING),
        this.#states.add({ threads, complete: [], afterWord: false, depth: 0 }),
      );
    this.#acceptingRow(EMPTY_SET);
  }
}

export function rowBytes({ classes }: CombinedNfa): number {
  return (classes + 1) * 4;
}

/** An estimate with a margin: a few rows per NFA state. */
export function maxRows({ states }: CombinedNfa): number {
  return 256 + 4 * states.length;
}

function byNumber(a: number, b: number): number {
  return a - b;
}

/** A DFA state. States are interned: equal ones have the same number. */
export interface DfaState {
  /** NFA states, and owners of the patterns that have matched; both sorted. */
  readonly threads: readonly number[];
  readonly complete: readonly number[];
  /** The last byte was a letter or digit; needed for `\b`. */
  readonly afterWord: boolean;
  /** Bytes read so far. */
  readonly depth: number;
}

export class DfaStates {
  readonly #all: DfaState[] = [];
  /** By hash: the numbers of the states that have it. */
  readonly #numbersByHash = new Map<number, number[]>();

  get count(): number {
    return this.#all.length;
  }

  at(number: number): DfaState {
    return this.#all[number]!;
  }

  add(state: DfaState): number {
    return this.#all.push(state) - 1;
  }

  numberOf(state: DfaState): number {
    const hash = hashOf(state);
    const sameHash = this.#numbersByHash.get(hash) ?? [];
    for (const number of sameHash) if (areEqual(this.#all[number]!, state)) return number;
    const number = this.add(state);
    sameHash.push(number);
    this.#numbersByHash.set(hash, sameHash);
    return number;
  }
}

function hashOf({ threads, complete, afterWord, depth }: DfaState): number {
  let hash = depth * 2 + (afterWord ? 1 : 0);
  for (let n = 0; n < threads.length; n++) hash = Math.imul(hash ^ threads[n]!, 0x01000193);
  for (let n = 0; n < complete.length; n++) hash = Math.imul(hash ^ ~complete[n]!, 0x01000193);
  return hash;
}

function areEqual(a: DfaState, b: DfaState): boolean {
  return (
    a.depth === b.depth &&
    a.afterWord === b.afterWord &&
    areSame(a.threads, b.threads) &&
    areSame(a.complete, b.complete)
  );
}

function areSame(a: readonly number[], b: readonly number[]): boolean {
  if (a.length !== b.length) return false;
  for (let n = 0; n < a.length; n++) if (a[n] !== b[n]) return false;
  return true;
}
