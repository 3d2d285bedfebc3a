/**
 * Beginnings to the letter: up to eight bytes each, with a mask that says which bits must agree (small and capital letters differ in
 * one). They are kept in chains by their first three bytes, so that the kernel compares a place with the few that it may be.
 */
import { byteList } from '../pattern/byte-list.ts';
import type { ByteSet } from '../pattern/parse.ts';

export interface Literal {
  readonly bits: bigint;
  readonly mask: bigint;
}

export const LITERAL_BYTES = 16; // bits and mask; a mask of zero ends a chain
export const HEADS = 16384;
const LONGEST = 8;
/** The first three bytes, in small letters, on one of the heads. */
export const HEAD_FOLD = 0x202020;
export const HEAD_SPREAD: number = 0x9e3779b1 | 0;
export const HEAD_SHIFT = 18;

export function literalOf(sets: readonly ByteSet[]): Literal {
  let [bits, mask] = [0n, 0n];
  for (const [n, set] of sets.slice(0, LONGEST).entries()) {
    const bytes = byteList(set);
    const first = bytes[0]!;
    const differing = bytes.reduce((all, byte) => all | (byte ^ first), 0);
    const agreeing = ~differing & 0xff;
    bits |= BigInt(first & agreeing) << BigInt(8 * n);
    mask |= BigInt(agreeing) << BigInt(8 * n);
  }
  return { bits, mask };
}

/** On which chains a beginning must be found: one for each way its first three bytes can be. */
export function headsOf(sets: readonly ByteSet[]): number[] {
  const firsts = sets.slice(0, 3).map(byteList);
  const [a, b, c] = firsts as [readonly number[], readonly number[], readonly number[]];
  const all = a.flatMap((x) => b.flatMap((y) => c.map((z) => headOf(x | (y << 8) | (z << 16)))));
  return [...new Set(all)];
}

export function headOf(three: number): number {
  return Math.imul((three & 0xffffff) | HEAD_FOLD, HEAD_SPREAD) >>> HEAD_SHIFT;
}

export interface Chains {
  readonly heads: Uint16Array;
  readonly literals: readonly Literal[];
}

/** Chains one after the other: by head where its own begins, in literals; 0 is the empty one. */
export function chainsOf(beginnings: readonly (readonly ByteSet[])[]): Chains {
  const byHead = new Map<number, Map<string, Literal>>();
  for (const sets of beginnings) {
    const literal = literalOf(sets);
    for (const head of headsOf(sets)) {
      const chain = byHead.get(head) ?? new Map();
      byHead.set(head, chain.set(`${literal.bits}/${literal.mask}`, literal));
    }
  }
  const heads = new Uint16Array(HEADS);
  const literals: Literal[] = [END];
  for (const [head, chain] of byHead) {
    heads[head] = literals.length;
    literals.push(...chain.values(), END);
  }
  return { heads, literals };
}

const END: Literal = { bits: 0n, mask: 0n };
