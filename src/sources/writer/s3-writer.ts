import { SeineError } from '../../base/errors.ts';
import { S3Session } from '../s3/s3-session.ts';
import { parseS3Target } from '../s3/s3-target.ts';
import type { SourceSettings } from '../settings.ts';
import type { StoreFailure } from '../store/store-client.ts';
import type { MultipartStore, Upload } from './multipart-writer.ts';
import { folderPrefix, writeDenied } from './target-prefix.ts';

/** Multipart uploads to a bucket of S3 or a compatible store. */
export function createS3Multipart(target: string, settings: SourceSettings): MultipartStore {
  const { bucket, prefix } = parseS3Target(target);
  const session = new S3Session(bucket, settings);

  const at = (upload: Upload) => ({ Bucket: bucket, Key: upload.name, UploadId: upload.id });

  return {
    prefix: folderPrefix(prefix),
    async putWhole(name, bytes, abortSignal) {
      const input = { Bucket: bucket, Key: name, Body: bytes };
      await session.send(({ sdk, client }) => client.send(new sdk.PutObjectCommand(input), { abortSignal }));
    },
    async beginUpload(name, abortSignal) {
      const input = { Bucket: bucket, Key: name };
      const { UploadId } = await session.send(({ sdk, client }) =>
        client.send(new sdk.CreateMultipartUploadCommand(input), { abortSignal }),
      );
      return UploadId ?? '';
    },
    async putPart(upload, { number }, bytes, abortSignal) {
      const input = { ...at(upload), PartNumber: number + 1, Body: bytes };
      const { ETag } = await session.send(({ sdk, client }) =>
        client.send(new sdk.UploadPartCommand(input), { abortSignal }).catch(rethrow),
      );
      return ETag ?? '';
    },
    async commit(upload, pieces, abortSignal) {
      const Parts = pieces.map((ETag, index) => ({ ETag, PartNumber: index + 1 }));
      const input = { ...at(upload), MultipartUpload: { Parts } };
      await session.send(({ sdk, client }) =>
        client.send(new sdk.CompleteMultipartUploadCommand(input), { abortSignal }).catch(rethrow),
      );
    },
    async abandon(upload, abortSignal) {
      await session.send(({ sdk, client }) =>
        client.send(new sdk.AbortMultipartUploadCommand(at(upload)), { abortSignal }),
      );
    },
    async listUploads(under, abortSignal) {
      const input = { Bucket: bucket, Prefix: under };
      const { Uploads = [] } = await session.send(({ sdk, client }) =>
        client.send(new sdk.ListMultipartUploadsCommand(input), { abortSignal }),
      );
      return Uploads.map(({ Key = '', UploadId = '' }) => ({ name: Key, id: UploadId }));
    },
    mapError(error, key): StoreFailure {
      const code = error instanceof Error ? error.name : '';
      if (code === 'AccessDenied') return writeDenied(target, 's3:PutObject and s3:AbortMultipartUpload');
      return session.mapError(error, key);
    },
  };
}

/**
 * Errors that mean another process has aborted the upload. Only some stores, and not always, name the upload; others name its key or its
 * parts, or respond 404 without a body. None of them concerns the object, which does not exist yet.
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
