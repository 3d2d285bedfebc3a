/** The thread of the background count: lists, counts, reports. See background-count.ts. */
import { parentPort, workerData } from 'node:worker_threads';
import { FULL_RANGE } from '../../base/range.ts';
import { openSource } from '../../sources/open.ts';
import { isObjectError } from '../../sources/source.ts';
import type { Scope } from '../lifecycle/scope.ts';
import { readableBytes } from '../segments/segment.ts';
import type { SourceTotals } from './background-count.ts';

const { target, scope } = workerData as { target: string; scope: Scope };
let objects = 0;
let bytes = 0;
const postTotals = (final: boolean) =>
  parentPort!.postMessage({ objects, bytes, final, estimated: false } satisfies SourceTotals);
const source = await openSource(target, scope);
for await (const batch of source.list(FULL_RANGE, new AbortController().signal)) {
  objects += batch.length;
  for (const item of batch)
    if (!isObjectError(item) && item.unreadable === undefined) bytes += readableBytes(item);
  postTotals(false);
}
postTotals(true);
