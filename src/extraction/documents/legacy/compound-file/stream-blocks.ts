import type { RandomAccess } from '../../../document-item.ts';
import { withBlockCache } from '../../../input/random-access.ts';

const BLOCK = 32 * 1024;
const BLOCKS = 32;

/** Caches blocks of a compound file's stream, whose sectors are scattered, so that small reads are usually hits. */
export function inStreamBlocks(stream: RandomAccess): RandomAccess {
  return withBlockCache(stream, BLOCK, BLOCKS);
}
