/**
 * A detection thread: opens the sources of the scans it works on for itself, reads, extracts, detects and scores; shares nothing.
 * It answers batches in the order they come.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { parentPort, workerData } from 'node:worker_threads';
import { messageOf, SeineError } from '../../base/errors.ts';
import { SharedReaders } from '../../extraction/isolation/shared-readers.ts';
import { AuthenticationError } from '../../sources/authentication-error.ts';
import { openSource } from '../../sources/open.ts';
import type { Source, SourceObject } from '../../sources/source.ts';
import { type Inspection, isClean } from '../results/inspection.ts';
import { isChunk } from '../segments/segment.ts';
import { Inspector } from './inspector.ts';
import {
  type Batch,
  type BatchDone,
  type FromThread,
  type SerializedError,
  ThreadHeartbeat,
  type ThreadSetup,
  type ToThread,
} from './protocol.ts';
import { type Fetched, MAX_READ_AHEAD_OBJECT_BYTES, ReadAhead } from './read-ahead.ts';
import { GateClosed, ThreadGates } from './thread-gate.ts';

const OPEN_TRIES = 20;
const OPEN_PAUSE_MS = 250;
const HEARTBEAT_INTERVAL_MS = 1000;
/** A request is tried again so long; then the object waits for another turn and makes room for others. */
const READ_TIMEOUT_MS = 5000;

const setup = workerData as ThreadSetup;
const port = parentPort!;
const heartbeat = new ThreadHeartbeat(setup.pulse);
const gates = new ThreadGates(port as never);
const memory = new SharedReaders(setup.readers).share(setup.place);
const ahead = new ReadAhead(setup.readsAtOnce);
const never = new AbortController().signal;
const scans = new Map<number, Promise<OpenScan>>();
let queue = Promise.resolve();

type Open = Extract<ToThread, { is: 'open' }>;

/** What this thread has on its table for one scan. */
interface OpenScan {
  readonly source: Source;
  readonly inspector: Inspector;
}

port.on('message', (message: ToThread) => {
  if (message.is === 'gate') return gates.resolve(message.id, message.passed);
  if (message.is === 'open') return openScan(message);
  if (message.is === 'close') return closeScan(message.scan);
  const desk = scans.get(message.scan)!;
  const fetched = fetchAhead(desk, message);
  queue = queue.then(() =>
    scans.get(message.scan) === desk ? inspectOrReject(desk, message, fetched) : skipBatch(message),
  );
  // An error that is nobody's outcome ends the thread; the pool then knows the object by the pulse.
  queue.catch((error) => {
    throw error;
  });
});

// Whoever waits at a gate is alive, however long it takes.
setInterval(() => gates.hasPending && heartbeat.beat(), HEARTBEAT_INTERVAL_MS).unref();
postToPool({ is: 'up' });

function openScan(opened: Open): void {
  const desk = openWithRetry(opened).then((source) => ({
    source,
    inspector: new Inspector(source, opened.setup, memory),
  }));
  desk.then(({ source }) => source.warm?.()).catch(() => {}); // told with the first batch
  scans.set(opened.scan, desk);
}

/** Its reader process would keep its memory. A batch that is under way gets another one, which is idle soon. */
function closeScan(scan: number): void {
  const desk = scans.get(scan);
  scans.delete(scan);
  queue = queue
    .then(() => desk)
    .then(
      (closed) => closed?.inspector.close(),
      () => {}, // it could not be opened
    );
}

/** A share may be away for a moment just when the thread starts. */
async function openWithRetry({ scan, setup, gated }: Open): Promise<Source> {
  const { target, settings, initialState } = setup;
  for (let tries = 0; ; tries++) {
    try {
      return await openSource(
        target,
        {},
        {
          patienceMs: READ_TIMEOUT_MS,
          ...(gated && { gate: gates.of(scan) }),
          ...(settings && { settings }),
          ...(initialState && { initialState }),
        },
      );
    } catch (error) {
      if (!(error instanceof SeineError) || tries === OPEN_TRIES) throw error;
      await sleep(OPEN_PAUSE_MS);
    }
  }
}

