/**
 * Every failure says what kind it is and whether trying again can help. Codes of the outside world (exit codes,
 * HTTP) are chosen from the kind at the edge, never here.
 */
import { redactCredentials } from './redact.ts';

export type ErrorKind =
  | 'usage' // the caller asked for something that makes no sense
  | 'not-found'
  | 'permission'
  | 'changed' // the thing changed under our hands
  | 'conflict' // somebody else holds it
  | 'limit' // a limit of ours or of the machine was reached
  | 'corrupt' // the data is not what it claims to be
  | 'unavailable' // a server, a disk, a network is not there now
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

/** One sentence for a person, whatever was thrown: libraries also throw, or emit, plain objects with a message. */
export function messageOf(error: unknown): string {
  const message = (error as { message?: unknown } | null | undefined)?.message;
  return redactCredentials(typeof message === 'string' ? message : String(error));
}
