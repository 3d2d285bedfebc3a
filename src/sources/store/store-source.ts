import type { Key } from '../../base/key.ts';
import type { Range } from '../../base/range.ts';
import type { Access } from '../access.ts';
import { OPEN_GATE } from '../gate.ts';
import type { ScopeOptions } from '../scope-options.ts';
import type { Source, SourceObject } from '../source.ts';
import type { Sending } from './attempts.ts';
import { findObject, firstPage, listPages } from './listing.ts';
import { readObject } from './reading.ts';
import type { StoreClient } from './store-client.ts';
import { createStoreScope } from './store-scope.ts';

const PATIENCE_MS = 60_000;
const ANSWER_MS = 30_000;

/**
 * A source of any object store. Its keys are those of the whole bucket; the target's prefix only limits which of them there are.
 * The patterns of the scope are about whole keys, too.
 */
export function createStoreSource(client: StoreClient, options: ScopeOptions, access: Access): Source {
  const sending: Sending<StoreClient> = {
    client,
    gate: access.gate ?? OPEN_GATE,
    patienceMs: access.patienceMs ?? PATIENCE_MS,
    answerMs: access.answerMs ?? ANSWER_MS,
  };
  // Wrong patterns are told when the source is opened.
  const { marked } = createStoreScope(options);

  async function* list(range: Range, signal: AbortSignal): AsyncGenerator<SourceObject[]> {
    // One for each listing: it remembers where its own keys are.
    const scope = createStoreScope(options);
    for await (const page of listPages(sending, range, scope.leftOutAround, signal)) {
      const objects = page.filter(scope.holds).map(scope.marked);
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
    page: (range, most, signal) => firstPage(sending, range, most, signal),
    read: (object, bytes, signal) => readObject(sending, object, bytes, signal),
  };
}
