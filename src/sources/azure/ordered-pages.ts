import { SeineError } from '../../base/errors.ts';
import type { SourceObject } from '../source.ts';
import type { PageRequest, StorePage } from '../store/store-client.ts';
import { advance, type Item, type Run, runsAfter } from './byte-order.ts';
import type { NameOrder } from './name-order.ts';

/** One name of the service's answer. Object null: it only marks a folder. */
export interface Named {
  readonly name: string;
  readonly object: SourceObject | null;
}

export interface Question {
  readonly prefix: string;
  /** The first name wanted; '': from the beginning. */
  readonly startFrom: string;
  readonly marker: string | undefined;
  readonly most: number;
}

/** One request to the service. Marker null: these were the last. */
export type Ask = (question: Question) => Promise<{ named: readonly Named[]; marker: string | null }>;

/** Where a page that is not yet worth giving away stands. */
interface State {
  readonly runs: readonly Run[];
  readonly found: readonly SourceObject[];
  /** The service gave an answer with nothing new, and wants to be asked on. */
  readonly marker?: string;
}

/** So many are worth a page, even if more were asked for. */
const ENOUGH = 1001;
/** A request for very few costs as much, and may have to be asked again when it ends in the middle of a block. */
const FEWEST = 20;
const MOST = 5000;
/** What was seen to be empty is believed for so long; the listing goes on meanwhile. */
const BELIEVED_MS = 60_000;

/**
 * Pages in byte order. Every call is one request: where that doesn't fill a page, the page comes empty and `next` carries all that
 * was found so far.
 */
export class OrderedPages {
  readonly #order: NameOrder;
  readonly #empty = new Map<string, number>();

  constructor(order: NameOrder) {
    this.#order = order;
  }

  async page(request: PageRequest, ask: Ask): Promise<StorePage> {
    const { prefix, most } = request;
    const { runs, found, marker } = this.#stateOf(request);
    const run = runs[0];
    if (run === undefined) return { objects: [], next: null };
    const startFrom = this.#order.textAt(run.from);
    // The name it starts from is mostly the last one of before.
    const wanted = most - found.length + (startFrom === '' ? 0 : 1);
    const number = Math.min(MOST, Math.max(FEWEST, wanted));
    const answer = await ask({ prefix, startFrom, marker, most: number });
    const items = this.#itemsOf(answer.named, startFrom).filter(({ place }) => place >= run.from);
    if (items.length === 0 && answer.marker !== null) {
      return { objects: [], next: tokenOf({ runs, found, marker: answer.marker }) };
    }
    const complete = answer.marker === null;
    const step = advance(this.#order, prefix.length, runs, { from: run.from, items, complete });
    this.#remember(step.empty);
    return pageOf([...found, ...step.found], step.left, most);
  }

  #stateOf({ prefix, after, continued }: PageRequest): State {
    if (continued !== undefined) return JSON.parse(continued) as State;
    const within = after.startsWith(prefix) ? after : '';
    const isEmpty = (first: string) =>
      performance.now() - (this.#empty.get(first) ?? -Infinity) < BELIEVED_MS;
    return { runs: runsAfter(this.#order, within, prefix.length, isEmpty), found: [] };
  }

  /** In the order they came, which must be the service's own: the runs rest on it. */
  #itemsOf(named: readonly Named[], startFrom: string): Item[] {
    let before = this.#order.placeOf(startFrom);
    return named.map(({ name, object }, i) => {
      const place = this.#order.placeOf(name);
      if (place < before || (place === before && i > 0))
        throw unordered(name, named[i - 1]?.name ?? startFrom);
      before = place;
      return { place, object };
    });
  }

  #remember(empty: readonly string[]): void {
    if (this.#empty.size > 10_000) this.#empty.clear();
    for (const first of empty) this.#empty.set(first, performance.now());
  }
}

function pageOf(found: readonly SourceObject[], left: readonly Run[], most: number): StorePage {
  const next = left.length === 0 && found.length <= most ? null : 'more';
  if (next === null || found.length >= Math.min(most, ENOUGH)) return { objects: found.slice(0, most), next };
  return { objects: [], next: tokenOf({ runs: left, found }) };
}

function tokenOf(state: State): string {
  return JSON.stringify(state);
}

function unordered(name: string, before: string): SeineError {
  return new SeineError(
    'corrupt',
    `The container lists ${JSON.stringify(name)} after ${JSON.stringify(before)}.`,
    {
      hint: 'Seine needs a service that knows startFrom (version 2026-02-06), and may ask whether its namespace is hierarchical (Get Account Information).',
    },
  );
}
