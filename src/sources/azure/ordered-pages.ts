import { SeineError } from '../../base/errors.ts';
import type { SourceObject } from '../source.ts';
import type { PageRequest, StorePage } from '../store/store-client.ts';
import { advance, type ListingRange, rangesAfter } from './byte-order.ts';
import { FLAT, HIERARCHICAL, type NameOrder } from './name-order.ts';

/** One name of the service's answer. Object null: it only marks a folder. */
export interface ListedName {
  readonly name: string;
  readonly object: SourceObject | null;
}

export interface ListBlobsRequest {
  readonly prefix: string;
  /** The first name wanted; '': from the beginning. */
  readonly startFrom: string;
  readonly marker: string | undefined;
  readonly most: number;
}

/** One request to the service. Marker null: these were the last. */
export type ListBlobs = (
  question: ListBlobsRequest,
) => Promise<{ named: readonly ListedName[]; marker: string | null }>;

/** Where a page that is not yet worth giving away stands. */
interface PageState {
  /** What the order was taken to be; the runs rest on it. */
  readonly hierarchical: boolean;
  readonly runs: readonly ListingRange[];
  readonly found: readonly SourceObject[];
  /** The service gave an answer with nothing new, and wants to be asked on. */
  readonly marker?: string;
}

/** So many are worth a page, even if more were asked for. */
const MIN_PAGE_OBJECTS = 1001;
/** A request for very few costs as much, and may have to be asked again when it ends in the middle of a block. */
const MIN_REQUEST_OBJECTS = 20;
const MAX_REQUEST_OBJECTS = 5000;
/** What was seen to be empty is believed for so long; the listing goes on meanwhile. */
const EMPTY_TTL_MS = 60_000;

/**
 * Pages in byte order. Every call is one request: where that doesn't fill a page, the page comes empty and `next` carries all that
 * was found so far.
 *
 * Not everybody may ask whether a namespace is hierarchical. Where it isn't known, it is taken to be. That loses nothing if it is
 * flat: a request from `hr-` on, which must not give `hr/x`, then does so, and the order is known. The other way round would not be
 * noticed: a hierarchical namespace has nothing of `hr/` after `hr-`.
 */
export class OrderedPages {
  #order: NameOrder;
  #isCertain: boolean;
  readonly #empty = new Map<string, number>();

  /** Null: it is not known. */
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
    // The name it starts from is mostly the last one of before.
    const wanted = most - found.length + (startFrom === '' ? 0 : 1);
    const number = Math.min(MAX_REQUEST_OBJECTS, Math.max(MIN_REQUEST_OBJECTS, wanted));
    const answer = await ask({ prefix, startFrom, marker, most: number });
    this.#detectOrder(answer.named, startFrom);
    // Also when another listing has found it out meanwhile.
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

  /** The names came in the service's own order, which the runs rest on: it must be the supposed one, or it is known now. */
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

/** What stands where it must not in that order; null: all is in order. */
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
