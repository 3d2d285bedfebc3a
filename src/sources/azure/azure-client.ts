import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import type { Key } from '../../base/key.ts';
import { MAX_ERROR_BYTES, MAX_LISTING_BYTES, readText } from '../http/request.ts';
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
import { type AzureAccess, quotaOf } from './azure-access.ts';
import { isRefusal, mapAzureError } from './azure-failure.ts';
import { type AzureCall, get } from './azure-http.ts';
import { parseListing } from './azure-listing.ts';
import { createRequestSigner } from './azure-sign.ts';
import { type AzureTarget, azureId, pathTo } from './azure-target.ts';
import { FLAT, HIERARCHICAL, type NameOrder } from './name-order.ts';
import { type ListBlobs, OrderedPages } from './ordered-pages.ts';

/** The continuation token when the order is known and the listing can start. */
const BEGIN_TOKEN = 'begin';

/** A client for one container of Azure Blob Storage or a compatible service. */
export function createAzureClient(target: AzureTarget, access: AzureAccess): StoreClient {
  const { container, prefix } = target;
  const endpoint = new URL(access.endpoint);
  const signing = createRequestSigner(access);
  let pages: OrderedPages | undefined;

  /** The first request determines the kind of namespace, since the order of names depends on it. */
  async function page({ continued, ...request }: PageRequest, signal: AbortSignal): Promise<StorePage> {
    if (pages === undefined) {
      const known = await order(signal);
      pages ??= new OrderedPages(known);
      return { objects: [], next: BEGIN_TOKEN };
    }
    const goesOn = continued !== undefined && continued !== BEGIN_TOKEN;
    return pages.page(goesOn ? { ...request, continued } : request, asking(signal));
  }

  /**
   * Returns null if the credential may not call Get Account Information, or the service does not report it. Then the order is detected
   * from the listing.
   */
  async function order(signal: AbortSignal): Promise<NameOrder | null> {
    try {
      const answer = await send('', { parameters: { restype: 'account', comp: 'properties' } }, signal);
      await readText(answer, MAX_ERROR_BYTES, 'cut'); // the body is empty, but reading it frees the connection
      const hierarchical = answer.headers['x-ms-is-hns-enabled'];
      return hierarchical === undefined ? null : hierarchical === 'true' ? HIERARCHICAL : FLAT;
    } catch (error) {
      if (isRefusal(error)) return null;
      throw error;
    }
  }

  function asking(signal: AbortSignal): ListBlobs {
    return async ({ prefix, startFrom, marker, most }) => {
      const parameters = {
        ...{ restype: 'container', comp: 'list', include: 'metadata', maxresults: String(most) },
        ...(prefix !== '' && { prefix }),
        ...(startFrom !== '' && { startFrom }),
        ...(marker !== undefined && { marker }),
      };
      const answer = await send('', { parameters }, signal);
      return parseListing(await readText(answer, MAX_LISTING_BYTES));
    };
  }

  async function read(object: ReadObject, bytes: ByteRange | null, signal: AbortSignal): Promise<Readable> {
    const headers = { 'if-match': `"${tagOf(object.identity)}"`, ...rangeOf(bytes) };
    const body = await send(object.name, { headers }, signal);
    return checkedBody({ status: body.statusCode, headers: body.headers, body }, object, bytes);
  }

  async function checkExists({ name }: ReadObject, signal: AbortSignal): Promise<void> {
    const answer = await send(name, { parameters: { comp: 'metadata' } }, signal);
    await readText(answer, MAX_ERROR_BYTES, 'cut');
  }

  function send(
    name: string,
    { parameters = {}, headers = {} }: Partial<AzureCall>,
    signal: AbortSignal,
  ): Promise<IncomingMessage> {
    const call = { path: pathTo(endpoint, container, name), parameters, headers };
    return signing.send(call, (signed) => get(endpoint, signed, signal));
  }

  function mapError(error: unknown, key: Key | null): StoreFailure {
    const { account, endpoint } = access;
    const isRenewed = () => signing.isRenewed(error);
    return mapAzureError(error, { key, container, account, endpoint, isRenewed });
  }

  return {
    id: azureId(target, access.account),
    quota: quotaOf(access),
    prefix,
    // One less than the service's maximum: a listing that starts at a name includes that name again.
    pageSize: 4999,
    page,
    read,
    checkExists,
    mapError,
  };
}

function rangeOf(bytes: ByteRange | null): Record<string, string> {
  return bytes === null ? {} : { range: `bytes=${bytes.from}-${bytes.to - 1}` };
}
