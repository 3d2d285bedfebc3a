import { createHash } from 'node:crypto';
import { SeineError } from '../../base/errors.ts';
import { displayKey, type Key, keyOf } from '../../base/key.ts';
import type { PageRequest, StorePage } from './store-client.ts';

/** Stores may send empty pages where objects were deleted, but not this many in a row. */
const MAX_EMPTY_PAGES = 10_000;

/** The store reports more keys but does not make progress. Retrying the same request would never end. */
export class EndlessListing extends SeineError {
  constructor(why = 'neither keys nor a token to continue with') {
    super('corrupt', `The store reports more listing pages, but sends ${why}.`, {
      hint: 'Check that the endpoint is that of an object store, and any proxy in between.',
    });
  }
}

/**
 * Checks that the keys of a listing increase from page to page: ranges rely on byte order, and a store with another order would lose
 * objects without any error. Pages without keys must at least have a new token, or the listing would never end.
 */
export class ListingProgress {
  readonly #id: string;
  readonly #tokens = new Set<string>();
  #last: Key | null = null;

  constructor(id: string) {
    this.#id = id;
  }

  /** Throws if the page makes no progress over those before it. */
  check({ objects, next }: StorePage, { after, prefix }: PageRequest): void {
    const from = keyOf(after);
    const expected = keyOf(prefix);
    let before = this.#last === null || from > this.#last ? from : this.#last;
    for (const { key } of objects) {
      if (key <= before) throw this.#unordered(key, before);
      if (!key.startsWith(expected)) throw this.#unwanted(key, prefix);
      before = key;
    }
    if (objects.length > 0) {
      this.#last = before;
      this.#tokens.clear();
    } else if (next !== null) this.#checkToken(next);
  }

  #checkToken(next: string): void {
    // Hashed because a token may be long: it may carry the store's whole state.
    const token = createHash('sha256').update(next).digest('base64');
    if (this.#tokens.has(token)) throw new EndlessListing('a page without keys and the same token again');
    if (this.#tokens.size >= MAX_EMPTY_PAGES)
      throw new EndlessListing(`${MAX_EMPTY_PAGES} pages without keys in a row`);
    this.#tokens.add(token);
  }

  #unwanted(key: Key, prefix: string): SeineError {
    const message = `${this.#id} lists ${displayKey(key)}, which does not start with ${displayKey(keyOf(prefix))}.`;
    return new SeineError('corrupt', message, {
      hint: 'Seine needs a store that limits a listing to a prefix. Check any proxy in between.',
    });
  }

  #unordered(key: Key, before: Key): SeineError {
    return new SeineError('corrupt', `${this.#id} lists ${displayKey(key)} after ${displayKey(before)}.`, {
      hint: 'Seine needs a store that lists its keys in the order of their bytes.',
    });
  }
}
