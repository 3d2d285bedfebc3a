/**
 * The event log: what happened, in the order in which it happened to each workflow, and in one order for all who read along.
 *
 * A workflow's own order is its version: 1, 2, 3 … An append names the version it expects; who comes second finds it taken and
 * decides again. Readers go through the log by offset, the pair (transaction, position), and never look beyond the oldest transaction
 * that is still under way: what commits late lies ahead of them, never behind.
 *
 * Crash: an append is one statement, so there is all of it or nothing. A reader keeps its offset in the transaction that writes what
 * it made of the events, and goes on from there.
 */
import type { Offset } from './offset.ts';

export interface StoredEvent {
  readonly workflowKey: number;
  readonly version: number;
  readonly type: string;
  /** Of which version of its workflow's events it is; older ones are upcast when they are read. */
  readonly schema: number;
  readonly data: Readonly<Record<string, unknown>>;
  readonly tags: readonly string[];
  readonly at: Date;
  /** That of its command, if it had one. */
  readonly trace?: string | null | undefined;
}

/** As a reader meets it. */
export interface LoggedEvent extends StoredEvent {
  readonly offset: Offset;
  readonly tenant: string;
  readonly workflow: string;
  readonly id: string;
}

/** Who it is about. */
export interface WorkflowRef {
  readonly tenant: string;
  readonly workflow: string;
  readonly id: string;
}
