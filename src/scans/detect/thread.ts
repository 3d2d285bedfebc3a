/**
 * A detection thread: opens the sources of its scans itself, reads, extracts, detects and scores; shares no
 * state. It answers batches in order.
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
/** Requests are retried for this long; then the object is requeued and makes room for others. */
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

/** The state of this thread for one scan. */
interface OpenScan {
  readonly source: Source;
  readonly inspector: Inspector;
}

port.on('message', (message: ToThread) => {
  if (message.is === 'gate') return gates.resolve(message.id, message.passed);
  if (message.is === 'open') return openScan(message);
  if (message.is === 'close') return closeScan(message.scan);
  const scanState = scans.get(message.scan)!;
  const fetched = fetchAhead(scanState, message);
  queue = queue.then(() =>
    scans.get(message.scan) === scanState ? inspectOrReject(scanState, message, fetched) : skipBatch(message),
  );
  // An error that belongs to no object ends the thread; the pool then identifies the object by the
  // heartbeat.
  queue.catch((error) => {
    throw error;
  });
});

// A thread that waits at a gate is alive, however long it takes.
setInterval(() => gates.hasPending && heartbeat.beat(), HEARTBEAT_INTERVAL_MS).unref();
postToPool({ is: 'up' });

function openScan(opened: Open): void {
  const scanState = openWithRetry(opened).then((source) => ({
    source,
    inspector: new Inspector(source, opened.setup, memory),
  }));
  scanState.then(({ source }) => source.warm?.()).catch(() => {}); // reported with the first batch
  scans.set(opened.scan, scanState);
}

/** Ends the reader process of the scan, which would keep its memory. A batch in progress gets another one. */
function closeScan(scan: number): void {
  const scanState = scans.get(scan);
  scans.delete(scan);
  queue = queue
    .then(() => scanState)
    .then(
      (closed) => closed?.inspector.close(),
      () => {}, // the source could not be opened
    );
}

/** A file share may be briefly unavailable when the thread starts. */
async function openWithRetry({ scan, setup, gated }: Open): Promise<Source> {
  const { target, settings, initialState } = setup;
  for (let tries = 0; ; tries++) {
    try {
      return await openSource(
        target,
        {},
        {
          retryTimeoutMs: READ_TIMEOUT_MS,
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

/** Starts fetching all small objects of a batch of a remote source before the first is inspected. */
async function fetchAhead(
  opening: Promise<OpenScan>,
  { objects }: Batch,
): Promise<Promise<Fetched>[] | null> {
  const scanState = await opening.catch(() => null);
  if (!scanState?.source.capabilities.remote) return null;
  const fetch = async (object: SourceObject): Promise<Fetched> =>
    isPrefetched(object) ? ahead.fetch(scanState.source, object, never) : { error: null };
  return objects.map(fetch);
}

/** The queue was closed, or reopened, before the batch had its turn: its objects are not needed any more. */
function skipBatch({ id, objects }: Batch): void {
  postToPool({
    is: 'done',
    id,
    bytesRead: new Float64Array(objects.length),
    notable: [],
    stopped: [...objects.keys()],
  });
}

/**
 * A rejected credential is attributed to no object: with a fresh one the whole batch can be inspected
 * again.
 */
async function inspectOrReject(...args: Parameters<typeof inspectBatch>): Promise<void> {
  try {
    await inspectBatch(...args);
  } catch (error) {
    if (!(error instanceof AuthenticationError)) throw error;
    postToPool({ is: 'failed', id: args[1].id, error: { ...serializeError(error), retry: true } });
  }
}

async function inspectBatch(
  opening: Promise<OpenScan>,
  batch: Batch,
  ahead: Promise<Promise<Fetched>[] | null>,
): Promise<void> {
  const scanState = await opening.catch((error: unknown) => serializeError(error));
  if ('message' in scanState) return postToPool({ is: 'failed', id: batch.id, error: scanState });
  const fetched = await ahead;
  const bytesRead = new Float64Array(batch.objects.length);
  const notable: BatchDone['notable'][number][] = [];
  const stopped: number[] = [];
  for (const [index, object] of batch.objects.entries()) {
    heartbeat.startObject(index);
    const inspection = fetched
      ? await inspectRemote(scanState, object, fetched[index]!)
      : (scanState.inspector.inspectSync(object) ?? (await inspectInPieces(scanState, object)));
    if (inspection === null) stopped.push(index);
    else bytesRead[index] = inspection.bytesRead;
    if (inspection !== null && !isClean(inspection)) notable.push({ place: index, inspection });
  }
  postToPool({ is: 'done', id: batch.id, bytesRead, notable, stopped });
}

/**
 * Returns null if the gate is closed. While bytes are in transit a timer updates the heartbeat; a hang
 * would stop it, too.
 */
async function inspectRemote(
  scanState: OpenScan,
  object: SourceObject,
  fetched: Promise<Fetched>,
): Promise<Inspection | null> {
  const alive = setInterval(() => heartbeat.beat(), HEARTBEAT_INTERVAL_MS);
  try {
    if (!isPrefetched(object)) return await inspectInPieces(scanState, object);
    const got = await fetched;
    if ('error' in got) throw got.error;
    return await scanState.inspector.inspectBytes(object, got.bytes, (bytes) => heartbeat.addBytes(bytes));
  } catch (error) {
    if (error instanceof GateClosed) return null;
    if (error instanceof AuthenticationError) throw error;
    if (error instanceof SeineError) return scanState.inspector.fetchFailure(error);
    throw error;
  } finally {
    clearInterval(alive);
  }
}

/** Also for small objects of a folder with a gate. Returns null if the gate is closed. */
async function inspectInPieces({ inspector }: OpenScan, object: SourceObject): Promise<Inspection | null> {
  try {
    return await inspector.inspect(object, never, (bytes) => heartbeat.addBytes(bytes));
  } catch (error) {
    if (error instanceof GateClosed) return null;
    throw error;
  }
}

/** Small whole objects. Large ones are streamed, and a segment of a huge object reads its own window. */
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
