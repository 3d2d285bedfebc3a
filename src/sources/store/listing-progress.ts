import { createHash } from 'node:crypto';
import { SeineError } from '../../base/errors.ts';
import { displayKey, type Key, keyOf } from '../../base/key.ts';
import type { PageRequest, StorePage } from './store-client.ts';

/** Stores may send empty pages where objects were deleted; so many in a row no listing has. */
const MAX_EMPTY_PAGES = 10_000;

/** The store says that there is more, but does not get to it. Sending the same request again would never end. */
export class EndlessListing extends SeineError {
  constructor(why = 'neither keys nor a token to continue with') {
    super('corrupt', `The store says that its listing goes on, but sends ${why}.`, {
      hint: 'Check that the endpoint is that of an object store, and what lies between here and the store.',
    });
  }
}

/**
 * The keys of a listing must increase from page to page: ranges rest on their byte order, and a store with another order would lose
 * objects without any error. Pages without keys must at least get on, or the listing would never end.
 */
export class ListingProgress {
  readonly #id: string;
  readonly #tokens = new Set<string>();
  #last: Key | null = null;

  constructor(id: string) {
    this.#id = id;
  }

  /** Throws when the page does not get on from those before it. */
  check({ objects, next }: StorePage, { after, prefix }: PageRequest): void {
    const from = keyOf(after);
    const wanted = keyOf(prefix);
    let before = this.#last === null || from > this.#last ? from : this.#last;
    for (const { key } of objects) {
      if (key <= before) throw this.#unordered(key, before);
      if (!key.startsWith(wanted)) throw this.#unwanted(key, prefix);
      before = key;
    }
    if (objects.length > 0) {
      this.#last = before;
      this.#tokens.clear();
    } else if (next !== null) this.#checkToken(next);
  }

  #checkToken(next: string): void {
    // A token may be long: it may carry all that the store knows.
    const token = createHash('sha256').update(next).digest('base64');
    if (this.#tokens.has(token)) throw new EndlessListing('a page without keys and the same token again');
    if (this.#tokens.size >= MAX_EMPTY_PAGES)
      throw new EndlessListing(`${MAX_EMPTY_PAGES} pages without keys in a row`);
    this.#tokens.add(token);
  }

  #unwanted(key: Key, prefix: string): SeineError {
    const message = `${this.#id} lists ${displayKey(key)}, which does not begin with ${displayKey(keyOf(prefix))}.`;
    return new SeineError('corrupt', message, {
      hint: 'Seine needs a store that limits a listing to a prefix. Check what lies between here and the store.',
    });
  }

  #unordered(key: Key, before: Key): SeineError {
    return new SeineError('corrupt', `${this.#id} lists ${displayKey(key)} after ${displayKey(before)}.`, {
      hint: 'Seine needs a store that lists its keys in the order of their bytes.',
    });
  }
}
