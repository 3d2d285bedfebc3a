/** Shannon's, in bits per character: English words lie near 3 and below, random keys of 20 characters near 4. */
export function entropy(text: string): number {
  const counts = new Map<string, number>();
  for (const c of text) counts.set(c, (counts.get(c) ?? 0) + 1);
  let bits = 0;
  for (const count of counts.values()) bits -= (count / text.length) * Math.log2(count / text.length);
  return bits;
}

/** Random text reaches nearly what its length and alphabet allow; what people type or repeat stays far below. */
const SHARE = 0.65;

/** `letters`: how many the alphabet has. */
export function looksRandom(bits: number, length: number, letters: number): boolean {
  return bits >= SHARE * Math.log2(Math.min(length, letters));
}
