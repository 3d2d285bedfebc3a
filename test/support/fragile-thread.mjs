// A detection thread that can be broken by the name of an object: `crash…` ends it, `hang…` stops it, `transient N …` can't be
// read N times, `gated…` asks the gate first, the rest is clean.
import { setTimeout as sleep } from 'node:timers/promises';
import { parentPort, workerData } from 'node:worker_threads';

const pulse = new Int32Array(workerData.pulse);
if (process.env.BREAK_THREADS) throw new Error('a module is missing');
if (process.env.SLOW_THREADS_MS) await sleep(Number(process.env.SLOW_THREADS_MS));
const targets = new Map();
const failures = new Map();
const asked = [];
let queue = Promise.resolve();

parentPort.on('message', (message) => {
  if (message.is === 'open') targets.set(message.scan, message.setup.target);
  if (message.is === 'gate') asked[message.id](message.passed);
  if (message.is === 'batch') queue = queue.then(() => inspect(message));
});
parentPort.postMessage({ is: 'up' });

async function inspect({ id, scan, objects }) {
  if (targets.get(scan) === 'gone') {
    const error = { kind: 'unavailable', message: 'the share is away', retry: true };
    return parentPort.postMessage({ is: 'failed', id, error });
  }
  const notable = [];
  const stopped = [];
  for (const [place, object] of objects.entries()) {
    Atomics.store(pulse, 0, place);
    Atomics.add(pulse, 1, 1);
    if (object.key.startsWith('crash')) throw new Error('out of memory');
    if (object.key.startsWith('hang')) for (let i = 0; ; i++) pulse[2] = i;
    if (object.key.startsWith('transient') && failsNow(object.key))
      notable.push({ place, inspection: UNREADABLE });
    if (object.key.startsWith('gated') && !(await passes(scan, object))) stopped.push(place);
  }
  const bytesRead = new Float64Array(objects.map((object) => object.size));
  parentPort.postMessage({ is: 'done', id, bytesRead, notable, stopped });
}

function passes(scan, object) {
  return new Promise((resolve) => {
    const id = asked.push(resolve) - 1;
    parentPort.postMessage({ is: 'ask', id, scan, kind: 'read', bytes: object.size });
  });
}

function failsNow(key) {
  const times = failures.get(key) ?? 0;
  failures.set(key, times + 1);
  return times < Number(key.split(' ')[1]);
}

const UNREADABLE = {
  outcome: 'skipped',
  reason: 'read-failed',
  stable: false,
  bytesRead: 0,
  score: null,
  points: null,
  tier: null,
  counts: {},
  findings: [],
  transient: true,
  evidence: { error: 'the disk has a scratch' },
};
