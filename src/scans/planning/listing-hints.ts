/**
 * A shard's listing, page by page. Listed pages are published for work stealers, who can then split the
 * shard without probing; and no more pages are requested beyond a split.
 */
import type { Key } from '../../base/key.ts';
import type { Range } from '../../base/range.ts';
import { type KeyCodec, PLAIN_KEYS } from '../../base/sealed-key.ts';
import type { HeldLease } from '../../engine/leases/lease.ts';
import { isObjectError, type ObjectError, type SourceObject } from '../../sources/source.ts';
import type { ShardContext } from '../shard/shard-context.ts';
import { type CountedRange, isStorable, MIN_PAGE_KEYS, sampleRanks } from './counted-range.ts';
import { writePageHint } from './split-hint-store.ts';

type Item = SourceObject | ObjectError;

export function listWithHints(
  shard: { readonly held: HeldLease },
  { db, source, names = PLAIN_KEYS }: Pick<ShardContext, 'db' | 'source'> & { readonly names?: KeyCodec },
  signal: AbortSignal,
): AsyncIterable<readonly Item[]> {
  const range: Range = {
    after: shard.held.cursor,
    get upTo() {
      return shard.held.upTo; // as of the last checkpoint
    },
  };
  const pages = source.list(range, signal);
  const publish = async (page: CountedRange) => {
    if (isStorable(page, names)) await writePageHint(db, shard.held.id, page);
  };
  return source.page ? publishPages(pages, range.after, publish) : pages;
}

async function* publishPages(
  pages: AsyncIterable<readonly Item[]>,
  start: Key,
  publish: (page: CountedRange) => Promise<void>,
): AsyncGenerator<readonly Item[]> {
  const publisher = new PagePublisher(publish);
  let after = start;
  for await (const page of pages) {
    const upTo = page.at(-1)!.key;
    if (page.length >= MIN_PAGE_KEYS) publisher.add(countedItems(page, { after, upTo }));
    yield page;
    after = upTo;
  }
}

/**
 * Publishes in the background; if it fails, stealers must probe. One at a time: of two concurrent
 * statements the older one could come last, and stealers would take an old page for the newest. Pages that
 * are outdated before their turn are dropped.
 */
class PagePublisher {
  readonly #publish: (page: CountedRange) => Promise<void>;
  #newest: CountedRange | null = null;
  #publishing = false;

  constructor(publish: (page: CountedRange) => Promise<void>) {
    this.#publish = publish;
  }

  add(page: CountedRange): void {
    this.#newest = page;
    if (!this.#publishing) void this.#publishAll();
  }

  async #publishAll(): Promise<void> {
    this.#publishing = true;
    while (this.#newest !== null) {
      const page = this.#newest;
      this.#newest = null;
      await this.#publish(page).catch(() => {});
    }
    this.#publishing = false;
  }
}

function countedItems(items: readonly Item[], range: Range): CountedRange {
  const places = sampleRanks(items.length);
  const bytes = items.reduce((sum, item) => sum + (isObjectError(item) ? 0 : item.size), 0);
  return { ...range, count: items.length, bytes, keys: places.map((rank) => items[rank]!.key), places };
}
