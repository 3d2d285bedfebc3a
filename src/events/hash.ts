/**
 * The partition of a workflow id: the MD5 of the id, read as one number, modulo the number of partitions.
 * The same as in the parallelization guide, so that partitions agree. MD5 only distributes here; it is not
 * used for security.
 */
import { createHash } from 'node:crypto';

/** Fixed: slots move between runners, ids never move between slots. */
export const SLOTS = 256;

export function hashOf(id: string): bigint {
  return BigInt(`0x${createHash('md5').update(id, 'utf8').digest('hex')}`);
}

export function partitionOf(id: string, total: number): number {
  return Number(hashOf(id) % BigInt(total));
}

export function slotOf(hash: bigint): number {
  return Number(hash % BigInt(SLOTS));
}
