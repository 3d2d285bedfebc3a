/** A file from the page cache through detection, in one thread: reading included, findings only counted. */
import { closeSync, openSync, readSync } from 'node:fs';
import type { Scanner, TextContext } from '../../src/detection/spans.ts';

/** Nothing but the text itself names its values, as in a log. */
export const PLAIN_TEXT: TextContext = { fieldAt: () => null, fieldScope: 'near' };
/** Every value may be named by a field or a column far away; here none is, but each has to be asked about. */
export const NAMED_FROM_AFAR: TextContext = { fieldAt: () => null };

const READ = 256 * 1024;
const buffer = Buffer.alloc(READ);

export function scanFile(scanner: Scanner, path: string, context: TextContext = PLAIN_TEXT): number {
  let found = 0;
  scanner.begin(context, (spans) => {
    found += spans.count;
  });
  const file = openSync(path, 'r');
  for (let read = readSync(file, buffer); read > 0; read = readSync(file, buffer))
    scanner.push(read === READ ? buffer : buffer.subarray(0, read));
  closeSync(file);
  scanner.end();
  return found;
}
