import { SeineError } from '../../base/errors.ts';
import type { SourceObject } from '../source.ts';
import type { PageRequest, StorePage } from '../store/store-client.ts';
import { advance, type ListingRange, rangesAfter } from './byte-order.ts';
import { FLAT, HIERARCHICAL, type NameOrder } from './name-order.ts';

/** A name in the service's response. `object` is null for a folder marker. */
export interface ListedName {
  readonly name: string;
  readonly object: SourceObject | null;
}

export interface ListBlobsRequest {
  readonly prefix: string;
  /** The first name to return; '' starts at the beginning. */
  readonly startFrom: string;
  readonly marker: string | undefined;
  readonly most: number;
}

/** One request to the service. A null marker means the last page. */
export type ListBlobs = (
  question: ListBlobsRequest,
) => Promise<{ named: readonly ListedName[]; marker: string | null }>;

/** The state of a page that is still being filled. */
interface PageState {
  /** The order that was assumed; the runs depend on it. */
  readonly hierarchical: boolean;
  readonly runs: readonly ListingRange[];
  readonly found: readonly SourceObject[];
  /** The service returned a page without new names and a marker to continue. */
  readonly marker?: string;
}

/** A page with this many objects is returned, even if more were requested. */
const MIN_PAGE_OBJECTS = 1001;
/** A smaller request costs as much, and may have to be repeated if its response ends inside a block. */
const MIN_REQUEST_OBJECTS = 20;
const MAX_REQUEST_OBJECTS = 5000;
/** How long a class that proved empty is assumed to stay empty while the listing goes on. */
const EMPTY_TTL_MS = 60_000;

/**
 * Pages in byte order. Every call sends one request: if that doesn't fill a page, the page is empty and `next` carries everything found
 * so far.
 *
 * Not every credential may query whether a namespace is hierarchical. If that is unknown, it is assumed to be. Nothing is lost if it is
 * flat: a request from `hr-` on, which must not return `hr/x`, then does, which reveals the order. The opposite assumption could not be
 * detected: a hierarchical namespace has nothing of `hr/` after `hr-`.
 */
export class OrderedPages {
  #order: NameOrder;
  #isCertain: boolean;
  readonly #empty = new Map<string, number>();

  /** Null: unknown. */
  constructor(order: NameOrder | null) {
    this.#order = order ?? HIERARCHICAL;
    this.#isCertain = order !== null;
  }

  async page(request: PageRequest, ask: ListBlobs): Promise<StorePage> {
    const { prefix, most } = request;
    const order = this.#order;
    const { runs, found, marker } = this.#stateOf(request);
    const run = runs[0];
    if (run === undefined) return { objects: [], next: null };
    const startFrom = order.nameFromSortKey(run.from);
    // The name that a request starts from is usually the last one of the previous response.
    const requested = most - found.length + (startFrom === '' ? 0 : 1);
    const number = Math.min(MAX_REQUEST_OBJECTS, Math.max(MIN_REQUEST_OBJECTS, requested));
    const answer = await ask({ prefix, startFrom, marker, most: number });
    this.#detectOrder(answer.named, startFrom);
    // Also if another listing has detected the order meanwhile.
    if (order !== this.#order) return { objects: [], next: this.#tokenOf(this.#begin(request)) };
    const items = answer.named
      .map(({ name, object }) => ({ sortKey: order.sortKeyOf(name), object }))
      .filter(({ sortKey }) => sortKey >= run.from);
    if (items.length === 0 && answer.marker !== null) {
      return { objects: [], next: this.#tokenOf({ runs, found, marker: answer.marker }) };
    }
    const complete = answer.marker === null;
    const step = advance(order, prefix.length, runs, { from: run.from, items, complete });
    this.#rememberEmpty(step.empty);
    return this.#pageOf([...found, ...step.found], step.left, most);
  }

  #stateOf(request: PageRequest): Omit<PageState, 'hierarchical'> {
    if (request.continued === undefined) return this.#begin(request);
    const state = JSON.parse(request.continued) as PageState;
    return state.hierarchical === (this.#order === HIERARCHICAL) ? state : this.#begin(request);
  }

  #begin({ prefix, after }: PageRequest): Omit<PageState, 'hierarchical'> {
    const within = after.startsWith(prefix) ? after : '';
    const isEmpty = (first: string) =>
      performance.now() - (this.#empty.get(first) ?? -Infinity) < EMPTY_TTL_MS;
    return { runs: rangesAfter(this.#order, within, prefix.length, isEmpty), found: [] };
  }

  /** Verifies that the names are in the assumed order, which the runs depend on, or detects the actual one. */
  #detectOrder(named: readonly ListedName[], startFrom: string): void {
    const wrong = orderViolation(this.#order, named, startFrom);
    if (this.#isCertain) {
      if (wrong !== null) throw wrong;
      return;
    }
    const isFlat = orderViolation(FLAT, named, startFrom) === null;
    if (wrong !== null && !isFlat) throw wrong;
    this.#isCertain = wrong !== null || !isFlat;
    if (wrong === null) return;
    this.#order = FLAT;
    this.#empty.clear();
  }

  #pageOf(found: readonly SourceObject[], left: readonly ListingRange[], max: number): StorePage {
    const next = left.length === 0 && found.length <= max ? null : 'more';
    if (next === null || found.length >= Math.min(max, MIN_PAGE_OBJECTS))
      return { objects: found.slice(0, max), next };
    return { objects: [], next: this.#tokenOf({ runs: left, found }) };
  }

  #tokenOf(state: Omit<PageState, 'hierarchical'>): string {
    return JSON.stringify({ ...state, hierarchical: this.#order === HIERARCHICAL } satisfies PageState);
  }

  #rememberEmpty(empty: readonly string[]): void {
    if (this.#empty.size > 10_000) this.#empty.clear();
    for (const first of empty) this.#empty.set(first, performance.now());
  }
}

/** The reason why the names are not in that order; null if they are. */
function orderViolation(
  order: NameOrder,
  named: readonly ListedName[],
  startFrom: string,
): SeineError | null {
  let before = order.sortKeyOf(startFrom);
  for (const [i, { name }] of named.entries()) {
    const place = order.sortKeyOf(name);
    if (place < before || (place === before && i > 0))
      return orderError(name, named[i - 1]?.name ?? startFrom);
    before = place;
  }
  return null;
}

function orderError(name: string, before: string): SeineError {
  return new SeineError(
    'corrupt',
    `The container lists ${JSON.stringify(name)} after ${JSON.stringify(before)}.`,
    {
      hint: 'Seine needs a service that knows startFrom (version 2026-02-06) and lists in the order of a flat or of a hierarchical namespace.',
    },
  );
}
