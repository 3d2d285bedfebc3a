/** ISO 7064 MOD 97-10 of letters and digits (A = 10 … Z = 35), a piece at a time so that no number grows large. */
export function mod97(text: string): number {
  let rest = 0;
  for (let i = 0; i < text.length; i++) {
    const value = Number.parseInt(text[i]!, 36);
    rest = (value > 9 ? rest * 100 + value : rest * 10 + value) % 97;
  }
  return rest;
}

/** The same straight from bytes, capital or small letters, going on from `rest`; other bytes are passed over. */
export function mod97Bytes(bytes: Uint8Array, from: number, to: number, rest: number): number {
  let result = rest;
  for (let i = from; i < to; i++) {
    const value = VALUES[bytes[i]!]!;
    if (value !== NONE) result = (value > 9 ? result * 100 + value : result * 10 + value) % 97;
  }
  return result;
}

const NONE = 255;
const VALUES = Uint8Array.from({ length: 256 }, (_, b) => {
  const value = Number.parseInt(String.fromCharCode(b), 36);
  return Number.isNaN(value) ? NONE : value;
});
