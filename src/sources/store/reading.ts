import { SeineError } from '../../base/errors.ts';
import { displayKey } from '../../base/key.ts';
import type { ByteRange, SourceObject } from '../source.ts';
import { createDeadline, type Deadline } from './deadline.ts';
import { textOf } from './key-text.ts';
import { type RequestOptions, RequestRetries } from './request-retries.ts';
import type { Body, ReadObject, StoreClient } from './store-client.ts';
import { ThroughputGuard } from './throughput-guard.ts';

/** After this many bytes the retries of a stream that breaks again are reset. */
const MIN_PROGRESS_BYTES = 1 << 16;

/**
 * The content as it arrives. A stream that breaks or ends early is resumed at the byte it reached, always on condition that the object is
 * the listed one.
 */
export async function* readObject(
  sending: RequestOptions<StoreClient>,
  object: SourceObject,
  bytes: ByteRange | null,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array> {
  signal.throwIfAborted();
  const request = named(object);
  const end = Math.min(bytes?.to ?? object.size, object.size);
  const attempts = new RequestRetries(sending, { kind: 'read', key: object.key, signal });
  for (let at = bytes?.from ?? 0, mark = at; at < end; ) {
    await attempts.begin(end - at);
    try {
      for await (const chunk of readOnce(sending, request, { from: at, to: end }, signal)) {
        at += chunk.length;
        yield chunk;
        signal.throwIfAborted();
      }
    } catch (error) {
      if (at - mark >= MIN_PROGRESS_BYTES) attempts.reset();
      mark = at;
      await attempts.failed(error).catch((reason) => throwConfirmed(reason, sending, request, signal));
    }
  }
}

/** An object that is no longer the listed one may also have been deleted. */
async function throwConfirmed(
  reason: unknown,
  { client, gate, answerMs }: RequestOptions<StoreClient>,
  object: ReadObject,
  signal: AbortSignal,
): Promise<never> {
  const isChanged = reason instanceof SeineError && reason.kind === 'changed';
  if (!isChanged || client.checkExists === undefined) throw reason;
  await gate.admit('head', 0, signal);
  const deadline = createDeadline(answerMs, signal);
  try {
    await deadline.wait(client.checkExists(object, deadline.signal));
  } catch (error) {
    signal.throwIfAborted();
    const failure = client.mapError(error, object.key);
    if (failure.throttled) gate.throttled(failure.retryAfterMs ?? null);
    if (failure.error.kind === 'not-found') throw failure.error;
  } finally {
    deadline.close();
  }
  throw reason;
}

/** One request. Ends with exactly the requested bytes or throws; in both cases its connection is free again, or closed. */
async function* readOnce(
  { client, answerMs }: RequestOptions<StoreClient>,
  object: ReadObject,
  { from, to }: ByteRange,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array> {
  const deadline = createDeadline(answerMs, signal);
  const pace = new ThroughputGuard(answerMs);
  const whole = from === 0 && to === object.size;
  const opened = client.read(object, whole ? null : { from, to }, deadline.signal);
  let at = from;
  let isOver = false;
  try {
    const body = (await deadline.wait(opened))[Symbol.asyncIterator]();
    for (;;) {
      const { done, value } = await pace.measure(deadline.wait(body.next()));
      isOver = done === true;
      if (done) break;
      at += value.length;
      if (at > to) throw wrongLength(object, 'more');
      yield value;
      pace.received(value.length);
    }
    if (at < to) throw wrongLength(object, 'fewer');
  } finally {
    deadline.close();
    if (!isOver) abandon(opened, deadline);
  }
}

/** Discards the rest of the response. Not awaited, because an aborted request may never settle. */
function abandon(opened: Promise<Body>, deadline: Deadline): void {
  const close = (body: Body) => {
    if (body.destroy !== undefined) body.destroy();
    else void body[Symbol.asyncIterator]().return?.();
  };
  opened.then(close).catch(() => {});
  deadline.abort();
}

function named(object: SourceObject): ReadObject {
  const name = textOf(object.key);
  if (name !== null) return { ...object, name };
  throw new SeineError('not-found', `${displayKey(object.key)} does not exist: its name is no text.`);
}

/** A short read must never pass for the whole object. */
function wrongLength({ key }: ReadObject, than: 'more' | 'fewer'): SeineError {
  return new SeineError('unavailable', `The store gave ${than} bytes of ${displayKey(key)} than it has.`);
}
