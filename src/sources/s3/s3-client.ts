import { createHash } from 'node:crypto';
import type { Readable } from 'node:stream';
import type { SourceSettings } from '../settings.ts';
import type { ByteRange } from '../source.ts';
import { checkedBody } from '../store/partial-content.ts';
import type { PageRequest, ReadObject, StoreClient, StorePage } from '../store/store-client.ts';
import { endpointOf } from './s3-connection.ts';
import { createDirectRequests } from './s3-direct.ts';
import { createPackageRequests } from './s3-package.ts';
import { preferDirect } from './s3-requests.ts';
import { S3Session } from './s3-session.ts';
import type { S3Target } from './s3-target.ts';

/** A client for one bucket of S3 or a compatible store. */
export function createS3Client({ bucket, prefix }: S3Target, settings: SourceSettings): StoreClient {
  const requests = preferDirect(
    createDirectRequests(bucket, settings),
    createPackageRequests(bucket, settings),
  );
  const session = new S3Session(bucket, settings);

  function page(request: PageRequest, signal: AbortSignal): Promise<StorePage> {
    return session.send((connection) => requests.list(connection, request, signal));
  }

  async function read(object: ReadObject, bytes: ByteRange | null, signal: AbortSignal): Promise<Readable> {
    const content = await session.send((connection) => requests.read(connection, object, bytes, signal));
    return checkedBody(content, object, bytes);
  }

  return {
    id: prefix === '' ? `s3://${bucket}` : `s3://${bucket}/${prefix}`,
    quota: quotaOf(bucket, settings),
    prefix,
    pageSize: 1000,
    warm: async () => void (await session.connect()),
    page,
    read,
    mapError: (error, key) => session.mapError(error, key),
  };
}

/**
 * Contains a hash of the credential, because quota names are stored where secrets must not be. Temporary credentials differ between
 * workers, which would give each worker the full limit, so these share the quota of the bucket.
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
