import type { Readable } from 'node:stream';
import { SeineError } from '../../base/errors.ts';
import { displayKey, type Key } from '../../base/key.ts';
import type { ByteRange } from '../source.ts';
import { checkedBody } from '../store/partial-content.ts';
import {
  type PageRequest,
  type ReadObject,
  type StoreClient,
  type StoreFailure,
  type StorePage,
  tagOf,
} from '../store/store-client.ts';
import { type GcsAccess, quotaOf } from './gcs-access.ts';
import { mapGcsError } from './gcs-failure.ts';
import { createTokenProvider } from './gcs-headers.ts';
import { get, getJson } from './gcs-http.ts';
import { LIST_FIELDS, objectOf, parseListing } from './gcs-object.ts';
import type { GcsTarget } from './gcs-target.ts';

/** A client for one bucket of Google Cloud Storage, using its JSON API. */
export function createGcsClient({ bucket, prefix }: GcsTarget, access: GcsAccess): StoreClient {
  const { endpoint, payer } = access;
  const identity = createTokenProvider(access);
  const objects = `${endpoint}/storage/v1/b/${encodeURIComponent(bucket)}/o`;

  async function page(
    { prefix, after, most, continued }: PageRequest,
    signal: AbortSignal,
  ): Promise<StorePage> {
    const url = addressOf(objects, {
      // The start is returned again, if it exists.
      maxResults: String(after === '' ? most : most + 1),
      fields: LIST_FIELDS,
      ...(prefix !== '' && { prefix }),
      ...(after !== '' && { startOffset: after }),
      ...(continued !== undefined && { pageToken: continued }),
    });
    const answer = await identity.use((headers) => getJson(url, headers, signal));
    const { items = [], nextPageToken = null } = parseListing(answer);
    const listed = items.filter(({ name }) => name !== after).map(objectOf);
    // If the start does not exist there may be one too many, which the next page returns again.
    return { objects: listed.slice(0, most), next: listed.length > most ? 'more' : nextPageToken };
  }

  async function read(object: ReadObject, bytes: ByteRange | null, signal: AbortSignal): Promise<Readable> {
    const generation = tagOf(object.identity);
    if (!/^\d+$/.test(generation)) throw changed(object.key);
    const url = addressOf(pathOf(object), { alt: 'media', ifGenerationMatch: generation });
    // Accepting gzip disables the service's decompressive transcoding: only the stored bytes have the listed size and support ranges.
    const headers = { 'accept-encoding': 'gzip', ...rangeOf(bytes) };
    const body = await identity.use((more) => get(url, { ...more, ...headers }, signal));
    return checkedBody({ status: body.statusCode, headers: body.headers, body }, object, bytes);
  }

  async function checkExists(object: ReadObject, signal: AbortSignal): Promise<void> {
    const url = addressOf(pathOf(object), { fields: 'generation' });
    await identity.use((headers) => getJson(url, headers, signal));
  }

  function pathOf({ name }: ReadObject): string {
    return `${objects}/${encodeURIComponent(name)}`;
  }

  function addressOf(path: string, parameters: Readonly<Record<string, string>>): URL {
    const paid = payer === null ? {} : { userProject: payer };
    return new URL(`${path}?${new URLSearchParams({ ...parameters, ...paid })}`);
  }

  function mapError(error: unknown, key: Key | null): StoreFailure {
    const isAnonymous = access.credential.kind === 'anonymous';
    const isRenewed = () => identity.reject(error);
    return mapGcsError(error, { key, bucket, where: new URL(endpoint).host, isAnonymous, isRenewed });
  }

  return {
    id: prefix === '' ? `gs://${bucket}` : `gs://${bucket}/${prefix}`,
    quota: quotaOf(bucket, access),
    prefix,
    // One less than the service's maximum: a listing that starts at a name includes that name again.
    pageSize: 999,
    warm: async () => void (await identity.get()),
    page,
    read,
    checkExists,
    mapError,
  };
}

function rangeOf(bytes: ByteRange | null): Record<string, string> {
  return bytes === null ? {} : { range: `bytes=${bytes.from}-${bytes.to - 1}` };
}

function changed(key: Key): SeineError {
  return new SeineError('changed', `${displayKey(key)} is no longer what was listed.`);
}
