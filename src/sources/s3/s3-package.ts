import { Readable } from 'node:stream';
import type {
  GetObjectCommandInput,
  GetObjectCommandOutput,
  ListObjectsV2CommandInput,
} from '@aws-sdk/client-s3';
import { SeineError } from '../../base/errors.ts';
import type { SourceSettings } from '../settings.ts';
import type { ByteRange } from '../source.ts';
import { type PageRequest, type ReadObject, tagOf } from '../store/store-client.ts';
import { pageOf } from './s3-object.ts';
import type { S3Requests } from './s3-requests.ts';

/** Sends the requests with the provider's package. */
export function createPackageRequests(bucket: string, { requesterPays }: SourceSettings): S3Requests {
  const always = { Bucket: bucket, ...(requesterPays && { RequestPayer: 'requester' as const }) };
  return {
    async list({ sdk, client }, request, signal) {
      const command = new sdk.ListObjectsV2Command({ ...always, ...listing(request) });
      return pageOf(await client.send(command, { abortSignal: signal }));
    },
    async read({ sdk, client }, object, bytes, signal) {
      const command = new sdk.GetObjectCommand({ ...always, ...reading(object, bytes) });
      const answer = await client.send(command, { abortSignal: signal });
      const { Body: body, $metadata: about } = answer;
      if (!(body instanceof Readable)) throw new SeineError('internal', 'An answer came without a body.');
      return { status: about.httpStatusCode, headers: headersOf(answer), body };
    },
  };
}

function headersOf(answer: GetObjectCommandOutput): Record<string, string | undefined> {
  return {
    'content-range': answer.ContentRange,
    'content-encoding': answer.ContentEncoding,
    'content-length': answer.ContentLength?.toString(),
  };
}

function listing({ prefix, after, most, continued }: PageRequest): Omit<ListObjectsV2CommandInput, 'Bucket'> {
  return {
    MaxKeys: most,
    EncodingType: 'url',
    ...(prefix !== '' && { Prefix: prefix }),
    ...(after !== '' && { StartAfter: after }),
    ...(continued && { ContinuationToken: continued }),
  };
}

function reading(
  { name, identity }: ReadObject,
  bytes: ByteRange | null,
): Omit<GetObjectCommandInput, 'Bucket'> {
  const tag = tagOf(identity);
  return {
    Key: name,
    ...(tag !== '' && { IfMatch: `"${tag}"` }),
    ...(bytes !== null && { Range: `bytes=${bytes.from}-${bytes.to - 1}` }),
  };
}
