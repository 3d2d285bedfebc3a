import { SeineError } from '../base/errors.ts';

/** What the ledger says of an object that must be restored before it can be read. */
export const ARCHIVED = 'archived';

/** Not every listing says that an object is archived: some are known by the answer to the first read. */
export class ArchivedObjectError extends SeineError {}
