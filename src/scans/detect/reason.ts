import type { ErrorKind, SeineError } from '../../base/errors.ts';
import { ARCHIVED, ArchivedObjectError } from '../../sources/archived.ts';
import { NOT_UTF8 } from '../../sources/s3/s3-object.ts';
import { INVALID_SIZE } from '../../sources/store/listed-size.ts';

/**
 * The reason recorded in the coverage when the source fails to deliver an object, and whether it makes the
 * scan incomplete.
 */
interface Failure {
  readonly reason: string;
  readonly isError: boolean;
}

const FAILURES: Readonly<Record<ErrorKind, Failure>> = {
  // Nothing is left to read.
  'not-found': { reason: 'vanished before it was read', isError: false },
  // The current content was not read.
  changed: { reason: 'changed while it was read', isError: true },
  permission: { reason: 'no permission', isError: true },
  unavailable: { reason: 'could not be read', isError: true },
  limit: { reason: 'beyond a limit', isError: true },
  usage: { reason: 'the source refused the request', isError: true },
  corrupt: { reason: 'not what the source lists', isError: true },
  conflict: { reason: 'in use', isError: true },
  internal: { reason: 'internal error', isError: true },
};

/**
 * Objects that end `skipped` or `partial` with a reason that starts with one of these were left out by an
 * error: the scan is incomplete, and the exit code is 1. All other reasons are properties of the object or
 * decisions of the user (too large, encrypted, an unsupported or damaged format, a limit of extraction, OCR
 * is off, archived, vanished): the scan is complete without them.
 */
export const ERROR_REASONS: readonly string[] = [
  ...Object.values(FAILURES).flatMap(({ reason, isError }) => (isError ? [reason] : [])),
  INVALID_SIZE,
  NOT_UTF8,
  'document reader failed',
  'document reader ended',
];

/** The reason recorded in the coverage for an error of the source. */
export function reasonFor(error: SeineError): string {
  return error instanceof ArchivedObjectError ? ARCHIVED : FAILURES[error.kind].reason;
}
