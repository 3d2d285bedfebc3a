/** A cell of a b-tree: the length of its record, the part stored in the page, and the first overflow page. */
import { CorruptInput } from '../../../extraction-error.ts';
import type { PageStore } from './page-store.ts';
import { type TreePage, uint32 } from './tree.ts';
import { Varints } from './varints.ts';

export interface Cell {
  readonly rowid: number | bigint;
  readonly size: number;
  /** In the page. */
  readonly from: number;
  readonly to: number;
  /** The first page of the rest; 0: all of it is here. */
  readonly overflow: number;
  /** Where the cell itself ends. */
  readonly end: number;
}

export function cellAt({ bytes, kind, leaf, cells }: TreePage, i: number, usable: number): Cell {
  const varints = new Varints(bytes, cells[i]! + (leaf ? 0 : 4), usable);
  const size = Number(varints.next());
  const rowid = kind === 'table' ? varints.next() : 0;
  const local = localSize(size, kind, usable);
  const to = varints.at + local;
  const end = to + (local < size ? 4 : 0);
  if (!(size >= 0 && end <= usable)) throw new CorruptInput('SQLite page');
  return { rowid, size, from: varints.at, to, overflow: local < size ? uint32(bytes, to) : 0, end };
}

/** The part of a record that stays in the page, so that the rest fills whole overflow pages if possible. */
function localSize(size: number, kind: 'table' | 'index', usable: number): number {
  const max = kind === 'table' ? usable - 35 : Math.floor(((usable - 12) * 64) / 255) - 23;
  if (size <= max) return size;
  const min = Math.floor(((usable - 12) * 32) / 255) - 23;
  const fitting = min + ((size - min) % (usable - 4));
  return fitting <= max ? fitting : min;
}

/** The record, part by part. */
export async function* partsOf(pages: PageStore, page: TreePage, cell: Cell): AsyncGenerator<Uint8Array> {
  yield page.bytes.subarray(cell.from, cell.to);
  let left = cell.size - (cell.to - cell.from);
  for (let number = cell.overflow; left > 0; ) {
    const bytes = await pages.visit(number);
    const part = bytes.subarray(4, Math.min(pages.usable, 4 + left));
    left -= part.length;
    number = uint32(bytes, 0);
    yield part;
  }
}
