import { createHash } from 'node:crypto';
import type { Readable } from 'node:stream';
import type { ListObjectsV2CommandInput } from '@aws-sdk/client-s3';
import { SeineError } from '../../base/errors.ts';
import { displayKey, type Key } from '../../base/key.ts';
import type { SourceSettings } from '../settings.ts';
import type { ByteRange } from '../source.ts';
import type { PageRequest, ReadObject, StoreClient, StoreFailure, StorePage } from '../store/store-client.ts';
import { connectS3, endpointOf, type S3Connection } from './s3-connection.ts';
import { explainS3 } from './s3-failure.ts';
import { pageOf } from './s3-object.ts';
import { createS3Reader } from './s3-reader.ts';
import type { S3Target } from './s3-target.ts';

/** One bucket of S3, or of a store that speaks like it. */
export function createS3Client({ bucket, prefix }: S3Target, settings: SourceSettings): StoreClient {
  const payer = settings.requesterPays ? ({ RequestPayer: 'requester' } as const) : {};
  const endpoint = endpointOf(settings);
  const readContent = createS3Reader(bucket, settings);
  let connection: Promise<S3Connection> | undefined;
  let region: string | undefined;
  /** A request went well: whatever is wrong now was right once. */
  let answered = false;
  let wasSkewed = false;

  function connect(): Promise<S3Connection> {
    connection ??= connectS3(settings, region);
    return connection;
  }

  async function page(request: PageRequest, signal: AbortSignal): Promise<StorePage> {
    const { sdk, client } = await connect();
    const command = new sdk.ListObjectsV2Command({ ...listing(request), ...payer });
    const found = pageOf(await client.send(command, { abortSignal: signal }));
    answered = true;
    return found;
  }

  function listing({ prefix, after, most, continued }: PageRequest): ListObjectsV2CommandInput {
    return {
      Bucket: bucket,
      MaxKeys: most,
      // Without it a key with a control character would make an answer that is no XML.
      EncodingType: 'url',
      ...(prefix !== '' && { Prefix: prefix }),
      ...(after !== '' && { StartAfter: after }),
      ...(continued && { ContinuationToken: continued }),
      // Only the provider itself is known to tell.
      ...(endpoint === undefined && { OptionalObjectAttributes: ['RestoreStatus'] }),
    };
  }

  async function read(object: ReadObject, bytes: ByteRange | null, signal: AbortSignal): Promise<Readable> {
    const { status, body } = await readContent(await connect(), object, bytes, signal);
    answered = true;
    if (bytes === null || status === 206) return body;
    body.destroy();
    throw new SeineError(
      'unavailable',
      `${displayKey(object.key)} came whole, though a part was asked for.`,
      {
        hint: 'The store, or a proxy before it, does not serve ranges.',
      },
    );
  }

  function explain(error: unknown, key: Key | null): StoreFailure {
    const where = endpoint ?? 'Amazon S3';
    const state = { key, bucket, where, answered, wasSkewed, toldRegion: region };
    const failure = explainS3(error, state);
    wasSkewed ||= failure.isSkewed === true;
    if (failure.region !== undefined) {
      region = failure.region;
      connection = undefined;
    }
    return failure;
  }

  return {
    id: prefix === '' ? `s3://${bucket}` : `s3://${bucket}/${prefix}`,
    quota: quotaOf(settings),
    prefix,
    pageSize: 1000,
    page,
    read,
    explain,
  };
}

/** The credential as a hash: a quota is written where a key must not stand. */
function quotaOf(settings: SourceSettings): string {
  const endpoint = endpointOf(settings);
  const host = endpoint === undefined ? 'aws' : (URL.parse(endpoint)?.host ?? endpoint);
  if (settings.anonymous) return `s3:${host}:anonymous`;
  const credential =
    settings.credentials?.accessKeyId ??
    settings.profile ??
    process.env.AWS_ACCESS_KEY_ID ??
    process.env.AWS_PROFILE ??
    'default';
  return `s3:${host}:${createHash('sha256').update(credential).digest('hex').slice(0, 12)}`;
}
