/**
 * A detection thread: opens its own source, reads, extracts, detects and scores; shares nothing. It answers batches
 * in the order they come.
 */
import { setTimeout } from 'node:timers/promises';
import { parentPort, workerData } from 'node:worker_threads';
import { SeineError } from '../../base/errors.ts';
import { openSource } from '../../sources/open.ts';
import type { Source } from '../../sources/source.ts';
import { isClean } from '../inspection.ts';
import { Inspector } from './inspector.ts';
import { type Batch, type BatchDone, Pulse, type ThreadSetup } from './protocol.ts';

const OPEN_TRIES = 20;
const OPEN_PAUSE_MS = 250;

const setup = workerData as ThreadSetup;
const port = parentPort!;
const pulse = new Pulse(setup.pulse);
const inspector = new Inspector(await openPatiently(setup.target), setup);
const never = new AbortController().signal;
let queue = Promise.resolve();

port.on('message', (batch: Batch) => {
  queue = queue.then(() => inspectBatch(batch));
  // An error that is nobody's outcome ends the thread; the pool then knows the object by the pulse.
  queue.catch((error) => {
    throw error;
  });
});

port.postMessage('up');

/** A share may be away for a moment just when the thread starts. */
async function openPatiently(target: string): Promise<Source> {
  for (let tries = 0; ; tries++) {
    try {
      return openSource(target, {});
    } catch (error) {
      if (!(error instanceof SeineError) || tries === OPEN_TRIES) throw error;
      await setTimeout(OPEN_PAUSE_MS);
    }
  }
}

async function inspectBatch(batch: Batch): Promise<void> {
  const bytesRead = new Float64Array(batch.objects.length);
  const notable: BatchDone['notable'][number][] = [];
  for (const [place, object] of batch.objects.entries()) {
    pulse.at(place);
    const inspection =
      inspector.inspectNow(object) ?? (await inspector.inspect(object, never, (bytes) => pulse.read(bytes)));
    bytesRead[place] = inspection.bytesRead;
    if (!isClean(inspection)) notable.push({ place, inspection });
  }
  port.postMessage({ id: batch.id, bytesRead, notable } satisfies BatchDone, [bytesRead.buffer]);
}
