import { createHash } from 'node:crypto';

/** The ways a scan can end. */
export const ENDS = ['completed', 'incomplete', 'failed', 'cancelled'] as const;
export type End = (typeof ENDS)[number];

export const EXPORT_FORMATS = ['jsonl', 'jsonl.gz', 'parquet'] as const;
export type ExportFormat = (typeof EXPORT_FORMATS)[number];

/**
 * A reference to a text that may be a secret: it is resolved when it is used. A `text` contains `${NAME}`,
 * is encrypted, or is no secret.
 */
export type Reference =
  | { readonly from: 'env'; readonly name: string }
  | { readonly from: 'file'; readonly path: string }
  | { readonly from: 'text'; readonly text: string };

interface AnySettings {
  /** For display. */
  readonly name: string;
  /** The ends that trigger the hook. */
  readonly on: readonly End[];
}

export interface WebhookSettings extends AnySettings {
  readonly kind: 'webhook';
  readonly url: Reference;
  /** The signing key; null: not signed. */
  readonly secret: Reference | null;
  /**
   * Allows private addresses. May only be set by the operator of Seine, never by an API caller, or it could
   * be used for SSRF.
   */
  readonly allowPrivate: boolean;
}

export interface ExportSettings extends AnySettings {
  readonly kind: 'export';
  /** An absolute folder, `s3://`, `gs://` or `az://`. */
  readonly target: string;
  readonly format: ExportFormat;
  /**
   * The host of the folder: only a process on that host can write there. Null: the target is the same on
   * all hosts.
   */
  readonly place: string | null;
}

/** Stored with the scan. Contains references to secrets, never the secrets. */
export type HookSettings = WebhookSettings | ExportSettings;

/** Attempts of a hook before it fails; the same number again for each retry by a user. */
export const MAX_ATTEMPTS = 8;

/** Identifies one hook of one round of one scan. A round is the time from the start, or a reopening, of the scan to its next end. */
export interface HookId {
  readonly scan: number;
  readonly round: number;
  readonly n: number;
}

/** The data of the job for one attempt. A job that is not about the next attempt is outdated. */
export interface HookJob extends HookId {
  readonly attempt: number;
}

export type HookState = 'waiting' | 'done' | 'failed' | 'skipped';

export interface Hook extends HookId {
  readonly settings: HookSettings;
  readonly state: HookState;
  readonly attempts: number;
  /** Attempts after which the hook fails; printed by `seine hooks list --json`. */
  readonly giveUp: number;
  readonly error: string | null;
  readonly result: Readonly<Record<string, unknown>> | null;
  readonly doneAt: Date | null;
}

/** The same for every attempt of a hook, so that a receiver can recognise repetitions. */
export function deliveryId({ scan, round, n }: HookId): string {
  return `${scan}-${round}-${n}`;
}

/** Prefix of the queues of hosts. */
export const AFFINITY_QUEUE_PREFIX = 'hook.';

/** The queue of a hook's jobs: one for all, and one for each host with local folders. */
export function hookQueue(place: string | null): string {
  if (place === null) return 'hook';
  return `${AFFINITY_QUEUE_PREFIX}${createHash('sha256').update(place).digest('hex').slice(0, 16)}`;
}

export function hostAffinityOfHook(settings: HookSettings): string | null {
  return settings.kind === 'export' ? settings.place : null;
}

/** The result of one attempt of a hook. Only `again` is followed by another attempt. */
export type HookResult =
  | { readonly end: 'done'; readonly result: Readonly<Record<string, unknown>> }
  /** `afterMs`: the receiver asked for this delay. */
  | { readonly end: 'again'; readonly reason: string; readonly afterMs?: number }
  | { readonly end: 'failed'; readonly reason: string }
  | { readonly end: 'skipped'; readonly reason: string };
