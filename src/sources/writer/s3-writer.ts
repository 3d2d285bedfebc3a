import { SeineError } from '../../base/errors.ts';
import { connectS3, endpointOf, type S3Connection } from '../s3/s3-connection.ts';
import { explainS3 } from '../s3/s3-failure.ts';
import { parseS3Target } from '../s3/s3-target.ts';
import type { SourceSettings } from '../settings.ts';
import type { StoreFailure } from '../store/store-client.ts';
import type { PieceStore, Upload } from './piece-writer.ts';
import { folderPrefix, mayNotWrite } from './target-prefix.ts';

/** A bucket of S3, or of a store that speaks like it: multipart uploads. */
export function createS3Pieces(target: string, settings: SourceSettings): PieceStore {
  const { bucket, prefix } = parseS3Target(target);
  let connection: Promise<S3Connection> | undefined;
  let region: string | undefined;
  let answered = false;

  function connect(): Promise<S3Connection> {
    connection ??= connectS3(settings, region);
    return connection;
  }

  const at = (upload: Upload) => ({ Bucket: bucket, Key: upload.name, UploadId: upload.id });

  return {
    prefix: folderPrefix(prefix),
    async putWhole(name, bytes, abortSignal) {
      const { sdk, client } = await connect();
      await client.send(new sdk.PutObjectCommand({ Bucket: bucket, Key: name, Body: bytes }), {
        abortSignal,
      });
      answered = true;
    },
    async begin(name, abortSignal) {
      const { sdk, client } = await connect();
      const command = new sdk.CreateMultipartUploadCommand({ Bucket: bucket, Key: name });
      const { UploadId } = await client.send(command, { abortSignal });
      answered = true;
      return UploadId ?? '';
    },
    async putPiece(upload, { number }, bytes, abortSignal) {
      const { sdk, client } = await connect();
      const command = new sdk.UploadPartCommand({ ...at(upload), PartNumber: number + 1, Body: bytes });
      return (await client.send(command, { abortSignal }).catch(rethrow)).ETag ?? '';
    },
    async commit(upload, pieces, abortSignal) {
      const { sdk, client } = await connect();
      const Parts = pieces.map((ETag, index) => ({ ETag, PartNumber: index + 1 }));
      const command = new sdk.CompleteMultipartUploadCommand({ ...at(upload), MultipartUpload: { Parts } });
      await client.send(command, { abortSignal }).catch(rethrow);
    },
    async abandon(upload, abortSignal) {
      const { sdk, client } = await connect();
      await client.send(new sdk.AbortMultipartUploadCommand(at(upload)), { abortSignal });
    },
    async begun(under, abortSignal) {
      const { sdk, client } = await connect();
      const command = new sdk.ListMultipartUploadsCommand({ Bucket: bucket, Prefix: under });
      const { Uploads = [] } = await client.send(command, { abortSignal });
      return Uploads.map(({ Key = '', UploadId = '' }) => ({ name: Key, id: UploadId }));
    },
    explain(error, key): StoreFailure {
      const code = error instanceof Error ? error.name : '';
      if (code === 'AccessDenied') return mayNotWrite(target, 's3:PutObject and s3:AbortMultipartUpload');
      const where = endpointOf(settings) ?? 'Amazon S3';
      const failure = explainS3(error, {
        key,
        bucket,
        where,
        answered,
        wasSkewed: false,
        toldRegion: region,
      });
      if (failure.region !== undefined) {
        region = failure.region;
        connection = undefined;
      }
      return failure;
    },
  };
}

/**
 * To a request of an upload these say that another process has aborted it. Only some stores, and not at every moment, name the
 * upload; others name its key or its parts, or answer 404 without a word. None of them is about the object, which is not there yet.
 */
function rethrow(error: unknown): never {
  throw isGone(error) ? new SeineError('changed', 'The upload, or a part of it, is gone.') : error;
}

const GONE: ReadonlySet<string> = new Set(['NoSuchUpload', 'InvalidPart', 'InvalidPartOrder']);

function isGone(error: unknown): boolean {
  if (!(error instanceof Error) || error.name === 'NoSuchBucket') return false;
  const { $metadata } = error as { $metadata?: { httpStatusCode?: number } };
  return GONE.has(error.name) || $metadata?.httpStatusCode === 404;
}
