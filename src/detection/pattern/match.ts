/**
 * A lazy DFA that finds the longest match at a position. Each byte is read once, whatever the pattern: all NFA states advance together,
 * as one DFA state that is cached on demand; a full cache is flushed. If an attempt reaches the state that the previous one had at the
 * same position, it reuses that result, so consecutive attempts with a long lookahead cost no more than one.
 */
import { isAlnum } from '../bytes.ts';
import { MatchMemo } from './match-memo.ts';
import { compileNfa, END, epsilonClosure, type Nfa } from './nfa.ts';
import type { Pattern } from './parse.ts';

/** Maximum number of cached states. */
const MAX_CACHED_STATES = 1000;
const UNKNOWN = -1;
const DEAD = 0;

/** A set of NFA states, and whether a letter or digit precedes the position, as needed for `\b`. */
interface DfaState {
  readonly states: readonly number[];
  readonly afterWord: boolean;
  /** By byte class: the next state times two, plus one if the bytes read so far are a match. */
  readonly steps: Int32Array;
}

export class PatternMatcher {
  readonly #nfa: Nfa;
  readonly #memo = new MatchMemo();
  #table: DfaState[] = [];
  #stateIds = new Map<string, number>();
  readonly #starts = [UNKNOWN, UNKNOWN];

  constructor(pattern: Pattern) {
    this.#nfa = compileNfa(pattern);
    this.#flushCache();
  }

  /** The end of the longest match that begins at `at`, with at most `max` bytes (4,096 or fewer); -1 if there is none. */
  longestFrom(bytes: Uint8Array, at: number, max: number): number {
    const { classOf, start } = this.#nfa;
    const memo = this.#memo;
    let state = this.#startState(start, at > 0 && isAlnum(bytes[at - 1]!));
    let end = -1;
    memo.begin(bytes, at);
    let i = at;
    for (; state !== DEAD && i <= at + max; i++) {
      if (memo.hadState(i, state)) {
        if (memo.end >= i) end = memo.end;
        i = memo.to;
        state = memo.state;
        if (state === DEAD || i > at + max) break;
      }
      const byte = bytes[i] ?? 0;
      memo.record(i, state, byte);
      let step = this.#table[state]!.steps[classOf[byte]!]!;
      if (step === UNKNOWN) step = this.#step(state, classOf[byte]!);
      if (step & 1) end = i;
      state = step >> 1;
    }
    memo.finish(i, state, end);
    return end;
  }

  #startState(start: number, afterWord: boolean): number {
    const which = afterWord ? 1 : 0;
    if (this.#starts[which] === UNKNOWN) this.#starts[which] = this.#stateOf([start], afterWord);
    return this.#starts[which]!;
  }

  /** Advances all NFA states over a byte of this class. */
  #step(from: number, kind: number): number {
    const current = this.#table[from]!;
    const { states, sample } = this.#nfa;
    const byte = sample[kind]!;
    const border = !(current.afterWord && isAlnum(byte));
    const reached = epsilonClosure(this.#nfa, current.states, border);
    const next: number[] = [];
    for (const at of reached) {
      const state = states[at]!;
      if (state.kind === 'byte' && state.set[byte] === 1) next.push(state.next);
    }
    const matched = reached.has(END) ? 1 : 0;
    const step = (this.#stateOf(next, isAlnum(byte)) << 1) | matched;
    current.steps[kind] = step;
    return step;
  }

  #stateOf(states: readonly number[], afterWord: boolean): number {
    if (states.length === 0) return DEAD;
    const sorted = [...new Set(states)].sort((a, b) => a - b);
    const name = `${afterWord ? '+' : ''}${sorted.join()}`;
    const known = this.#stateIds.get(name);
    if (known !== undefined) return known;
    if (this.#table.length === MAX_CACHED_STATES) this.#flushCache();
    const steps = new Int32Array(this.#nfa.classes).fill(UNKNOWN);
    this.#stateIds.set(name, this.#table.length);
    return this.#table.push({ states: sorted, afterWord, steps }) - 1;
  }

  #flushCache(): void {
    this.#table = [{ states: [], afterWord: false, steps: new Int32Array(0) }];
    this.#stateIds = new Map();
    this.#starts.fill(UNKNOWN);
    this.#memo.forget();
  }
}
