/**
 * Actions that crash their process. A crashed process loses all its actions, and any of them may be the cause. A first crash makes none of them a
 * suspect, because processes are also killed from outside; an action with two crashes is rerun only while no other user code runs in its process: no
 * action, reaction, delivery or projection. If that process crashes as well, the crash is attributed to the action.
 *
 *   claimed ──▶ reserved: this process claims nothing more ──▶ no other action runs, and the user code lock is held exclusively
 *           ──▶ marked as alone ──▶ run ──▶ this process claims again
 *
 * A slow suspect would block the reactions of its process. After a time limit they continue, and it is no longer marked as alone. The limit doubles
 * with each of its crashes, so that an action that crashes late is found, too.
 *
 * When a cause was found (an action, a reaction or a delivery), actions that only ran beside it are no longer suspects (clearSuspects).
 *
 * The claims (claim-store.ts, limited-store.ts) and the index action_suspect hardcode the threshold as `crashes >= 2`.
 *
 * The process that has reserved a suspect renews its lease while its other actions end. If they take longer than the wait limit, it releases the
 * suspect and claims other actions for as long; the limit doubles each time, so every suspect is run eventually. A process claims one suspect between
 * two claims of other actions, so neither starves the other.
 */
import type { ClaimedAction } from './claim-store.ts';

/** Crashes attributed to it, without a new checkpoint in between. More than one or two: kills from outside may hit it, too. */
const MAX_CRASHES_ALONE = 5;
/** Crashes of any kind: an action that saves a new checkpoint before each crash must end, too. */
const MAX_CRASHES = 50;
const FIRST_SUSPECT = 2;
const MAX_EXCLUSIVE_MS = 300_000;

/** Why it must not be run again; null if it may be. */
export function crashLimitError({
  crashes,
  crashesAlone,
}: Pick<ClaimedAction, 'crashes' | 'crashesAlone'>): string | null {
  const isOften = crashes >= MAX_CRASHES && crashesAlone > 0;
  if (crashesAlone < MAX_CRASHES_ALONE && !isOften) return null;
  return `It crashed the process ${crashes} times, ${crashesAlone} times while nothing else ran in it. Correct the action, then retry its dead letter.`;
}

/** Minimum time during which nothing else may run beside it. */
export function exclusiveMs({ crashes }: Pick<ClaimedAction, 'crashes'>, firstMs: number): number {
  return Math.min(MAX_EXCLUSIVE_MS, firstMs * 2 ** Math.max(0, crashes - FIRST_SUSPECT));
}

/** How long a process waits until nothing else runs in it, and how long it skips suspects after a timeout. */
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

  /** Returns the wait limit in milliseconds. */
  begin(): number {
    this.#until = performance.now() + this.#ms;
    return this.#ms;
  }

  fail(): void {
    this.#notBefore = performance.now() + this.#ms;
    this.#ms *= 2;
  }

  succeed(): void {
    this.#ms = this.#firstMs;
  }
}
