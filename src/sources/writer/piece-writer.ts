/**
 * A bucket as a place to write to. What fits into one piece is put with one request; more is put piece by piece and made
 * visible by a last request. Each request passes the gate and is repeated while that can help.
 */
import { SeineError } from '../../base/errors.ts';
import { keyOf } from '../../base/key.ts';
import { retrying } from '../../base/retry.ts';
import type { Access } from '../access.ts';
import { OPEN_GATE } from '../gate.ts';
import { createDeadline } from '../store/deadline.ts';
import type { StoreClient } from '../store/store-client.ts';
import { piecesOf } from './pieces.ts';
import type { Content, ObjectWriter } from './writer.ts';

/**
 * What a provider must offer. Each function is one request. Names are those in the bucket, with the target's prefix. That the
 * pieces of an upload are gone is an error of the kind `changed`.
 */
export interface PieceStore extends Pick<StoreClient, 'explain'> {
  /** Goes before every name. */
  readonly prefix: string;
  putWhole(name: string, bytes: Uint8Array, signal: AbortSignal): Promise<void>;
  /** The id of the upload. */
  begin(name: string, signal: AbortSignal): Promise<string>;
  /** One after another. What `commit` wants to know of it. */
  putPiece(upload: Upload, piece: Piece, bytes: Uint8Array, signal: AbortSignal): Promise<string>;
  commit(upload: Upload, pieces: readonly string[], signal: AbortSignal): Promise<void>;
  /** Where pieces of a broken-off upload cost something until they are taken away. */
  abandon?(upload: Upload, signal: AbortSignal): Promise<void>;
  /** Some of the uploads under a prefix that were begun and not ended. */
  begun?(prefix: string, signal: AbortSignal): Promise<Upload[]>;
}

export interface Upload {
  readonly name: string;
  readonly id: string;
}

/** `number` is counted from 0. */
export interface Piece {
  readonly number: number;
  readonly offset: number;
  readonly isLast: boolean;
}

const PIECE = 8 << 20;
const PATIENCE_MS = 60_000;
/** For a whole piece: an upload says nothing before it is through. */
const ANSWER_MS = 120_000;

export function createPieceWriter(store: PieceStore, access: Access, pieceBytes = PIECE): ObjectWriter {
  const put = async (relative: string, content: Content, signal: AbortSignal) => {
    const name = store.prefix + relative;
    const asking = { store, access, name, signal };
    const pieces = piecesOf(content, pieceBytes)[Symbol.asyncIterator]();
    const first = (await pieces.next()).value ?? new Uint8Array(0);
    const second = await pieces.next();
    if (second.done) return ask(asking, first.length, (until) => store.putWhole(name, first, until));
    await putPieces(asking, first, second, pieces);
  };
  const sweep = async (folder: string, signal: AbortSignal) => {
    const { begun } = store;
    if (begun === undefined) return;
    const name = `${store.prefix}${folder}/`;
    const left = await ask({ store, access, name, signal }, 0, (until) => begun(name, until)).catch(
      unlessDenied,
    );
    for (const upload of left) await abandon(store, upload);
  };
  return { put, sweep };
}

interface Asking {
  readonly store: PieceStore;
  readonly access: Access;
  readonly name: string;
  readonly signal: AbortSignal;
}

/** One piece ahead, because the last must be known as such. */
async function putPieces(
  asking: Asking,
  first: Uint8Array,
  second: IteratorResult<Uint8Array>,
  rest: AsyncIterator<Uint8Array>,
): Promise<void> {
  const { store, name } = asking;
  const upload = { name, id: await ask(asking, 0, (until) => store.begin(name, until)) };
  const tags: string[] = [];
  let offset = 0;
  const put = async (bytes: Uint8Array, isLast: boolean) => {
    const piece = { number: tags.length, offset, isLast };
    tags.push(await ask(asking, bytes.length, (until) => store.putPiece(upload, piece, bytes, until)));
    offset += bytes.length;
  };
  try {
    let bytes = first;
    for (let next = second; ; next = await rest.next()) {
      await put(bytes, next.done === true);
      if (next.done) break;
      bytes = next.value;
    }
    await ask(asking, 0, (until) => store.commit(upload, tags, until));
  } catch (error) {
    await abandon(store, upload);
    throw isGone(error) ? writtenByAnother(name, error) : error;
  }
}

/** Best effort: what is left is swept the next time, and costs little till then. */
async function abandon(store: PieceStore, upload: Upload): Promise<void> {
  await store.abandon?.(upload, AbortSignal.timeout(10_000)).catch(() => {});
}

/** Another process that writes the same has swept the pieces away, or put its own in their place. */
function isGone(error: unknown): boolean {
  return error instanceof SeineError && error.kind === 'changed';
}

function writtenByAnother(name: string, cause: unknown): SeineError {
  const message = `Another process was writing ${name} at the same time.`;
  return new SeineError('conflict', message, { retry: true, cause });
}

/** Who may only write needn't see what was begun: the store's own rules for its lifetime take it away. */
function unlessDenied(error: unknown): Upload[] {
  if (error instanceof SeineError && error.kind === 'permission') return [];
  throw error;
}

/** One request, repeated while that can help. */
function ask<T>(
  { store, access, name, signal }: Asking,
  bytes: number,
  request: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const { gate = OPEN_GATE, patienceMs = PATIENCE_MS } = access;
  const attempt = async () => {
    await gate.pass('write', bytes, signal);
    const deadline = createDeadline(ANSWER_MS, signal);
    try {
      return await deadline.wait(request(deadline.signal));
    } catch (error) {
      signal.throwIfAborted();
      const failure = store.explain(error, keyOf(name));
      if (failure.throttled) gate.throttled(failure.retryAfterMs ?? null);
      throw failure.error;
    } finally {
      deadline.close();
    }
  };
  return retrying(attempt, { forMs: patienceMs, signal });
}
