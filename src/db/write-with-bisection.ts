/**
 * Items are written together for speed; one that the database rejects must not block the others. `write`
 * must be atomic: one statement, or one transaction.
 */
import { isRejectedData } from './rejected-data.ts';

/**
 * Writes all items; if the data is rejected, bisects them until the rejected ones are isolated, for which
 * `refused` returns the result. Other errors are thrown. In order, left before right: later writes see
 * earlier ones.
 */
export async function writeWithBisection<T, R>(
  items: readonly T[],
  write: (items: readonly T[]) => Promise<R[]>,
  onRejected: (item: T, error: unknown) => R | Promise<R>,
): Promise<R[]> {
  if (items.length === 0) return [];
  try {
    return await write(items);
  } catch (error) {
    if (!isRejectedData(error)) throw error;
    if (items.length === 1) return [await onRejected(items[0]!, error)];
  }
  const middle = items.length >> 1;
  const left = await writeWithBisection(items.slice(0, middle), write, onRejected);
  return [...left, ...(await writeWithBisection(items.slice(middle), write, onRejected))];
}
