/**
 * A shard's listing, page by page. What was listed is told to thieves, who then cut it without looking at it again; and nothing more is
 * asked for once the rest was split away.
 */
import type { Key } from '../../base/key.ts';
import type { Range } from '../../base/range.ts';
import { type KeyStorage, PLAIN_KEYS } from '../../base/sealed-key.ts';
import type { Database } from '../../db/database.ts';
import type { Held } from '../../engine/leases/lease.ts';
import { isObjectError, type ObjectError, type Source, type SourceObject } from '../../sources/source.ts';
import { writePage } from './hint-store.ts';
import { isStorable, type Known, samplePlaces, WORTH_TELLING } from './known.ts';

type Item = SourceObject | ObjectError;

export function notedListing(
  shard: { readonly held: Held },
  { db, source, names = PLAIN_KEYS }: ListingTools,
  signal: AbortSignal,
): AsyncIterable<readonly Item[]> {
  const range: Range = {
    after: shard.held.cursor,
    get upTo() {
      return shard.held.upTo; // as of the last checkpoint
    },
  };
  const pages = source.list(range, signal);
  const tell = async (page: Known) => {
    if (isStorable(page, names)) await writePage(db, shard.held.id, page);
  };
  return source.page ? telling(pages, range.after, tell) : pages;
}

interface ListingTools {
  readonly db: Database;
  readonly source: Source;
  readonly names?: KeyStorage;
}

async function* telling(
  pages: AsyncIterable<readonly Item[]>,
  start: Key,
  tell: (page: Known) => Promise<void>,
): AsyncGenerator<readonly Item[]> {
  const news = new News(tell);
  let after = start;
  for await (const page of pages) {
    const upTo = page.at(-1)!.key;
    if (page.length >= WORTH_TELLING) news.add(knownOfItems(page, { after, upTo }));
    yield page;
    after = upTo;
  }
}

/**
 * Nobody waits for the telling, and if it fails a thief has to look for itself. One at a time: of two statements under way the
 * older one could come last, and thieves would take an old page for the newest. What is outdated before its turn is dropped.
 */
class News {
  readonly #tell: (page: Known) => Promise<void>;
  #newest: Known | null = null;
  #telling = false;

  constructor(tell: (page: Known) => Promise<void>) {
    this.#tell = tell;
  }

  add(page: Known): void {
    this.#newest = page;
    if (!this.#telling) void this.#tellAll();
  }

  async #tellAll(): Promise<void> {
    this.#telling = true;
    while (this.#newest !== null) {
      const page = this.#newest;
      this.#newest = null;
      await this.#tell(page).catch(() => {});
    }
    this.#telling = false;
  }
}

function knownOfItems(items: readonly Item[], range: Range): Known {
  const places = samplePlaces(items.length);
  const bytes = items.reduce((sum, item) => sum + (isObjectError(item) ? 0 : item.size), 0);
  return { ...range, count: items.length, bytes, keys: places.map((place) => items[place]!.key), places };
}
