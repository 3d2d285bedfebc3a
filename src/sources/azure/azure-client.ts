import type { Readable } from 'node:stream';
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
import { explainAzure, isRefusal } from './azure-failure.ts';
import { type AzureCall, AzureError, get, getText } from './azure-http.ts';
import { parseListing } from './azure-listing.ts';
import { createSign } from './azure-sign.ts';
import { type AzureTarget, azureId } from './azure-target.ts';
import { FLAT, HIERARCHICAL, type NameOrder } from './name-order.ts';
import { type Ask, OrderedPages } from './ordered-pages.ts';

/** The order is known now, the listing may begin. */
const BEGIN = 'begin';

/** One container of Azure Blob Storage, or of something that speaks like it. */
export function createAzureClient(target: AzureTarget, access: AzureAccess): StoreClient {
  const { container, prefix } = target;
  const endpoint = new URL(access.endpoint);
  const sign = createSign(access);
  let pages: OrderedPages | undefined;

  /** The very first request asks for the kind of namespace: the order of its names depends on it. */
  async function page({ continued, ...request }: PageRequest, signal: AbortSignal): Promise<StorePage> {
    if (pages === undefined) {
      pages = new OrderedPages(await order(signal));
      return { objects: [], next: BEGIN };
    }
    const goesOn = continued !== undefined && continued !== BEGIN;
    return pages.page(goesOn ? { ...request, continued } : request, asking(signal));
  }

  /** Whoever may not ask that gets the usual order; a listing in another one is noticed and refused. */
  async function order(signal: AbortSignal): Promise<NameOrder> {
    const call = await callFor('', { restype: 'account', comp: 'properties' });
    try {
      const answer = await get(endpoint, call, signal);
      answer.resume();
      return answer.headers['x-ms-is-hns-enabled'] === 'true' ? HIERARCHICAL : FLAT;
    } catch (error) {
      if (isRefusal(error)) return FLAT;
      throw error;
    }
  }

  function asking(signal: AbortSignal): Ask {
    return async ({ prefix, startFrom, marker, most }) => {
      const call = await callFor('', {
        ...{ restype: 'container', comp: 'list', include: 'metadata', maxresults: String(most) },
        ...(prefix !== '' && { prefix }),
        ...(startFrom !== '' && { startFrom }),
        ...(marker !== undefined && { marker }),
      });
      return parseListing(await getText(endpoint, call, signal));
    };
  }

  async function read(object: ReadObject, bytes: ByteRange | null, signal: AbortSignal): Promise<Readable> {
    const headers = { 'if-match': `"${tagOf(object.identity)}"`, ...rangeOf(bytes) };
    const call = await callFor(object.name, {}, headers);
    const body = await get(endpoint, call, signal).catch((error: unknown) => whyNot(error, object, signal));
    if (bytes === null || body.statusCode === 206) return body;
    body.destroy();
    const message = `${displayKey(object.key)} came whole, though a part was asked for.`;
    throw new SeineError('unavailable', message, {
      hint: 'The service, or a proxy before it, does not serve ranges.',
    });
  }

  /** No blob has not the wanted ETag either. This second request tells whether there is one. */
  async function whyNot(error: unknown, { name }: ReadObject, signal: AbortSignal): Promise<never> {
    if (error instanceof AzureError && error.status === 412) {
      const answer = await get(endpoint, await callFor(name, { comp: 'metadata' }), signal);
      answer.resume();
    }
    throw error;
  }

  function callFor(
    name: string,
    parameters: AzureCall['parameters'],
    headers: AzureCall['headers'] = {},
  ): Promise<AzureCall> {
    const account = endpoint.pathname.replace(/\/$/, '');
    const blob = name === '' ? '' : `/${name.split('/').map(encodeURIComponent).join('/')}`;
    return sign({ path: `${account}/${container}${blob}`, parameters, headers });
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

function rangeOf(bytes: ByteRange | null): Record<string, string> {
  return bytes === null ? {} : { range: `bytes=${bytes.from}-${bytes.to - 1}` };
}
