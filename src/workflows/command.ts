/** A command on its way to a workflow, and what became of it. */
import type { NewEvent } from '../events/append-store.ts';
import type { Receiver } from './define.ts';
import type { Typed } from './typed.ts';

export interface Command {
  readonly tenant: string;
  readonly id: string;
  /** Or how it is made of the state that it meets; null: there is nothing to do. What it throws, fails the command. */
  readonly command: Typed | ((receiver: Receiver<unknown>) => Typed | null);
  readonly commandId?: string | null;
  /** The trace that its events belong to. */
  readonly trace?: string | null | undefined;
  /** What it is made of, for messages: 'event 3 (paid) of order order-7'. */
  readonly about?: string;
  /** It may only begin a workflow: of one that has begun it is rejected as `taken`. */
  readonly begins?: boolean;
}

export type CommandResult =
  | { readonly outcome: 'accepted'; readonly version: number; readonly events: readonly NewEvent[] }
  /** Its effect was there before. */
  | { readonly outcome: 'repeated'; readonly version: number }
  | {
      readonly outcome: 'rejected';
      readonly reason: string;
      /** Not by `decide`, but because the workflow has ended. */
      readonly ended?: true;
      /** The workflow that it was to begin had been begun by another command. */
      readonly taken?: boolean;
    }
  | { readonly outcome: 'paused' }
  /** The workflow's own code threw, its history can't be folded, or what it wants to write can't be stored. */
  | { readonly outcome: 'failed'; readonly error: unknown }
  /** Another command came first: nothing was written. */
  | { readonly outcome: 'overtaken' };

/** An event that its subscriber does not care about: that is no rejection. */
export const EVENT_IGNORED: CommandResult = { outcome: 'rejected', reason: 'not wanted' };
