/**
 * The order in which Azure lists, which is not byte order:
 *
 * - Names are compared as UTF-16, so that 😀 (a surrogate pair) sorts before Ａ (U+FF21). In bytes it sorts after.
 *
 * - In an account with a hierarchical namespace `/` sorts before every other character: `a/x`, `a-b`. In bytes it sorts between `.` and
 * `0`.
 *
 * Both have the same structure: at any position of a name two adjacent classes of characters are swapped. A block is everything that
 * begins with some text P and continues with one of the two classes. Azure lists the `first` class of a block and then the `second`; in
 * byte order the second comes first.
 */
export interface NameOrder {
  readonly swaps: readonly ClassSwap[];
  /** A name as a sort key: sort keys are in Azure's order by `<`. */
  sortKeyOf(name: string): string;
  /** The name to start a listing with: at most one name lies between it and the sort key. */
  nameFromSortKey(place: string): string;
}

/** By code unit: the first class is `[first, second)`, the second one `[second, end)`. End null: up to the maximum. */
interface ClassSwap {
  readonly first: number;
  readonly second: number;
  readonly end: number | null;
}

/** The bounds of a block as sort keys. End null: unbounded. */
export interface Block {
  readonly first: string;
  readonly second: string;
  readonly end: string | null;
}

const SURROGATES: ClassSwap = { first: 0xd800, second: 0xe000, end: null };
const LOW_SURROGATE = 0xdc00;
/** In a sort key `/` is replaced by `\0`, which no name contains, so that `<` gives the service's order. */
const SLASH: ClassSwap = { first: 0, second: 1, end: 0x30 };

export const FLAT: NameOrder = {
  swaps: [SURROGATES],
  sortKeyOf: (name) => name,
  nameFromSortKey: (place) => withoutHalfPair(place.replace(/\0$/, '')),
};

export const HIERARCHICAL: NameOrder = {
  swaps: [SURROGATES, SLASH],
  sortKeyOf: (name) => name.replaceAll('/', '\0'),
  nameFromSortKey: (place) => withoutHalfPair(printable(place.replace(/\0$/, ''))).replaceAll('\0', '/'),
};

/** The immediate successor of the sort key. */
export function successor(place: string): string {
  return `${place}\0`;
}

/** The blocks that contain the sort key, innermost first. */
export function* blocksAround(
  order: NameOrder,
  place: string,
  prefixLength: number,
): Generator<{ block: Block; inFirst: boolean }> {
  for (let at = place.length - 1; at >= prefixLength; at--) {
    const unit = place.charCodeAt(at);
    const swap = order.swaps.find((one) => unit >= one.first && (one.end === null || unit < one.end));
    // A low surrogate is not a character of its own.
    if (swap === undefined || (unit >= LOW_SURROGATE && unit < SURROGATES.second)) continue;
    yield { block: blockAt(place.slice(0, at), swap), inFirst: unit < swap.second };
  }
}

function blockAt(before: string, { first, second, end }: ClassSwap): Block {
  return {
    first: before + String.fromCharCode(first),
    second: before + String.fromCharCode(second),
    end: end === null ? afterPrefix(before) : before + String.fromCharCode(end),
  };
}

/** The first sort key after all that begin with this one; null if there is none. */
function afterPrefix(place: string): string | null {
  const kept = place.replace(/\uffff+$/, '');
  if (kept === '') return null;
  return kept.slice(0, -1) + String.fromCharCode(kept.charCodeAt(kept.length - 1) + 1);
}

/** A sort key may end in half a surrogate pair, which cannot be encoded as UTF-8. */
function withoutHalfPair(place: string): string {
  const [high, low] = [place.charCodeAt(place.length - 2), place.charCodeAt(place.length - 1)];
  if (low >= SURROGATES.first && low < LOW_SURROGATE) return `${place}\udc00`;
  const isHalf = high >= SURROGATES.first && high < LOW_SURROGATE;
  if (!isHalf || low !== SURROGATES.second) return place;
  return place.slice(0, -2) + (high === 0xdbff ? '\ue000' : `${String.fromCharCode(high + 1)}\udc00`);
}

/** Sort keys directly after a slash or before `0` cannot be sent. A tab is the lowest character that a listing can contain. */
function printable(place: string): string {
  if (place.endsWith('\u0001')) return `${place.slice(0, -1)}\t`;
  return place.endsWith('/') ? `${place.slice(0, -1)}0` : place;
}
