import type { ErrorKind, SeineError } from '../../base/errors.ts';

const REASONS: Partial<Record<ErrorKind, string>> = {
  permission: 'no permission',
  'not-found': 'vanished before it was read',
  changed: 'changed while it was read',
  unavailable: 'could not be read',
};

/** What the ledger says about a failure that the source described. */
export function reasonFor(error: SeineError): string {
  return REASONS[error.kind] ?? error.kind;
}
