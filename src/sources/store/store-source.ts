import type { Key } from '../../base/key.ts';
import type { Range } from '../../base/range.ts';
import type { Access } from '../access.ts';
import { UNLIMITED_GATE } from '../request-gate.ts';
import type { ScopeOptions } from '../scope-options.ts';
import type { Source, SourceObject } from '../source.ts';
import { findObject, firstPage, listPages } from './listing.ts';
import { readObject } from './reading.ts';
import type { RequestOptions } from './request-retries.ts';
import type { StoreClient } from './store-client.ts';
import { createStoreScope } from './store-scope.ts';

const RETRY_TIMEOUT_MS = 60_000;
const RESPONSE_TIMEOUT_MS = 30_000;

/**
 * A source of any object store. Its keys are those of the whole bucket; the target's prefix only limits which of them are included. The
 * patterns of the scope apply to whole keys, too.
 */
export function createStoreSource(client: StoreClient, options: ScopeOptions, access: Access): Source {
  const sending: RequestOptions<StoreClient> = {
    client,
    gate: access.gate ?? UNLIMITED_GATE,
    retryTimeoutMs: access.retryTimeoutMs ?? RETRY_TIMEOUT_MS,
    answerMs: access.answerMs ?? RESPONSE_TIMEOUT_MS,
  };
  // Invalid patterns are reported when the source is opened.
  const { marked } = createStoreScope(options);

  async function* list(range: Range, signal: AbortSignal): AsyncGenerator<SourceObject[]> {
    // One per listing: it caches the listing's current folder.
    const scope = createStoreScope(options);
    for await (const page of listPages(sending, range, scope.excludedFolderOf, signal)) {
      const objects = page.filter(scope.includes).map(scope.marked);
      if (objects.length > 0) yield objects;
    }
  }

  async function find(key: Key, signal: AbortSignal): Promise<SourceObject | null> {
    const object = await findObject(sending, key, signal);
    return object && marked(object);
  }

  return {
    id: client.id,
    quota: client.quota,
    capabilities: { rangeRead: true, splittable: true, remote: true },
    warm: async () => client.warm?.(),
    list,
    find,
    page: (range, max, signal) => firstPage(sending, range, max, signal),
    read: (object, bytes, signal) => readObject(sending, object, bytes, signal),
  };
}
