import { SeineError } from '../base/errors.ts';

/** The reason in the ledger for an object that must be restored before it can be read. */
export const ARCHIVED = 'archived';

/** Not every listing tells that an object is archived: for some it is known only from the response to the first read. */
export class ArchivedObjectError extends SeineError {}
