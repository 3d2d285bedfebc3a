import type { RandomAccess } from '../../document-item.ts';
import { withBlockCache } from '../../random-access.ts';

const BLOCK = 32 * 1024;
const BLOCKS = 32;

/** A stream of a compound file lies in sectors all over it: small reads of it find their block still at hand. */
export function inStreamBlocks(stream: RandomAccess): RandomAccess {
  return withBlockCache(stream, BLOCK, BLOCKS);
}
