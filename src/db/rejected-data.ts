/**
 * Data that PostgreSQL refuses, whoever asks and however often: a value out of range, a text that is no JSON, an index entry that is too
 * long. Not a fault of the statement, and nothing that passes.
 */
import { codeOf } from '../base/errors.ts';
import type { Tx } from './database.ts';

/** not_null_violation and check_violation. A second row of the same key is not among them: it would hide work that was done twice. */
const REJECTED_ROWS: ReadonlySet<string> = new Set(['23502', '23514']);
/** data_exception (numbers, times, texts, JSON, encodings) and program_limit_exceeded. */
const REJECTED_CLASSES = /^(22|54)...$/;

export function isRejectedData(error: unknown): boolean {
  const code = codeOf(error) ?? '';
  if (REJECTED_ROWS.has(code) || REJECTED_CLASSES.test(code)) return true;
  // More than a value or a string may have, here or there.
  return error instanceof RangeError || (code === 'XX000' && /invalid memory alloc/.test(String(error)));
}

/** Why, without the data: PostgreSQL's messages quote it. */
export function rejectionReason(error: unknown): string {
  return error instanceof RangeError ? 'too long' : `SQLSTATE ${codeOf(error)}`;
}

/**
 * Writes, or leaves no trace in a transaction that goes on. Returns the error if the data was refused, else null; any other error is
 * thrown. Costs two statements: for transactions in which something was refused before.
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
