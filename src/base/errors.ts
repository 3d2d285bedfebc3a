/**
 * Every error has a kind and states whether a retry can help. External codes (exit codes, HTTP) are derived
 * from the kind at the boundary, never here.
 */
import { redactCredentials } from './redact.ts';

export type ErrorKind =
  | 'usage' // the request is invalid
  | 'not-found'
  | 'permission'
  | 'changed' // the resource changed concurrently
  | 'conflict' // the resource is held by another process
  | 'limit' // a limit of Seine or of the machine was reached
  | 'corrupt' // the data is malformed
  | 'unavailable' // a server, disk or network is temporarily unavailable
  | 'internal';

export class SeineError extends Error {
  readonly kind: ErrorKind;
  readonly retry: boolean;
  readonly hint: string | undefined;

  constructor(
    kind: ErrorKind,
    message: string,
    more: { hint?: string; retry?: boolean; cause?: unknown } = {},
  ) {
    super(redactCredentials(message), more.cause === undefined ? undefined : { cause: more.cause });
    this.name = 'SeineError';
    this.kind = kind;
    this.retry = more.retry ?? kind === 'unavailable';
    this.hint = more.hint && redactCredentials(more.hint);
  }
}

/** The system's error code (`ENOENT`, `23505`), if there is one. */
export function codeOf(error: unknown): string | undefined {
  const code = (error as { code?: unknown } | null)?.code;
  return typeof code === 'string' ? code : undefined;
}

/**
 * A one-sentence message for any thrown value: libraries also throw, or emit, plain objects with a message.
 */
export function messageOf(error: unknown): string {
  const message = (error as { message?: unknown } | null | undefined)?.message;
  return redactCredentials(typeof message === 'string' ? message : String(error));
}
