/**
 * The event log: the events of each workflow in their order, and all events in one order for readers.
 *
 * A workflow's order is its version: 1, 2, 3 … An append names the expected version; of two concurrent appends the second
 * gets a conflict and decides again. Readers go through the log by offset, the pair (transaction, position), and stop at the
 * last stable offset, below the oldest open transaction: positions are assigned before commit, so reading past it would
 * skip late commits.
 *
 * Crash: an append is one statement and therefore atomic. A reader stores its offset in the transaction that writes its
 * results, and continues from there.
 */
import type { Offset } from './offset.ts';

export interface StoredEvent {
  readonly workflowKey: number;
  readonly version: number;
  readonly type: string;
  /** Schema version of its workflow's events; older events are upcast when they are read. */
  readonly schema: number;
  readonly data: Readonly<Record<string, unknown>>;
  readonly tags: readonly string[];
  readonly at: Date;
  /** The trace of its command, if it had one. */
  readonly trace?: string | null | undefined;
}

/** An event as returned to readers. */
export interface LoggedEvent extends StoredEvent {
  readonly offset: Offset;
  readonly tenant: string;
  readonly workflow: string;
  readonly id: string;
}

/** Identifies a workflow. */
export interface WorkflowRef {
  readonly tenant: string;
  readonly workflow: string;
  readonly id: string;
}
