/**
 * A counter-based random number: a function of these three arguments only, so it is the same on every machine and can be computed in any
 * order. 0 ≤ n < 2^32.
 */
export function draw(seed: number, index: number, what: number): number {
  // An index may be larger than 32 bits.
  let hash = Math.imul(seed | 0, 0x9e3779b1) ^ Math.imul(what | 0, 0x85ebca77);
  hash = mix(hash ^ (index >>> 0));
  return mix(hash ^ Math.floor(index / 2 ** 32)) >>> 0;
}

/** 0 ≤ n < below. */
export function drawBelow(below: number, seed: number, index: number, what: number): number {
  return Math.floor((draw(seed, index, what) / 2 ** 32) * below);
}

function mix(value: number): number {
  let hash = Math.imul(value ^ (value >>> 16), 0x21f0aaad);
  hash = Math.imul(hash ^ (hash >>> 15), 0x735a2d97);
  return hash ^ (hash >>> 15);
}
