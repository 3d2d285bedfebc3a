/**
 * A bucket of Google Cloud Storage: resumable uploads. The session takes pieces one after another and makes the object with the
 * last. When an answer is lost it is asked how far it got. The service forgets a session in a week.
 */
import { SeineError } from '../../base/errors.ts';
import { accessOf } from '../gcs/gcs-access.ts';
import { explainGcs } from '../gcs/gcs-failure.ts';
import { GcsError } from '../gcs/gcs-http.ts';
import { parseGcsTarget } from '../gcs/gcs-target.ts';
import type { SourceSettings } from '../settings.ts';
import type { StoreFailure } from '../store/store-client.ts';
import { createWriterIdentify } from './gcs-identify.ts';
import { sendGcs } from './gcs-request.ts';
import type { Piece, PieceStore, Upload } from './piece-writer.ts';
import { folderPrefix, mayNotWrite } from './target-prefix.ts';

export function createGcsPieces(target: string, settings: SourceSettings): PieceStore {
  const { bucket, prefix } = parseGcsTarget(target);
  const { endpoint, payer, ...access } = accessOf(settings);
  const identify = createWriterIdentify({ endpoint, payer, ...access });
  /** Uploads of which it is not known how far they got. */
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
    const answer = await sendGcs(new URL(upload.id), write, signal).catch(rethrow);
    if (answer.status !== 308) return Number.POSITIVE_INFINITY; // the object is there
    const [, last] = /^bytes=0-(\d+)$/.exec(answer.headers.range ?? '') ?? [];
    return last === undefined ? 0 : Number(last) + 1;
  }

  async function putPiece(
    upload: Upload,
    piece: Piece,
    bytes: Uint8Array,
    signal: AbortSignal,
  ): Promise<string> {
    const end = piece.offset + bytes.length;
    const asked = unsure.has(upload.id)
      ? await putRange(upload, '*/*', new Uint8Array(0), signal)
      : piece.offset;
    unsure.add(upload.id);
    if (asked < end) {
      const range = `${asked}-${end - 1}/${piece.isLast ? end : '*'}`;
      const got = await putRange(upload, range, bytes.subarray(asked - piece.offset), signal);
      if (got < end) throw new GcsError(503, 'backendError', 'a part of a piece was lost', undefined);
    }
    unsure.delete(upload.id);
    return '';
  }

  return {
    prefix: folderPrefix(prefix),
    async putWhole(name, bytes, signal) {
      await sendGcs(
        addressOf('media', name),
        { method: 'POST', headers: await identify(), body: bytes },
        signal,
      );
    },
    async begin(name, signal) {
      const address = addressOf('resumable', name);
      const { headers } = await sendGcs(address, { method: 'POST', headers: await identify() }, signal);
      if (headers.location) return headers.location;
      throw new SeineError('unavailable', 'Google Cloud Storage began an upload and did not say where.');
    },
    putPiece,
    commit: async () => {}, // the last piece did it
    async abandon(upload, signal) {
      await sendGcs(new URL(upload.id), { method: 'DELETE', headers: {} }, signal);
    },
    explain(error, key): StoreFailure {
      const status = error instanceof GcsError ? error.status : 0;
      if (status === 403) return mayNotWrite(target, 'the role Storage Object User');
      return explainGcs(error, { key, bucket, where: new URL(endpoint).host });
    },
  };
}

/** To a session these say that there is none any more; 499 that it was cancelled. */
const GONE: ReadonlySet<number> = new Set([404, 410, 499]);

function rethrow(error: unknown): never {
  const isGone = error instanceof GcsError && GONE.has(error.status);
  throw isGone ? new SeineError('changed', 'The upload is gone.') : error;
}
