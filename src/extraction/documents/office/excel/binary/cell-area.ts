import { columnLetters } from '../../../../grid.ts';
import { MAX_COLUMNS } from '../cell-reference.ts';
import type { RecordFields } from './record-fields.ts';

/** Cells from one corner to another, as people write them: `A1`, `A1:C7`. */
export function cellArea(fields: RecordFields): string {
  const top = fields.uint32();
  const bottom = fields.uint32();
  const left = fields.uint32();
  const right = fields.uint32();
  const first = cellReference(top, left);
  return top === bottom && left === right ? first : `${first}:${cellReference(bottom, right)}`;
}

function cellReference(row: number, column: number): string {
  return column < MAX_COLUMNS ? `${columnLetters(column)}${row + 1}` : '';
}
