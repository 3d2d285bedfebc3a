/** Options and interface of the action runner. */
import type { CodeLock } from '../user-code/code-lock.ts';

export interface ActionsOptions {
  /** UUID of the lease holder. */
  readonly holder: string;
  /** Lease duration of an action without renewal. */
  readonly leaseMs: number;
  readonly concurrency: number;
  onError(message: string): void;
  /** Poll interval for pending actions (1 s). */
  readonly pollMs?: number;
  /** Excludes other user code of this process. */
  readonly lock?: CodeLock;
  /** Called when actions have ended: their number, and the workflows to which results were appended. */
  ended?(workflowKeys: readonly number[], actions: number): void;
  /** Other processes may now claim actions of this workflow that a limit had held back. */
  freed?(workflow: string): void;
}

export interface Actions {
  /** Wakes the claim loop. */
  wake(): void;
  /** Stops claiming, waits up to `drainMs` for running actions, then aborts and releases the rest. */
  stop(drainMs: number): Promise<void>;
}
