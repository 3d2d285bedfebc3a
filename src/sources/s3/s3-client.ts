import { createHash } from 'node:crypto';
import type { Readable } from 'node:stream';
import { SeineError } from '../../base/errors.ts';
import { displayKey, type Key } from '../../base/key.ts';
import type { SourceSettings } from '../settings.ts';
import type { ByteRange } from '../source.ts';
import type { PageRequest, ReadObject, StoreClient, StoreFailure, StorePage } from '../store/store-client.ts';
import { connectS3, endpointOf, type S3Connection } from './s3-connection.ts';
import { createDirectRequests } from './s3-direct.ts';
import { explainS3 } from './s3-failure.ts';
import { createPackageRequests } from './s3-package.ts';
import { directWherePossible } from './s3-requests.ts';
import type { S3Target } from './s3-target.ts';

/** One bucket of S3, or of a store that speaks like it. */
export function createS3Client({ bucket, prefix }: S3Target, settings: SourceSettings): StoreClient {
  const endpoint = endpointOf(settings);
  const requests = directWherePossible(
    createDirectRequests(bucket, settings),
    createPackageRequests(bucket, settings),
  );
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
    const found = await requests.list(await connect(), request, signal);
    answered = true;
    return found;
  }

  async function read(object: ReadObject, bytes: ByteRange | null, signal: AbortSignal): Promise<Readable> {
    const { status, body } = await requests.read(await connect(), object, bytes, signal);
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
    quota: quotaOf(bucket, settings),
    prefix,
    pageSize: 1000,
    warm: async () => void (await connect()),
    page,
    read,
    explain,
  };
}

/**
 * The credential as a hash: a quota is written where a key must not stand. Temporary credentials differ from one worker to the
 * next, and the limit of each would be the whole one: what they share is the bucket.
 */
function quotaOf(bucket: string, settings: SourceSettings): string {
  const endpoint = endpointOf(settings);
  const host = endpoint === undefined ? 'aws' : (URL.parse(endpoint)?.host ?? endpoint);
  if (settings.anonymous) return `s3:${host}:anonymous`;
  const { name, temporary } = credentialOf(settings);
  if (temporary) return `s3:${host}/${bucket}:temporary`;
  return `s3:${host}:${createHash('sha256').update(name).digest('hex').slice(0, 12)}`;
}

function credentialOf({ credentials, profile }: SourceSettings): { name: string; temporary: boolean } {
  const { AWS_ACCESS_KEY_ID, AWS_SESSION_TOKEN, AWS_PROFILE } = process.env;
  const key = credentials?.accessKeyId;
  if (key !== undefined) return { name: key, temporary: !!credentials?.sessionToken || isTemporary(key) };
  if (profile !== undefined) return { name: profile, temporary: false };
  if (AWS_ACCESS_KEY_ID === undefined) return { name: AWS_PROFILE ?? 'default', temporary: false };
  return { name: AWS_ACCESS_KEY_ID, temporary: !!AWS_SESSION_TOKEN || isTemporary(AWS_ACCESS_KEY_ID) };
}

/** By the provider's naming of keys. */
function isTemporary(accessKeyId: string): boolean {
  return accessKeyId.startsWith('ASIA');
}
