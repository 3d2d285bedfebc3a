import { type Key, keyOf } from '../../base/key.ts';
import { contains, type Range } from '../../base/range.ts';
import type { Page, SourceObject } from '../source.ts';
import { createDeadline } from './deadline.ts';
import { MAX_CHARACTER, textNotAfter, textOf } from './key-text.ts';
import { withValidSize } from './listed-size.ts';
import { ListingProgress } from './listing-progress.ts';
import { type RequestOptions, RequestRetries } from './request-retries.ts';
import type { PageRequest, StoreClient, StorePage } from './store-client.ts';

interface Answer {
  readonly request: PageRequest;
  readonly page: StorePage;
}

/** The outermost excluded folder around a key, if any: the listing continues after it. */
export type ExcludedFolderOf = (key: Key) => Key | null;

/**
 * The pages of a range. The next one is requested while the current one is processed, so that at most two are in memory. Every object of
 * the range is in exactly one of them.
 */
export async function* listPages(
  sending: RequestOptions<StoreClient>,
  range: Range,
  passed: ExcludedFolderOf,
  signal: AbortSignal,
): AsyncGenerator<SourceObject[]> {
  signal.throwIfAborted();
  const stop = new AbortController();
  const either = AbortSignal.any([signal, stop.signal]);
  const progress = new ListingProgress(sending.client.id);
  let coming = ask(sending, progress, firstRequest(sending, range, sending.client.pageSize), either);
  try {
    while (coming !== null) {
      const { request, page } = await coming;
      coming = ask(sending, progress, nextRequest(request, page, range, passed), either);
      const objects = page.objects.filter(({ key }) => contains(range, key));
      if (objects.length > 0) yield objects;
      signal.throwIfAborted();
    }
  } finally {
    stop.abort();
  }
}

/** The first keys of the range, by one request unless a page is empty. */
export async function firstPage(
  sending: RequestOptions<StoreClient>,
  range: Range,
  max: number,
  signal: AbortSignal,
): Promise<Page> {
  signal.throwIfAborted();
  // Requests one more than needed, to know whether there are more; a full page alone cannot tell if the range has an end.
  const limit = Math.min(max + 1, sending.client.pageSize);
  const progress = new ListingProgress(sending.client.id);
  let request = firstRequest(sending, range, limit);
  while (request !== null) {
    const page = await send(sending, progress, request, signal);
    request = nextRequest(request, page, range);
    const objects = page.objects.filter(({ key }) => contains(range, key));
    if (objects.length === 0) continue;
    const first = objects.slice(0, max);
    const bytes = first.reduce((sum, { size }) => sum + size, 0);
    const more = objects.length > max || request !== null;
    return { keys: first.map(({ key }) => key), bytes, more };
  }
  return { keys: [], bytes: 0, more: false };
}

/** The object of exactly that key: the first of those that begin with it. */
export async function findObject(
  sending: RequestOptions<StoreClient>,
  key: Key,
  signal: AbortSignal,
): Promise<SourceObject | null> {
  signal.throwIfAborted();
  const name = textOf(key);
  if (name === null || name === '' || !key.startsWith(keyOf(sending.client.prefix))) return null;
  const progress = new ListingProgress(sending.client.id);
  let request: PageRequest | null = { prefix: name, after: '', most: 1 };
  while (request !== null) {
    const page = await send(sending, progress, request, signal);
    const first = page.objects[0];
    if (first !== undefined) return first.key === key ? first : null;
    request = nextRequest(request, page, { after: '' as Key, upTo: key });
  }
  return null;
}

/** Null if no key with the source's prefix can be in the range. */
function firstRequest(
  { client }: RequestOptions<StoreClient>,
  { after, upTo }: Range,
  most: number,
): PageRequest | null {
  const prefix = keyOf(client.prefix);
  if (upTo !== null && upTo < prefix) return null;
  if (after > prefix && !after.startsWith(prefix)) return null;
  return { prefix: client.prefix, after: after < prefix ? '' : textNotAfter(after), most };
}

/** Null if the page was the last that can contain keys of the range. */
function nextRequest(
  { continued: _, ...request }: PageRequest,
  page: StorePage,
  range: Range,
  passed: ExcludedFolderOf = () => null,
): PageRequest | null {
  const last = page.objects.at(-1)?.key;
  if (page.next === null || isPastRange(range, last)) return null;
  const folder = last && passed(last);
  const text = last && textOf(folder ?? last);
  if (text === undefined || text === null) return { ...request, continued: page.next };
  const after = folder ? text + MAX_CHARACTER : text;
  return isPastRange(range, keyOf(after)) ? null : { ...request, after };
}

/** No key after this one is in the range. */
function isPastRange({ upTo }: Range, key: Key | undefined): boolean {
  return upTo !== null && key !== undefined && key >= upTo;
}

/** Starts the request immediately. An error is reported when the promise is awaited; if it never is, the error is ignored. */
function ask(
  sending: RequestOptions<StoreClient>,
  progress: ListingProgress,
  request: PageRequest | null,
  signal: AbortSignal,
): Promise<Answer> | null {
  if (request === null) return null;
  const answer = send(sending, progress, request, signal).then((page) => ({ request, page }));
  answer.catch(() => {});
  return answer;
}

async function send(
  sending: RequestOptions<StoreClient>,
  progress: ListingProgress,
  request: PageRequest,
  signal: AbortSignal,
): Promise<StorePage> {
  const attempts = new RequestRetries(sending, { kind: 'list', key: null, signal });
  for (;;) {
    await attempts.begin(0);
    const deadline = createDeadline(sending.answerMs, signal);
    try {
      const page = await deadline.wait(sending.client.page(request, deadline.signal));
      progress.check(page, request);
      return { ...page, objects: page.objects.map(withValidSize) };
    } catch (error) {
      await attempts.failed(error);
    } finally {
      deadline.close();
    }
  }
}
