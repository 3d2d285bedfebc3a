/**
 * Actions: what a workflow does in the outside world. At least once, with the same idempotency key each time, until it has ended:
 *
 *            claim                   result, in one transaction with the event `<name>.done`
 *   waiting ───────▶ running ───────────────────────────────────────────────▶ done
 *      ▲               │ │  failed too often, or for a reason that stays; with the event `<name>.failed`
 *      │  back-off     │ └──────────────────────────────────────────────────▶ failed (a dead letter)
 *      └───────────────┘
 *
 * Held like a lease: exclusive, until it expires, fenced by a token. An action has a position of its own, its checkpoint, which
 * outlives the process that runs it; that is why it is no job (see "Positions and errands" in ARCHITECTURE.md).
 *
 * Crash: the hold expires and the action waits again; the next claim takes a higher token and goes on from the checkpoint. Who was only
 * paused finds its token outdated and writes nothing. A crash is not a failure: it takes no attempt away, because any action of
 * the process may have caused it. After two crashes an action is run while no other action runs in its process, so that the next
 * crash is its own; five of those without a new checkpoint in between make it a dead letter (crash-suspects.ts).
 *
 * Limits of concurrency and rate hold over all processes: a claim counts the holds of the limit (limited-store.ts).
 */
import type { Wait } from '../wait.ts';

export interface ActionContext<Checkpoint = unknown> {
  /** The same for every try of this action, different for every other, unless `act` gave one: give it to whoever must not do it twice. */
  readonly idempotencyKey: string;
  /** From 1; tries that ended with a crash of their process count. */
  readonly attempt: number;
  /** Where an earlier try stood, and how to say where this one stands. */
  readonly checkpoint: {
    readonly value: Checkpoint | undefined;
    save(value: Checkpoint): Promise<void>;
  };
  /** Nobody wants the result any more, or time is up. */
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
  /** Tries in all (8). */
  readonly attempts?: number;
  /** Of one try (60 s). Its signal tells; what goes on nevertheless is not waited for. */
  readonly timeout?: Wait;
  /** Before the second try (1 s); it doubles, with jitter, up to `mostWait` (5 minutes). */
  readonly firstWait?: Wait;
  readonly mostWait?: Wait;
  /** At most so many of this action, or of each limit key, at a time, over all processes. */
  readonly concurrency?: number;
  /**
   * So many tries `per` so long, over all processes: a token bucket that holds `burst` (`limit`) tokens and is filled evenly. A full
   * bucket may be emptied at once.
   */
  readonly rate?: { readonly limit: number; readonly per: Wait; readonly burst?: number };
  /** What concurrency and rate are counted by: the customer, say. All actions of this name together if it isn't given. */
  // biome-ignore lint/suspicious/noExplicitAny: the input comes from the workflow's own `act`
  readonly limitKey?: (input: any) => string | number;
}

/** `run` acts on the outside world; `transaction` writes to the same database, in the transaction that ends the action. */
export type Action = Run | ({ readonly run: Run } & Policy) | ({ readonly transaction: Step } & Policy);

/** The event of an action that went well, for a workflow's union of events. */
export interface ActionDone<Name extends string = string, Result = unknown> {
  readonly type: `${Name}.done`;
  readonly result: Result;
}

/** The event of an action that failed for good: the workflow may make up for it. */
export interface ActionFailed<Name extends string = string> {
  readonly type: `${Name}.failed`;
  readonly error: string;
  readonly attempts: number;
}
