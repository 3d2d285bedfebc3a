/**
 * Writes to a bucket of Google Cloud Storage by resumable uploads. The session takes parts in sequence and creates the object with the
 * last one. If a response is lost, the session's offset is queried. The service deletes a session after a week.
 */
import { SeineError } from '../../base/errors.ts';
import { accessOf } from '../gcs/gcs-access.ts';
import { mapGcsError } from '../gcs/gcs-failure.ts';
import { createTokenProvider } from '../gcs/gcs-headers.ts';
import { GcsError, sendWrite } from '../gcs/gcs-http.ts';
import { parseGcsTarget } from '../gcs/gcs-target.ts';
import type { SourceSettings } from '../settings.ts';
import type { StoreFailure } from '../store/store-client.ts';
import type { MultipartStore, Upload, UploadPart } from './multipart-writer.ts';
import { folderPrefix, writeDenied } from './target-prefix.ts';

/** The OAuth scope for writing; a source requests read-only. */
const WRITE = 'https://www.googleapis.com/auth/devstorage.read_write';

export function createGcsMultipart(target: string, settings: SourceSettings): MultipartStore {
  const { bucket, prefix } = parseGcsTarget(target);
  const access = accessOf(settings);
  const { endpoint, payer } = access;
  const identity = createTokenProvider(access, WRITE);
  /** Uploads whose offset is unknown. */
  const unsure = new Set<string>();

  function addressOf(uploadType: string, name: string): URL {
    const paid = payer === null ? {} : { userProject: payer };
    const parameters = new URLSearchParams({ uploadType, name, ...paid });
    return new URL(`${endpoint}/upload/storage/v1/b/${encodeURIComponent(bucket)}/o?${parameters}`);
  }

  async function putRange(
    upload: Upload,
    range: string,
    bytes: Uint8Array,
    signal: AbortSignal,
  ): Promise<number> {
    const headers = { 'content-range': `bytes ${range}` };
    const write = { method: 'PUT', headers, body: bytes } as const;
    const answer = await sendWrite(new URL(upload.id), write, signal, 'piece').catch(rethrow);
    if (answer.status !== 308) return Number.POSITIVE_INFINITY; // the object exists
    const [, last] = /^bytes=0-(\d+)$/.exec(answer.headers.range ?? '') ?? [];
    return last === undefined ? 0 : Number(last) + 1;
  }

  async function putPart(
    upload: Upload,
    part: UploadPart,
    bytes: Uint8Array,
    signal: AbortSignal,
  ): Promise<string> {
    const end = part.offset + bytes.length;
    const requestCount = unsure.has(upload.id)
      ? await putRange(upload, '*/*', new Uint8Array(0), signal)
      : part.offset;
    unsure.add(upload.id);
    // Earlier parts are not kept here, so what the session has lost cannot be sent again.
    if (requestCount < part.offset) throw new SeineError('changed', 'A part of the upload is gone.');
    if (requestCount < end) {
      const range = `${requestCount}-${end - 1}/${part.isLast ? end : '*'}`;
      const got = await putRange(upload, range, bytes.subarray(requestCount - part.offset), signal);
      if (got < end) throw new GcsError(503, 'backendError', 'a part of a piece was lost', undefined);
    }
    unsure.delete(upload.id);
    return '';
  }

  return {
    prefix: folderPrefix(prefix),
    async putWhole(name, bytes, signal) {
      const url = addressOf('media', name);
      await identity.use((headers) => sendWrite(url, { method: 'POST', headers, body: bytes }, signal));
    },
    async beginUpload(name, signal) {
      const url = addressOf('resumable', name);
      const { headers } = await identity.use((headers) =>
        sendWrite(url, { method: 'POST', headers }, signal),
      );
      const session = sessionIn(headers.location, url);
      if (session !== null) return session;
      throw new SeineError(
        'unavailable',
        'Google Cloud Storage started an upload without returning its URL.',
      );
    },
    putPart,
    commit: async () => {}, // done by the last part
    async abandon(upload, signal) {
      await sendWrite(new URL(upload.id), { method: 'DELETE', headers: {} }, signal);
    },
    mapError(error, key): StoreFailure {
      const { status, reason } = error instanceof GcsError ? error : { status: 0, reason: '' };
      if (status === 403 && !ABOUT_ALL.test(reason))
        return writeDenied(target, 'the role Storage Object User');
      const isAnonymous = access.credential.kind === 'anonymous';
      const isRenewed = () => identity.reject(error);
      return mapGcsError(error, { key, bucket, where: new URL(endpoint).host, isAnonymous, isRenewed });
    },
  };
}

/** The session's URL. It may be on another host, but must be encrypted if the endpoint is. */
export function sessionIn(location: string | undefined, endpoint: URL): string | null {
  const url = location === undefined ? null : URL.parse(location, endpoint.href);
  const isSafe = url?.protocol === 'https:' || url?.protocol === endpoint.protocol;
  return isSafe ? url!.href : null;
}

/** Reasons of a 403 that are unrelated to the object being written. */
const ABOUT_ALL = /rateLimitExceeded|accountDisabled/i;

/** In a response of a session these mean that it no longer exists; 499 that it was cancelled. */
const GONE: ReadonlySet<number> = new Set([404, 410, 499]);

function rethrow(error: unknown): never {
  const isGone = error instanceof GcsError && GONE.has(error.status);
  throw isGone ? new SeineError('changed', 'The upload is gone.') : error;
}
