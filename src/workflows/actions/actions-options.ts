/** What a process needs to run actions, and how others reach the actions that it runs. */
import type { CodeLock } from '../user-code/code-lock.ts';

export interface ActionsOptions {
  /** A UUID: who holds them. */
  readonly holder: string;
  /** How long a hold lives without a sign of life. */
  readonly leaseMs: number;
  readonly concurrency: number;
  onError(message: string): void;
  /** How often it looks for what is due (1 s). */
  readonly pollMs?: number;
  /** What else runs in this process. */
  readonly lock?: CodeLock;
  /** So many have ended, and results were appended to these workflows. */
  ended?(workflowKeys: readonly number[], actions: number): void;
  /** Other processes may claim actions of this workflow that they could not claim before. */
  freed?(workflow: string): void;
}

export interface Actions {
  /** There may be something to claim. */
  wake(): void;
  /** Claims no more, waits for what runs, then tells its signal and gives it back. */
  stop(drainMs: number): Promise<void>;
}
