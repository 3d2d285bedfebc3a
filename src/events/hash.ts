/**
 * Which part of a workflow's events an id belongs to: the MD5 of the id, read as one number, modulo the number of parts. The same
 * as the parallelization guide's, so that partitions mean the same to both. MD5 only spreads here; it protects nothing.
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
