/** Shannon entropy in bits per character: English words have about 3 or less, random keys of 20 characters about 4. */
export function entropy(text: string): number {
  const { length } = text;
  for (let i = 0; i < length; i++) counts[text.charCodeAt(i)]!++;
  let bits = 0;
  for (let i = 0; i < length; i++) {
    const count = counts[text.charCodeAt(i)]!;
    if (count === 0) continue;
    counts[text.charCodeAt(i)] = 0;
    bits -= (count / length) * Math.log2(count / length);
  }
  return bits;
}

/** By code of the character; all 0 between two calls. */
const counts = new Uint32Array(1 << 16);

/** Random text reaches nearly what its length and alphabet allow; what people type or repeat stays far below. */
const SHARE = 0.65;

/** `letters`: how many the alphabet has. */
export function looksRandom(bits: number, length: number, letters: number): boolean {
  return bits >= SHARE * Math.log2(Math.min(length, letters));
}

const HEX = /^[0-9a-f-]+$/i;

/** A name before a hexadecimal key. */
const PREFIX = /^[a-z]{2,12}[_-]?(?=[0-9a-f]{16,}$)/i;

const MEMBERS = /^[a-z_$]\w*(?:\.[a-z_$]\w*)+$/i;

/** Bits per character: words and paths are below, random text is above. Hex has four at most. */
const RANDOM = 3.5;

const RANDOM_HEX = 3;

/** Whether a machine drew it: letters and digits, no chain of names, and hardly a character twice. */
export function looksGenerated(value: string): boolean {
  if (!/\d/.test(value) || !/[a-z]/i.test(value)) return false;
  if (MEMBERS.test(value) && !/\d\w*\d/.test(value)) return false;
  const body = value.replace(PREFIX, '');
  return entropy(body) >= (HEX.test(body) ? RANDOM_HEX : RANDOM);
}
