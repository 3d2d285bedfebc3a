import { Readable } from 'node:stream';
import type { BlobClient, ContainerClient } from '@azure/storage-blob';
import { SeineError } from '../../base/errors.ts';
import { displayKey, type Key } from '../../base/key.ts';
import type { ByteRange } from '../source.ts';
import {
  type PageRequest,
  type ReadObject,
  type StoreClient,
  type StoreFailure,
  type StorePage,
  tagOf,
} from '../store/store-client.ts';
import { type AzureAccess, quotaOf } from './azure-access.ts';
import { connectAzure } from './azure-connection.ts';
import { explainAzure, isChange, isRefusal } from './azure-failure.ts';
import { namedOf } from './azure-object.ts';
import { type AzureTarget, azureId } from './azure-target.ts';
import { FLAT, HIERARCHICAL, type NameOrder } from './name-order.ts';
import { type Ask, OrderedPages } from './ordered-pages.ts';

/** The order is known now, the listing may begin. */
const BEGIN = 'begin';

/** One container of Azure Blob Storage, or of something that speaks like it. */
export function createAzureClient(target: AzureTarget, access: AzureAccess): StoreClient {
  const { container, prefix } = target;
  let connection: Promise<ContainerClient> | undefined;
  let pages: OrderedPages | undefined;

  function connect(): Promise<ContainerClient> {
    connection ??= connectAzure(access, container);
    return connection;
  }

  /** The very first request asks for the kind of namespace: the order of its names depends on it. */
  async function page({ continued, ...request }: PageRequest, signal: AbortSignal): Promise<StorePage> {
    const client = await connect();
    if (pages === undefined) {
      pages = new OrderedPages(await orderOf(client, signal));
      return { objects: [], next: BEGIN };
    }
    const goesOn = continued !== undefined && continued !== BEGIN;
    return pages.page(goesOn ? { ...request, continued } : request, asking(client, signal));
  }

  async function read(object: ReadObject, bytes: ByteRange | null, signal: AbortSignal): Promise<Readable> {
    const blob = (await connect()).getBlobClient(object.name);
    const { body, isPart } = await download(blob, object, bytes, signal);
    if (bytes === null || isPart) return body;
    body.destroy();
    throw new SeineError(
      'unavailable',
      `${displayKey(object.key)} came whole, though a part was asked for.`,
      {
        hint: 'The service, or a proxy before it, does not serve ranges.',
      },
    );
  }

  function explain(error: unknown, key: Key | null): StoreFailure {
    return explainAzure(error, { key, container, account: access.account, endpoint: access.endpoint });
  }

  return {
    id: azureId(target, access.account),
    quota: quotaOf(access),
    prefix,
    // One below the service's most: a listing from a name on gives that name once more.
    pageSize: 4999,
    page,
    read,
    explain,
  };
}

/** Whoever may not ask that gets the usual order; a listing in another one is noticed and refused. */
async function orderOf(client: ContainerClient, abortSignal: AbortSignal): Promise<NameOrder> {
  try {
    const { isHierarchicalNamespaceEnabled } = await client.getAccountInfo({ abortSignal });
    return isHierarchicalNamespaceEnabled ? HIERARCHICAL : FLAT;
  } catch (error) {
    if (isRefusal(error)) return FLAT;
    throw error;
  }
}

function asking(client: ContainerClient, abortSignal: AbortSignal): Ask {
  return async ({ prefix, startFrom, marker, most }) => {
    const options = { prefix, abortSignal, includeMetadata: true, ...(startFrom !== '' && { startFrom }) };
    const page = { maxPageSize: most, ...(marker !== undefined && { continuationToken: marker }) };
    const { value } = await client.listBlobsFlat(options).byPage(page).next();
    if (value?.segment === undefined)
      throw new SeineError('unavailable', 'Azure answered without a listing.');
    return { named: value.segment.blobItems.map(namedOf), marker: value.continuationToken || null };
  };
}

async function download(
  blob: BlobClient,
  object: ReadObject,
  bytes: ByteRange | null,
  abortSignal: AbortSignal,
) {
  const length = bytes === null ? undefined : bytes.to - bytes.from;
  const conditions = { ifMatch: `"${tagOf(object.identity)}"` };
  // A broken stream is taken up again by the caller, who asks the gate before.
  const options = { conditions, maxRetryRequests: 0, abortSignal };
  try {
    const answer = await blob.download(bytes?.from ?? 0, length, options);
    const body = answer.readableStreamBody;
    if (!(body instanceof Readable)) throw new SeineError('internal', 'An answer came without a body.');
    return { body, isPart: answer._response.status === 206 };
  } catch (error) {
    // No blob has not the wanted ETag either. This second request tells whether there is one.
    if (isChange(error)) await blob.getProperties({ abortSignal });
    throw error;
  }
}
