/**
 * Recognises data that PostgreSQL always rejects: a value out of range, invalid JSON, an index entry that
 * is too long. Neither an error in the statement nor temporary.
 */
import { codeOf } from '../base/errors.ts';
import type { Tx } from './database.ts';

/** not_null_violation and check_violation. Not unique_violation: that would hide work that was done twice. */
const REJECTED_ROWS: ReadonlySet<string> = new Set(['23502', '23514']);
/** data_exception (numbers, times, texts, JSON, encodings) and program_limit_exceeded. */
const REJECTED_CLASSES = /^(22|54)...$/;

export function isRejectedData(error: unknown): boolean {
  const code = codeOf(error) ?? '';
  if (REJECTED_ROWS.has(code) || REJECTED_CLASSES.test(code)) return true;
  // Exceeds the maximum size of a value or a string, in PostgreSQL or in JavaScript.
  return error instanceof RangeError || (code === 'XX000' && /invalid memory alloc/.test(String(error)));
}

/** The reason without the data, which PostgreSQL's messages quote. */
export function rejectionReason(error: unknown): string {
  return error instanceof RangeError ? 'too long' : `SQLSTATE ${codeOf(error)}`;
}

/**
 * Runs `write` in a savepoint. Returns the error if the data was rejected, with the write rolled back, else
 * null; other errors are thrown. Costs two statements: only for transactions in which data was rejected
 * before.
 */
export async function writeInSavepoint(tx: Tx, write: () => Promise<unknown>): Promise<unknown> {
  await tx.query('savepoint attempt');
  let refused: unknown = null;
  try {
    await write();
  } catch (error) {
    if (!isRejectedData(error)) throw error;
    refused = error;
    await tx.query('rollback to savepoint attempt');
  }
  await tx.query('release savepoint attempt');
  return refused;
}