/** Of a remote source, everything small is on its way before the first object is looked at. */
async function fetchAhead(
  opening: Promise<OpenScan>,
  { objects }: Batch,
): Promise<Promise<Fetched>[] | null> {
  const desk = await opening.catch(() => null);
  if (!desk?.source.capabilities.remote) return null;
  const fetch = async (object: SourceObject): Promise<Fetched> =>
    isPrefetched(object) ? ahead.fetch(desk.source, object, never) : { error: null };
  return objects.map(fetch);
}

/** The lane was closed, or opened anew, before the batch had its turn: nobody waits for its objects any more. */
function skipBatch({ id, objects }: Batch): void {
  postToPool({
    is: 'done',
    id,
    bytesRead: new Float64Array(objects.length),
    notable: [],
    stopped: [...objects.keys()],
  });
}

/** A refused credential is nobody's outcome: with a fresh one the whole batch can be looked at again. */
async function inspectOrReject(...asked: Parameters<typeof inspectBatch>): Promise<void> {
  try {
    await inspectBatch(...asked);
  } catch (error) {
    if (!(error instanceof AuthenticationError)) throw error;
    postToPool({ is: 'failed', id: asked[1].id, error: { ...serializeError(error), retry: true } });
  }
}

async function inspectBatch(
  opening: Promise<OpenScan>,
  batch: Batch,
  ahead: Promise<Promise<Fetched>[] | null>,
): Promise<void> {
  const desk = await opening.catch((error: unknown) => serializeError(error));
  if ('message' in desk) return postToPool({ is: 'failed', id: batch.id, error: desk });
  const fetched = await ahead;
  const bytesRead = new Float64Array(batch.objects.length);
  const notable: BatchDone['notable'][number][] = [];
  const stopped: number[] = [];
  for (const [place, object] of batch.objects.entries()) {
    heartbeat.startObject(place);
    const inspection = fetched
      ? await inspectRemote(desk, object, fetched[place]!)
      : (desk.inspector.inspectSync(object) ?? (await inspectInPieces(desk, object)));
    if (inspection === null) stopped.push(place);
    else bytesRead[place] = inspection.bytesRead;
    if (inspection !== null && !isClean(inspection)) notable.push({ place, inspection });
  }
  postToPool({ is: 'done', id: batch.id, bytesRead, notable, stopped });
}

/** Null: the gate is closed. While bytes are on their way a timer says that the thread is alive; a hang would stop it too. */
async function inspectRemote(
  desk: OpenScan,
  object: SourceObject,
  fetched: Promise<Fetched>,
): Promise<Inspection | null> {
  const alive = setInterval(() => heartbeat.beat(), HEARTBEAT_INTERVAL_MS);
  try {
    if (!isPrefetched(object)) return await inspectInPieces(desk, object);
    const got = await fetched;
    if ('error' in got) throw got.error;
    return await desk.inspector.inspectBytes(object, got.bytes, (bytes) => heartbeat.addBytes(bytes));
  } catch (error) {
    if (error instanceof GateClosed) return null;
    if (error instanceof AuthenticationError) throw error;
    if (error instanceof SeineError) return desk.inspector.fetchFailure(error);
    throw error;
  } finally {
    clearInterval(alive);
  }
}

/** Also small ones, of a folder whose gate must be asked. Null: it is closed. */
async function inspectInPieces({ inspector }: OpenScan, object: SourceObject): Promise<Inspection | null> {
  try {
    return await inspector.inspect(object, never, (bytes) => heartbeat.addBytes(bytes));
  } catch (error) {
    if (error instanceof GateClosed) return null;
    throw error;
  }
}

/** Small and whole. What is large streams by itself, a step of a huge object knows its own stretch. */
function isPrefetched(object: SourceObject): boolean {
  return object.size <= MAX_READ_AHEAD_OBJECT_BYTES && !isChunk(object);
}

function serializeError(error: unknown): SerializedError {
  const { kind, hint, retry } =
    error instanceof SeineError ? error : new SeineError('internal', messageOf(error));
  return { kind, message: messageOf(error), hint, retry };
}

function postToPool(message: FromThread): void {
  port.postMessage(message);
}
