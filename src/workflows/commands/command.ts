/** A command to a workflow, and its result. */
import type { NewEvent } from '../../events/append-store.ts';
import type { Receiver } from '../define.ts';
import type { Typed } from '../typed.ts';

export interface Command {
  readonly tenant: string;
  readonly id: string;
  /** Or a function that makes it from the current state; null: nothing to do. An error it throws fails the command. */
  readonly command: Typed | ((receiver: Receiver<unknown>) => Typed | null);
  readonly commandId?: string | null;
  /** The trace that its events belong to. */
  readonly trace?: string | null | undefined;
  /** Describes its origin in messages: 'event 3 (paid) of order order-7'. */
  readonly about?: string;
  /** It may only begin a workflow: if the workflow has begun, it is rejected as `taken`. */
  readonly begins?: boolean;
}

export type CommandResult =
  | { readonly outcome: 'accepted'; readonly version: number; readonly events: readonly NewEvent[] }
  /** A duplicate: it had taken effect before. */
  | { readonly outcome: 'repeated'; readonly version: number }
  | {
      readonly outcome: 'rejected';
      readonly reason: string;
      /** Rejected because the workflow has ended, not by `decide`. */
      readonly ended?: true;
      /** The workflow it was to begin had been begun by another command. */
      readonly taken?: boolean;
    }
  | { readonly outcome: 'paused' }
  /** User code threw, the history can't be folded, or the events can't be stored. */
  | { readonly outcome: 'failed'; readonly error: unknown }
  /** A version conflict with another command: nothing was written. */
  | {
      readonly outcome: 'overtaken';
      /** It was decided on a cached state, which may have been stale for long; otherwise on one read just before. */
      readonly assumed?: true;
    };

/** An event that its subscriber ignores; not counted as a rejection. */
export const EVENT_IGNORED: CommandResult = { outcome: 'rejected', reason: 'not wanted' };
