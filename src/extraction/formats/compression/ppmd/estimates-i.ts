import { firstEstimates } from './estimates.ts';

/** How many symbols a context has, or how frequent one is, decides which estimate is used. */
export const ROW = new Uint8Array(260);
for (let symbols = 0, row = 0, left = 1; symbols < 260; symbols++) {
  ROW[symbols] = row;
  if (symbols < 4) row++;
  else if (--left === 0) left = ++row - 4;
}
/** The first with a higher row. */
const behind = (row: number): number => ROW.findIndex((one) => one > row);
export const FIRST = firstEstimates(
  Array.from({ length: 25 }, (_, row) => behind(row) + 1),
  Array.from({ length: 24 }, (_, row) => 2 * (behind(row + 3) - 3) + 5),
  32,
  7,
);
