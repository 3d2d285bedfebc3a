import { SeineError } from '../base/errors.ts';

/** Two of them, a tenant and the name of a workflow fit together into an entry of an index, of at most 2,704 bytes. */
const MOST_BYTES = 1000;

/** Ids and names are looked up in the database: they must fit into its indexes, and its text has no zero. */
export function checkName(what: string, name: string): void {
  const bytes = Buffer.byteLength(name);
  if (bytes > MOST_BYTES)
    throw new SeineError('usage', `${what} has ${bytes} bytes; ${MOST_BYTES} are the most.`, {
      hint: 'Use a hash of it.',
    });
  if (name.includes('\0'))
    throw new SeineError('usage', `${what} holds a zero character, which no text of the database does.`, {
      hint: 'Leave it out.',
    });
}
