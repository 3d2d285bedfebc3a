import { createHash } from 'node:crypto';

/** The ways in which a scan ends. */
export const ENDS = ['completed', 'incomplete', 'failed', 'cancelled'] as const;
export type End = (typeof ENDS)[number];

export const EXPORT_FORMATS = ['jsonl', 'jsonl.gz', 'parquet'] as const;
export type ExportFormat = (typeof EXPORT_FORMATS)[number];

/** Where a text is that may be a secret: it is fetched when it is used. A `text` has `${NAME}` in it, is encrypted, or is no secret. */
export type Reference =
  | { readonly from: 'env'; readonly name: string }
  | { readonly from: 'file'; readonly path: string }
  | { readonly from: 'text'; readonly text: string };

interface AnySettings {
  /** For people. */
  readonly name: string;
  /** The ends it is for. */
  readonly on: readonly End[];
}

export interface WebhookSettings extends AnySettings {
  readonly kind: 'webhook';
  readonly url: Reference;
  /** The key of the signature; null: not signed. */
  readonly secret: Reference | null;
  /** Lets it reach private addresses. Only whoever runs Seine may say so, never a caller of an API. */
  readonly allowPrivate: boolean;
}

export interface ExportSettings extends AnySettings {
  readonly kind: 'export';
  /** An absolute folder, `s3://`, `gs://` or `az://`. */
  readonly target: string;
  readonly format: ExportFormat;
  /** Where the folder is: only a process that sees that place can write there. Null: it is the same everywhere. */
  readonly place: string | null;
}

/** What is stored with the scan. It says where secrets are and never holds them. */
export type HookSettings = WebhookSettings | ExportSettings;

/** Of a hook, before it has failed; as many again when somebody retries it. */
export const MAX_TRIES = 8;

/** One hook of one end of one scan. */
export interface HookId {
  readonly scan: number;
  readonly round: number;
  readonly n: number;
}

/** The data of the job that makes one try. A job that is not about the next try has been overtaken. */
export interface HookJob extends HookId {
  readonly attempt: number;
}

export type HookState = 'waiting' | 'done' | 'failed' | 'skipped';

export interface Hook extends HookId {
  readonly settings: HookSettings;
  readonly state: HookState;
  readonly attempts: number;
  readonly giveUp: number;
  readonly error: string | null;
  readonly result: Readonly<Record<string, unknown>> | null;
  readonly doneAt: Date | null;
}

/** The same for every try of the same hook, so that a receiver can tell a repetition. */
export function deliveryId({ scan, round, n }: HookId): string {
  return `${scan}-${round}-${n}`;
}

/** How the queues of places begin. */
export const AFFINITY_QUEUE_PREFIX = 'hook.';

/** The queue of the jobs of a hook: one for all, and one for each place that has folders of its own. */
export function hookQueue(place: string | null): string {
  if (place === null) return 'hook';
  return `${AFFINITY_QUEUE_PREFIX}${createHash('sha256').update(place).digest('hex').slice(0, 16)}`;
}

export function hostAffinityOfHook(settings: HookSettings): string | null {
  return settings.kind === 'export' ? settings.place : null;
}
