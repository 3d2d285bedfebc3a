import type { Tx } from '../../db/database.ts';
import type { Access } from '../../sources/access.ts';
import type { HookJob, Reference } from './hook.ts';
import type { Resolve } from './webhook/resolve.ts';

/** Sends a job of a hook in the caller's transaction, to be run after a time. */
export type SendHook = (tx: Tx, queue: string, job: HookJob, afterMs: number) => Promise<void>;

/** What this process gives to the hooks it runs. */
export interface HookDeps {
  readonly send: SendHook;
  /** Where this process is: it sees the folders of this place and of no other. */
  readonly place: string;
  /** The process stops: a try is broken off and made again elsewhere. */
  readonly signal: AbortSignal;
  /** What a reference stands for in this process; throws when it is not there. */
  readonly fetch: (reference: Reference) => string;
  /** How a bucket is reached. */
  readonly access: (target: string) => Access;
  /** Hosts, addresses and networks that webhooks may reach although they are not public. */
  readonly allow: readonly string[];
  /** Instead of the system's name resolution. */
  readonly resolve?: Resolve;
  /** How long a receiver may take: 10,000 unless told. */
  readonly timeoutMs?: number;
}
