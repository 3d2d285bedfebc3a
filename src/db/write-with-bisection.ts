/**
 * Many items are written together because that is cheap; one that the database refuses must not hold up the others. `write` has to leave
 * nothing behind when it throws: one statement, or one transaction.
 */
import { isRejectedData } from './rejected-data.ts';

/**
 * Writes all items; if the data is refused, halves them until the refused ones stand alone, which `refused` answers for. Other errors are
 * thrown: they are not the fault of an item. In order, left before right: what is written later sees what was written before.
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
