/**
 * The joint automaton as a table that the kernel reads: a row for every state that a run has come to, with a step for every class of bytes
 * and a verdict. It grows as texts need it. Where the kernel comes to a step that nobody has worked out, it says so, and the run
 * is made here; when the table is full it is begun anew.
 */
import { isAlnum } from '../bytes.ts';
import { type JointAutomaton, LOOK_AHEAD } from './joint-automaton.ts';
import { NOBODY, type Outcomes } from './outcomes.ts';
import { type Standing, Standings } from './standings.ts';

/**
 * Rows are told by their first byte in the table. From the first row, where a step is not worked out, all steps lead back to it, as they do
 * from the rows where a run has ended: the kernel may go on for a few bytes before it looks.
 */
const UNKNOWN = 0;
/** The verdict of a row: the run goes on, nobody knows, or below 0: it has ended with the outcome ~verdict. */
const GOES_ON = 0;
const NOT_KNOWN = 1;
/** The starts stand behind the row of what is unknown. */
export const FIRST_START = 1;

export class GrowingTable {
  readonly outcomes: Outcomes;
  readonly #automaton: JointAutomaton;
  readonly #table: Int32Array;
  /** Numbers in a row. */
  readonly #width: number;
  /** In which round a state was last followed, and come to: both once in a round. */
  readonly #followed: Int32Array;
  readonly #reached: Int32Array;
  #round = 0;
  #count = 0;
  #standings = new Standings();
  readonly #rowOf = new Map<number, number>(); // by standing
  readonly #standingOf = new Map<number, number>(); // by row
  readonly #ends = new Map<number, number>(); // by outcome

  constructor(automaton: JointAutomaton, table: Int32Array, outcomes: Outcomes) {
    this.outcomes = outcomes;
    this.#automaton = automaton;
    this.#table = table;
    this.#width = rowBytes(automaton) / 4;
    this.#followed = new Int32Array(automaton.states.length);
    this.#reached = new Int32Array(automaton.states.length);
    this.#beginAnew();
  }

  /** The number of the outcome at a place. */
  run(bytes: Buffer, at: number, start: number): number {
    const { classOf, classes } = this.#automaton;
    let row = (FIRST_START + start) * this.#width * 4;
    for (let i = at; ; i++) {
      const kind = classOf[bytes[i]!]!;
      const known = this.#table[(row >> 2) + kind]!;
      row = known === UNKNOWN ? this.#workOut(row, kind) : known;
      const verdict = this.#table[(row >> 2) + classes]!;
      if (verdict !== GOES_ON) return ~verdict;
    }
  }

  #workOut(row: number, kind: number): number {
    const standing = this.#standings.at(this.#standingOf.get(row)!);
    const next = this.#follow(standing, this.#automaton.sample[kind]!);
    const full = (this.#count + 1) * this.#width > this.#table.length;
    if (full) this.#beginAnew(); // the row that it comes from is gone, too
    const ended = next.threads.length === 0 || next.depth === LOOK_AHEAD;
    const to = ended ? this.#endOf(this.#outcomeOf(next)) : this.#rowFor(next);
    if (!full) this.#table[(row >> 2) + kind] = to;
    return to;
  }

  /** All threads one byte further; whose pattern is complete has no threads any more. */
  #follow({ threads, complete, afterWord, depth }: Standing, byte: number): Standing {
    const { states, owners } = this.#automaton;
    const border = !(afterWord && isAlnum(byte));
    const done: number[] = [];
    const next: number[] = [];
    const open = [...threads];
    this.#round++;
    for (let at = open.pop(); at !== undefined; at = open.pop()) {
      if (!this.#isNew(this.#followed, at)) continue;
      const state = states[at]!;
      if (state.kind === 'end') done.push(owners[at]!);
      else if (state.kind === 'split') open.push(...state.next);
      else if (state.kind === 'byte') {
        if (state.set[byte] === 1 && this.#isNew(this.#reached, state.next)) next.push(state.next);
      } else if (border) open.push(state.next);
    }
    const all = done.length === 0 ? complete : [...new Set([...complete, ...done])].sort(byNumber);
    const going = all.length === 0 ? next : next.filter((at) => !all.includes(owners[at]!));
    return { threads: going.sort(byNumber), complete: all, afterWord: isAlnum(byte), depth: depth + 1 };
  }

  #isNew(rounds: Int32Array, state: number): boolean {
    if (rounds[state] === this.#round) return false;
    rounds[state] = this.#round;
    return true;
  }

  /** Beyond what is looked at, everybody whose pattern may still be complete is asked. */
  #outcomeOf({ threads, complete }: Standing): number {
    return this.outcomes.numberOf([...complete, ...threads.map((at) => this.#automaton.owners[at]!)]);
  }

  #rowFor(standing: Standing): number {
    const number = this.#standings.numberOf(standing);
    const known = this.#rowOf.get(number);
    if (known !== undefined) return known;
    const row = this.#addRow(GOES_ON);
    this.#rowOf.set(number, row);
    this.#standingOf.set(row, number);
    return row;
  }

  /** The row of runs that ended so: all its steps lead back to it. */
  #endOf(outcome: number): number {
    const known = this.#ends.get(outcome);
    if (known !== undefined) return known;
    const row = this.#addRow(~outcome);
    this.#table.fill(row, row >> 2, (row >> 2) + this.#width - 1);
    this.#ends.set(outcome, row);
    return row;
  }

  #addRow(verdict: number): number {
    const row = this.#count++ * this.#width * 4;
    this.#table[(row >> 2) + this.#width - 1] = verdict;
    return row;
  }

  #beginAnew(): void {
    this.#table.fill(UNKNOWN, 0, this.#count * this.#width);
    this.#count = 0;
    this.#standings = new Standings();
    for (const known of [this.#rowOf, this.#standingOf, this.#ends]) known.clear();
    this.#addRow(NOT_KNOWN);
    // The kernel knows where these are: one after the other.
    for (const threads of this.#automaton.starts)
      this.#standingOf.set(
        this.#addRow(GOES_ON),
        this.#standings.add({ threads, complete: [], afterWord: false, depth: 0 }),
      );
    this.#endOf(NOBODY);
  }
}

export function rowBytes({ classes }: JointAutomaton): number {
  return (classes + 1) * 4;
}

/** More than texts need: a few for each state. */
export function mostRows({ states }: JointAutomaton): number {
  return 256 + 4 * states.length;
}

function byNumber(a: number, b: number): number {
  return a - b;
}
