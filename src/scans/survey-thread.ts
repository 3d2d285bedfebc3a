/** The survey's thread: lists, counts, tells. See survey.ts. */
import { parentPort, workerData } from 'node:worker_threads';
import { EVERYTHING } from '../base/range.ts';
import { openSource } from '../sources/open.ts';
import { isObjectError } from '../sources/source.ts';
import { readableBytes } from './parts/part.ts';
import type { Scope } from './scope.ts';
import type { Totals } from './survey.ts';

const { target, scope } = workerData as { target: string; scope: Scope };
let objects = 0;
let bytes = 0;
const tell = (final: boolean) =>
  parentPort!.postMessage({ objects, bytes, final, guessed: false } satisfies Totals);
const source = await openSource(target, scope);
for await (const batch of source.list(EVERYTHING, new AbortController().signal)) {
  objects += batch.length;
  for (const item of batch)
    if (!isObjectError(item) && item.unreadable === undefined) bytes += readableBytes(item);
  tell(false);
}
tell(true);
