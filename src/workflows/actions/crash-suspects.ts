/**
 * Actions that end their process. A process that dies leaves all its actions behind, and any of them may have caused it. So a first crash
 * makes none of them a suspect, for processes are also killed from outside; who was there at two is run again only while no other user
 * code runs in its process: no action, reaction, delivery or projection. If that process dies as well, the crash is its own.
 *
 *   claimed ──▶ reserved: this process claims nothing more ──▶ no other action runs, and the lock of user code is held exclusively
 *           ──▶ marked as alone ──▶ run ──▶ this process claims again
 *
 * A suspect that takes long would keep the reactions of its process waiting. After some time they go on, and it is no longer marked as alone. That
 * time doubles with each of its crashes, so that one that crashes late is found, too.
 *
 * When a cause was found (an action, a reaction or a delivery), those who were only there are suspects no longer (clearSuspects).
 *
 * The claims (claim-store.ts, limited-store.ts) and the index action_suspect have the number two as `crashes >= 2`.
 *
 * The process that has reserved a suspect keeps its hold while it waits for its other actions to end. If they take longer than its patience, it gives
 * the suspect back and claims other actions for as long; its patience doubles each time, so that a suspect is run in the end, however long the
 * others take. A process takes one suspect between two claims of other actions, so neither keeps the other waiting for ever.
 */
import type { ClaimedAction } from './claim-store.ts';

/** Crashes of its own, without a new checkpoint in between. More than one or two: kills from outside may hit it, too. */
const MAX_CRASHES_ALONE = 5;
/** Of all kinds: one that saves a new checkpoint before each crash ends, too. */
const MAX_CRASHES = 50;
const FIRST_SUSPECT = 2;
const MAX_EXCLUSIVE_MS = 300_000;

/** Why it is not run again; null: it may be. */
export function crashLimitError({
  crashes,
  crashesAlone,
}: Pick<ClaimedAction, 'crashes' | 'crashesAlone'>): string | null {
  const isOften = crashes >= MAX_CRASHES && crashesAlone > 0;
  if (crashesAlone < MAX_CRASHES_ALONE && !isOften) return null;
  return `It crashed the process ${crashes} times, ${crashesAlone} times while nothing else ran in it. Correct the action, then retry its dead letter.`;
}

/** How long nothing else may run beside it, at the least. */
export function exclusiveMs({ crashes }: Pick<ClaimedAction, 'crashes'>, firstMs: number): number {
  return Math.min(MAX_EXCLUSIVE_MS, firstMs * 2 ** Math.max(0, crashes - FIRST_SUSPECT));
}

/** How long a process waits until nothing else runs in it, and how long it leaves suspects alone when that was in vain. */
export class SuspectBackoff {
  readonly #firstMs: number;
  #ms: number;
  #until = Number.NEGATIVE_INFINITY;
  #notBefore = Number.NEGATIVE_INFINITY;

  constructor(firstMs: number) {
    this.#firstMs = firstMs;
    this.#ms = firstMs;
  }

  get mayTry(): boolean {
    return performance.now() >= this.#notBefore;
  }

  get remainingMs(): number {
    return this.#until - performance.now();
  }

  /** How long it will wait. */
  begin(): number {
    this.#until = performance.now() + this.#ms;
    return this.#ms;
  }

  giveUp(): void {
    this.#notBefore = performance.now() + this.#ms;
    this.#ms *= 2;
  }

  succeed(): void {
    this.#ms = this.#firstMs;
  }
}
