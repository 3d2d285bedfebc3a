/**
 * The b-trees of tables. One of the two kinds stores rows in the leaves only, the other also in interior pages; both are walked in key
 * order. Damage is recorded, and the walk continues with the next branch.
 */
import { CorruptInput } from '../../../extraction-error.ts';
import type { PartErrors } from '../../part-errors.ts';
import { HEADER_BYTES } from './database.ts';
import type { PageStore } from './page-store.ts';

const INDEX_BRANCH = 0x02;
const TABLE_BRANCH = 0x05;
const INDEX_LEAF = 0x0a;
const TABLE_LEAF = 0x0d;
/** With 500-byte pages and the most rows that can be numbered it would be less. */
const MAX_DEPTH = 40;

export interface TreePage {
  readonly bytes: Uint8Array;
  readonly kind: 'table' | 'index';
  readonly leaf: boolean;
  /** Where its cells begin; a branch's cell begins with the number of a page. */
  readonly cells: readonly number[];
  /** The rightmost child, after the last cell. */
  readonly last: number;
  /** Limits the total size of the cells read: overlapping ones could yield any number of rows. */
  room: number;
}

/** The cells `[from, to)` of a page hold rows. */
export interface CellRange {
  readonly page: TreePage;
  readonly from: number;
  readonly to: number;
}

export async function* walkTree(
  pages: PageStore,
  root: number,
  errors: PartErrors,
): AsyncGenerator<CellRange> {
  const first = await openPage(pages, root);
  const way = [{ page: first, next: 0 }];
  for (let at = way.at(-1); at !== undefined; at = way.at(-1)) {
    const { page } = at;
    const i = at.next++;
    if (page.leaf || i > page.cells.length) {
      way.pop();
      if (page.leaf) yield { page, from: 0, to: page.cells.length };
      continue;
    }
    if (i > 0 && page.kind === 'index') yield { page, from: i - 1, to: i };
    try {
      const child = await openPage(pages, i < page.cells.length ? childOf(page, i) : page.last);
      if (child.kind !== page.kind || way.length >= MAX_DEPTH) throw new CorruptInput('SQLite page');
      way.push({ page: child, next: 0 });
    } catch (error) {
      errors.record(error);
    }
  }
}

function childOf({ bytes, cells }: TreePage, i: number): number {
  return uint32(bytes, cells[i]!);
}

async function openPage(pages: PageStore, number: number): Promise<TreePage> {
  const bytes = await pages.visit(number);
  const start = number === 1 ? HEADER_BYTES : 0;
  const type = bytes[start]!;
  const leaf = type === TABLE_LEAF || type === INDEX_LEAF;
  const table = type === TABLE_LEAF || type === TABLE_BRANCH;
  if (!leaf && type !== TABLE_BRANCH && type !== INDEX_BRANCH) throw new CorruptInput('SQLite page');
  const pointers = start + (leaf ? 8 : 12);
  const count = bytes[start + 3]! * 256 + bytes[start + 4]!;
  const end = pointers + 2 * count;
  if (end > pages.usable) throw new CorruptInput('SQLite page');
  const cells: number[] = [];
  for (let at = pointers; at < end; at += 2) {
    const cell = bytes[at]! * 256 + bytes[at + 1]!;
    if (cell < end || cell + 4 > pages.usable) throw new CorruptInput('SQLite page');
    cells.push(cell);
  }
  return {
    bytes,
    kind: table ? 'table' : 'index',
    leaf,
    cells,
    last: leaf ? 0 : uint32(bytes, start + 8),
    room: pages.usable,
  };
}

export function uint32(bytes: Uint8Array, at: number): number {
  return bytes[at]! * 0x1000000 + ((bytes[at + 1]! << 16) | (bytes[at + 2]! << 8) | bytes[at + 3]!);
}
