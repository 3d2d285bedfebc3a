/**
 * Actions: side effects of a workflow. Executed at least once, with the same idempotency key each time, until they have ended:
 *
 *            claim                   result, in one transaction with the event `<name>.done`
 *   waiting ───────▶ running ───────────────────────────────────────────────▶ done
 *       ▲               │ │  too many failures or a non-retryable error; with the event `<name>.failed`
 *      │  back-off     │ └──────────────────────────────────────────────────▶ failed (a dead letter)
 *      └───────────────┘
 *
 * Claimed with a lease: exclusive, until it expires, fenced by a token. An action has its own checkpoint, which outlives the process that runs it;
 * that is why it is not a job (see ARCHITECTURE.md).
 *
 * Crash: the lease expires and the action is pending again; the next claim takes a higher token and continues from the checkpoint. A process that was
 * only paused finds its token outdated and writes nothing. A crash is not a failure and costs no attempt, because any action of the process may have
 * caused it. After two crashes an action runs while no other action runs in its process, so that the next crash is attributable; after five of those
 * without a new checkpoint it becomes a dead letter (crash-suspects.ts).
 *
 * Limits of concurrency and rate hold across all processes: a claim counts the leases of the limit (limited-store.ts).
 */
import type { Wait } from '../wait.ts';

export interface ActionContext<Checkpoint = unknown> {
  /** The same for every attempt of this action and unique to it, unless `act` was given a key. Pass it to services that must not execute it twice. */
  readonly idempotencyKey: string;
  /** From 1; attempts that ended with a crash of their process count. */
  readonly attempt: number;
  /** Checkpoint of an earlier attempt, and how to save one. */
  readonly checkpoint: {
    readonly value: Checkpoint | undefined;
    save(value: Checkpoint): Promise<void>;
  };
  /** Aborted when the result is no longer needed, or on timeout. */
  readonly signal: AbortSignal;
  readonly workflow: { readonly name: string; readonly id: string };
}

/** The transaction that ends an action. Its statements are committed together with the action's result and event, or rolled back. */
export interface ActionTransaction {
  query<Row = Record<string, unknown>>(
    sql: string,
    params?: readonly unknown[],
  ): Promise<{ readonly rows: Row[]; readonly rowCount: number }>;
}

// biome-ignore lint/suspicious/noExplicitAny: the input comes from the workflow's own `act`, the checkpoint from its own `save`
type Run = (input: any, context: ActionContext<any>) => Promise<unknown>;
type Step = (
  tx: ActionTransaction,
  // biome-ignore lint/suspicious/noExplicitAny: the input comes from the workflow's own `act`
  input: any,
  context: Omit<ActionContext, 'checkpoint'>,
) => Promise<unknown>;

export interface Policy {
  /** Maximum attempts (8). */
  readonly attempts?: number;
  /** Timeout of one attempt (60 s): aborts its signal, and does not wait for code that ignores it. */
  readonly timeout?: Wait;
  /** Backoff before the second attempt (1 s); doubles, with jitter, up to `mostWait` (5 minutes). */
  readonly firstWait?: Wait;
  readonly mostWait?: Wait;
  /** Maximum of this action, or of each limit key, at a time, across all processes. */
  readonly concurrency?: number;
  /**
   * Maximum attempts `per` interval, across all processes: a token bucket that holds `burst` (default `limit`) tokens and refills evenly. A full
   * bucket may be emptied at once.
   */
  readonly rate?: { readonly limit: number; readonly per: Wait; readonly burst?: number };
  /** What concurrency and rate are counted by, for example the customer (default: all actions of this name together). */
  // biome-ignore lint/suspicious/noExplicitAny: the input comes from the workflow's own `act`
  readonly limitKey?: (input: any) => string | number;
}

/** `run` has side effects outside; `transaction` writes to the same database, in the transaction that ends the action. */
export type Action = Run | ({ readonly run: Run } & Policy) | ({ readonly transaction: Step } & Policy);

/** The event of an action that succeeded, for a workflow's union of events. */
export interface ActionDone<Name extends string = string, Result = unknown> {
  readonly type: `${Name}.done`;
  readonly result: Result;
}

/** The event of an action that failed permanently: the workflow may compensate for it. */
export interface ActionFailed<Name extends string = string> {
  readonly type: `${Name}.failed`;
  readonly error: string;
  readonly attempts: number;
}
