import type { Tx } from '../../db/database.ts';
import type { Access } from '../../sources/access.ts';
import type { HookJob, Reference } from './hook.ts';
import type { Resolve } from './webhook/resolve.ts';

/** Sends a job of a hook in the caller's transaction, due after a delay. */
export type SendHook = (tx: Tx, queue: string, job: HookJob, afterMs: number) => Promise<void>;

/** Dependencies of the hooks that this process runs. */
export interface HookContext {
  readonly send: SendHook;
  /** The host affinity of this process: it sees the folders of this host only. */
  readonly hostAffinity: string;
  /** Aborted when the process stops: the attempt is aborted and repeated elsewhere. */
  readonly signal: AbortSignal;
  /** Resolves a reference in this process; throws when it is missing. */
  readonly fetch: (reference: Reference) => string;
  /** The credentials and options for a bucket. */
  readonly access: (target: string) => Access;
  /** Hosts, addresses and networks that webhooks may reach although they are not public. */
  readonly allow: readonly string[];
  /** Replaces the system's name resolution. */
  readonly resolve?: Resolve;
  /** Timeout for the receiver; default 10,000. */
  readonly timeoutMs?: number;
}
