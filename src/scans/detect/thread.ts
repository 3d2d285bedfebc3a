/**
 * A detection thread: opens the sources of the scans it works on for itself, reads, extracts, detects and scores; shares nothing.
 * It answers batches in the order they come.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { parentPort, workerData } from 'node:worker_threads';
import { messageOf, SeineError } from '../../base/errors.ts';
import { SharedReaders } from '../../extraction/isolation/shared-readers.ts';
import { CredentialRefused } from '../../sources/credential-refused.ts';
import { openSource } from '../../sources/open.ts';
import type { Source, SourceObject } from '../../sources/source.ts';
import { type Inspection, isClean } from '../inspection.ts';
import { isStep } from '../parts/part.ts';
import { Inspector } from './inspector.ts';
import {
  type Batch,
  type BatchDone,
  type FromThread,
  type PlainError,
  Pulse,
  type ThreadSetup,
  type ToThread,
} from './protocol.ts';
import { AHEAD_BYTES, type Fetched, ReadAhead } from './read-ahead.ts';
import { Stopped, ThreadGates } from './thread-gate.ts';

const OPEN_TRIES = 20;
const OPEN_PAUSE_MS = 250;
const BEAT_MS = 1000;
/** A request is tried again so long; then the object waits for another turn and makes room for others. */
const READ_PATIENCE_MS = 5000;

const setup = workerData as ThreadSetup;
const port = parentPort!;
const pulse = new Pulse(setup.pulse);
const gates = new ThreadGates(port as never);
const memory = new SharedReaders(setup.readers).share(setup.place);
const ahead = new ReadAhead(setup.readsAtOnce);
const never = new AbortController().signal;
const scans = new Map<number, Promise<Desk>>();
let queue = Promise.resolve();

type Open = Extract<ToThread, { is: 'open' }>;

/** What this thread has on its table for one scan. */
interface Desk {
  readonly source: Source;
  readonly inspector: Inspector;
}

port.on('message', (message: ToThread) => {
  if (message.is === 'gate') return gates.answered(message.id, message.passed);
  if (message.is === 'open') return openScan(message);
  if (message.is === 'close') return closeScan(message.scan);
  const desk = scans.get(message.scan)!;
  const fetched = fetchAhead(desk, message);
  queue = queue.then(() =>
    scans.get(message.scan) === desk ? inspectAdmitted(desk, message, fetched) : leave(message),
  );
  // An error that is nobody's outcome ends the thread; the pool then knows the object by the pulse.
  queue.catch((error) => {
    throw error;
  });
});

// Whoever waits at a gate is alive, however long it takes.
setInterval(() => gates.asking && pulse.beat(), BEAT_MS).unref();
tell({ is: 'up' });

function openScan(opened: Open): void {
  const desk = openPatiently(opened).then((source) => ({
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
async function openPatiently({ scan, setup, gated }: Open): Promise<Source> {
  const { target, settings, initialState } = setup;
  for (let tries = 0; ; tries++) {
    try {
      return await openSource(
        target,
        {},
        {
          patienceMs: READ_PATIENCE_MS,
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
async function fetchAhead(opening: Promise<Desk>, { objects }: Batch): Promise<Promise<Fetched>[] | null> {
  const desk = await opening.catch(() => null);
  if (!desk?.source.capabilities.remote) return null;
  const fetch = async (object: SourceObject): Promise<Fetched> =>
    isAhead(object) ? ahead.fetch(desk.source, object, never) : { error: null };
  return objects.map(fetch);
}

/** The lane was closed, or opened anew, before the batch had its turn: nobody waits for its objects any more. */
function leave({ id, objects }: Batch): void {
  tell({
    is: 'done',
    id,
    bytesRead: new Float64Array(objects.length),
    notable: [],
    stopped: [...objects.keys()],
  });
}

/** A refused credential is nobody's outcome: with a fresh one the whole batch can be looked at again. */
async function inspectAdmitted(...asked: Parameters<typeof inspectBatch>): Promise<void> {
  try {
    await inspectBatch(...asked);
  } catch (error) {
    if (!(error instanceof CredentialRefused)) throw error;
    tell({ is: 'failed', id: asked[1].id, error: { ...plainError(error), retry: true } });
  }
}

async function inspectBatch(
  opening: Promise<Desk>,
  batch: Batch,
  ahead: Promise<Promise<Fetched>[] | null>,
): Promise<void> {
  const desk = await opening.catch((error: unknown) => plainError(error));
  if ('message' in desk) return tell({ is: 'failed', id: batch.id, error: desk });
  const fetched = await ahead;
  const bytesRead = new Float64Array(batch.objects.length);
  const notable: BatchDone['notable'][number][] = [];
  const stopped: number[] = [];
  for (const [place, object] of batch.objects.entries()) {
    pulse.at(place);
    const inspection = fetched
      ? await inspectRemote(desk, object, fetched[place]!)
      : (desk.inspector.inspectNow(object) ?? (await inspectInPieces(desk, object)));
    if (inspection === null) stopped.push(place);
    else bytesRead[place] = inspection.bytesRead;
    if (inspection !== null && !isClean(inspection)) notable.push({ place, inspection });
  }
  tell({ is: 'done', id: batch.id, bytesRead, notable, stopped });
}

/** Null: the gate is closed. While bytes are on their way a timer says that the thread is alive; a hang would stop it too. */
async function inspectRemote(
  desk: Desk,
  object: SourceObject,
  fetched: Promise<Fetched>,
): Promise<Inspection | null> {
  const alive = setInterval(() => pulse.beat(), BEAT_MS);
  try {
    if (!isAhead(object)) return await inspectInPieces(desk, object);
    const got = await fetched;
    if ('error' in got) throw got.error;
    return await desk.inspector.inspectBytes(object, got.bytes, (bytes) => pulse.read(bytes));
  } catch (error) {
    if (error instanceof Stopped) return null;
    if (error instanceof CredentialRefused) throw error;
    if (error instanceof SeineError) return desk.inspector.notFetched(error);
    throw error;
  } finally {
    clearInterval(alive);
  }
}

/** Also small ones, of a folder whose gate must be asked. Null: it is closed. */
async function inspectInPieces({ inspector }: Desk, object: SourceObject): Promise<Inspection | null> {
  try {
    return await inspector.inspect(object, never, (bytes) => pulse.read(bytes));
  } catch (error) {
    if (error instanceof Stopped) return null;
    throw error;
  }
}

/** Small and whole. What is large streams by itself, a step of a huge object knows its own stretch. */
function isAhead(object: SourceObject): boolean {
  return object.size <= AHEAD_BYTES && !isStep(object);
}

function plainError(error: unknown): PlainError {
  const { kind, hint, retry } =
    error instanceof SeineError ? error : new SeineError('internal', messageOf(error));
  return { kind, message: messageOf(error), hint, retry };
}

function tell(message: FromThread): void {
  port.postMessage(message);
}
