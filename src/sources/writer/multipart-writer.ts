/**
 * Writes to a bucket. What fits into one part is uploaded with one request; more is uploaded in parts and made visible by a last request.
 * Each request passes the gate and is retried if that can help.
 */
import { SeineError } from '../../base/errors.ts';
import { keyOf } from '../../base/key.ts';
import { withRetry } from '../../base/retry.ts';
import type { Access } from '../access.ts';
import { UNLIMITED_GATE } from '../request-gate.ts';
import { createDeadline } from '../store/deadline.ts';
import type { StoreClient } from '../store/store-client.ts';
import type { Content, ObjectWriter } from './writer.ts';

/**
 * The interface of a provider. Each function sends one request. Names are those in the bucket, with the target's prefix. If the parts of
 * an upload are gone, the error is of the kind `changed`.
 */
export interface MultipartStore extends Pick<StoreClient, 'mapError'> {
  /** Precedes every name. */
  readonly prefix: string;
  putWhole(name: string, bytes: Uint8Array, signal: AbortSignal): Promise<void>;
  /** Returns the id of the upload. */
  beginUpload(name: string, signal: AbortSignal): Promise<string>;
  /** Called in sequence. Returns what `commit` needs to know of the part. */
  putPart(upload: Upload, part: UploadPart, bytes: Uint8Array, signal: AbortSignal): Promise<string>;
  commit(upload: Upload, pieces: readonly string[], signal: AbortSignal): Promise<void>;
  /** For stores that charge for the parts of an unfinished upload until it is aborted. */
  abandon?(upload: Upload, signal: AbortSignal): Promise<void>;
  /** Some of the unfinished uploads under a prefix. */
  listUploads?(prefix: string, signal: AbortSignal): Promise<Upload[]>;
}

export interface Upload {
  readonly name: string;
  readonly id: string;
}

/** `number` is counted from 0. */
export interface UploadPart {
  readonly number: number;
  readonly offset: number;
  readonly isLast: boolean;
}

const PART_BYTES = 8 << 20;
const RETRY_TIMEOUT_MS = 60_000;
/** For a whole part: the response arrives only after it has been uploaded. */
const RESPONSE_TIMEOUT_MS = 120_000;

export function createMultipartWriter(
  store: MultipartStore,
  access: Access,
  pieceBytes = PART_BYTES,
): ObjectWriter {
  const put = async (relative: string, content: Content, signal: AbortSignal) => {
    const name = store.prefix + relative;
    const asking = { store, access, name, signal };
    const chunks = rechunk(content, pieceBytes)[Symbol.asyncIterator]();
    const first = (await chunks.next()).value ?? new Uint8Array(0);
    const second = await chunks.next();
    if (second.done)
      return sendWithRetry(asking, first.length, (until) => store.putWhole(name, first, until));
    await putParts(asking, first, second, chunks);
  };
  const sweep = async (folder: string, signal: AbortSignal) => {
    const { listUploads } = store;
    if (listUploads === undefined) return;
    const name = `${store.prefix}${folder}/`;
    const left = await sendWithRetry({ store, access, name, signal }, 0, (until) =>
      listUploads(name, until),
    ).catch(unlessDenied);
    for (const upload of left) await abandon(store, upload);
  };
  return { put, sweep };
}

interface WriteRequest {
  readonly store: MultipartStore;
  readonly access: Access;
  readonly name: string;
  readonly signal: AbortSignal;
}

/** Reads one part ahead, because the last one must be known as such. */
async function putParts(
  asking: WriteRequest,
  first: Uint8Array,
  second: IteratorResult<Uint8Array>,
  rest: AsyncIterator<Uint8Array>,
): Promise<void> {
  const { store, name } = asking;
  const upload = { name, id: await sendWithRetry(asking, 0, (until) => store.beginUpload(name, until)) };
  const tags: string[] = [];
  let offset = 0;
  const put = async (bytes: Uint8Array, isLast: boolean) => {
    const part = { number: tags.length, offset, isLast };
    tags.push(
      await sendWithRetry(asking, bytes.length, (until) => store.putPart(upload, part, bytes, until)),
    );
    offset += bytes.length;
  };
  try {
    let bytes = first;
    for (let next = second; ; next = await rest.next()) {
      await put(bytes, next.done === true);
      if (next.done) break;
      bytes = next.value;
    }
    await sendWithRetry(asking, 0, (until) => store.commit(upload, tags, until));
  } catch (error) {
    await abandon(store, upload);
    throw isGone(error) ? writtenByAnother(name, error) : error;
  }
}

/** Best effort: what is left is swept the next time, and costs little until then. */
async function abandon(store: MultipartStore, upload: Upload): Promise<void> {
  await store.abandon?.(upload, AbortSignal.timeout(10_000)).catch(() => {});
}

/** Another process that writes the same object has deleted the parts, or replaced them by its own. */
function isGone(error: unknown): boolean {
  return error instanceof SeineError && error.kind === 'changed';
}

function writtenByAnother(name: string, cause: unknown): SeineError {
  const message = `Another process was writing ${name} at the same time.`;
  return new SeineError('conflict', message, { retry: true, cause });
}

/** A writer without the right to list uploads skips the sweep; the store's own lifecycle rules delete them. */
function unlessDenied(error: unknown): Upload[] {
  if (error instanceof SeineError && error.kind === 'permission') return [];
  throw error;
}

/** One request, retried if that can help. */
function sendWithRetry<T>(
  { store, access, name, signal }: WriteRequest,
  bytes: number,
  request: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const { gate = UNLIMITED_GATE, retryTimeoutMs = RETRY_TIMEOUT_MS } = access;
  const attempt = async () => {
    await gate.admit('write', bytes, signal);
    const deadline = createDeadline(RESPONSE_TIMEOUT_MS, signal);
    try {
      return await deadline.wait(request(deadline.signal));
    } catch (error) {
      signal.throwIfAborted();
      const failure = store.mapError(error, keyOf(name));
      if (failure.throttled) gate.throttled(failure.retryAfterMs ?? null);
      throw failure.error;
    } finally {
      deadline.close();
    }
  };
  return withRetry(attempt, { forMs: retryTimeoutMs, signal });
}

/** The same bytes in chunks of exactly that size; the last may be smaller. Empty content yields no chunk. */
export async function* rechunk(content: Content, size: number): AsyncGenerator<Uint8Array> {
  let full = new Uint8Array(size);
  let length = 0;
  for await (const chunk of content) {
    for (let at = 0; at < chunk.length; ) {
      const part = chunk.subarray(at, at + size - length);
      full.set(part, length);
      length += part.length;
      at += part.length;
      if (length < size) continue;
      yield full;
      full = new Uint8Array(size);
      length = 0;
    }
  }
  if (length > 0) yield full.subarray(0, length);
}
