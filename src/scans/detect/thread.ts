/**
 * A detection thread: opens its own source, reads, extracts, detects and scores; shares nothing. It answers batches
 * in the order they come.
 */
import { parentPort, workerData } from 'node:worker_threads';
import { openSource } from '../../sources/open.ts';
import { isClean } from '../inspection.ts';
import { Inspector } from './inspector.ts';
import { type Batch, type BatchDone, Pulse, type ThreadSetup } from './protocol.ts';

const setup = workerData as ThreadSetup;
const port = parentPort!;
const pulse = new Pulse(setup.pulse);
const inspector = new Inspector(openSource(setup.target, {}), setup);
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
