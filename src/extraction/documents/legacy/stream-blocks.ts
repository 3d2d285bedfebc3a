import { inBlocks } from '../../access.ts';
import type { RandomAccess } from '../../piece.ts';

const BLOCK = 32 * 1024;
const BLOCKS = 32;

/** A stream of a compound file lies in sectors all over it: small reads of it find their block still at hand. */
export function inStreamBlocks(stream: RandomAccess): RandomAccess {
  return inBlocks(stream, BLOCK, BLOCKS);
}
