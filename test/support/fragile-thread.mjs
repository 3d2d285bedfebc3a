// A detection thread that can be broken by the name of an object: `crash…` ends it, `hang…` stops it, the rest is clean.
import { parentPort, workerData } from 'node:worker_threads';

const pulse = new Int32Array(workerData.pulse);
if (workerData.target === 'broken') throw new Error('a module is missing');

parentPort.on('message', ({ id, objects }) => {
  for (const [place, object] of objects.entries()) {
    Atomics.store(pulse, 0, place);
    Atomics.add(pulse, 1, 1);
    if (object.key.startsWith('crash')) throw new Error('out of memory');
    if (object.key.startsWith('hang')) for (let i = 0; ; i++) pulse[2] = i;
  }
  parentPort.postMessage({
    id,
    bytesRead: new Float64Array(objects.map((object) => object.size)),
    notable: [],
  });
});
parentPort.postMessage('up');
