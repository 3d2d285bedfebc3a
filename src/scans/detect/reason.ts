import type { ErrorKind, SeineError } from '../../base/errors.ts';
import { ArchivedObjectError } from '../../sources/archived.ts';

/** The codes stored when the source fails to deliver an object; see results/reason-code.ts. */
const CODES: Readonly<Record<ErrorKind, string>> = {
  'not-found': 'deleted',
  changed: 'changed',
  permission: 'no-permission',
  unavailable: 'read-failed',
  limit: 'source-limit',
  usage: 'request-rejected',
  corrupt: 'listing-mismatch',
  conflict: 'in-use',
  internal: 'internal-error',
};

/** The reason recorded in the coverage for an error of the source. */
export function reasonFor(error: SeineError): string {
  return error instanceof ArchivedObjectError ? 'archived' : CODES[error.kind];
}
