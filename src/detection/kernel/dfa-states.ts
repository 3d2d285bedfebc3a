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
  readonly #alike = new Map<number, number[]>();

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
    const alike = this.#alike.get(hash) ?? [];
    for (const number of alike) if (areEqual(this.#all[number]!, state)) return number;
    const number = this.add(state);
    alike.push(number);
    this.#alike.set(hash, alike);
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
