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
 * Crash: the hold expires, the next claim takes a higher token and goes on from the checkpoint. Who was only paused finds its token
 * outdated and writes nothing.
 */
import type { Wait } from '../wait.ts';

export interface ActionContext<Checkpoint = unknown> {
  /** The same for every try of this action, different for every other: give it to whoever must not do it twice. */
  readonly idempotencyKey: string;
  /** From 1. */
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

// biome-ignore lint/suspicious/noExplicitAny: the input comes from the workflow's own `act`, the checkpoint from its own `save`
type Run = (input: any, context: ActionContext<any>) => Promise<unknown>;

export interface Policy {
  /** Tries in all (8). */
  readonly attempts?: number;
  /** Of one try (60 s). Its signal tells; what goes on nevertheless is not waited for. */
  readonly timeout?: Wait;
  /** Before the second try (1 s); it doubles, with jitter, up to `mostWait` (5 minutes). */
  readonly firstWait?: Wait;
  readonly mostWait?: Wait;
}

export type Action = Run | ({ readonly run: Run } & Policy);

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
