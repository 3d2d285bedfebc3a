import { entropy } from '../../checks/entropy.ts';

/** By length and ranges. Every process and thread generates all examples when it starts, and most rows share a few formats. */
const generated = new Map<string, string>();

/**
 * Generates example secrets at run time, so that other secret scanners don't report these files: characters of `ranges`, deterministic,
 * with the entropy of a real secret.
 */
export function syntheticSecret(length: number, ranges: string): string {
  const format = `${length} ${ranges}`;
  const known = generated.get(format);
  if (known !== undefined) return known;
  const secret = generate(length, ranges);
  generated.set(format, secret);
  return secret;
}

/** The one with the highest entropy of eight seeds. */
function generate(length: number, ranges: string): string {
  const letters = lettersOf(ranges);
  let [best, max] = ['', -1];
  for (let seed = length; seed < length + 8; seed++) {
    const text = drawn(seed, length, letters);
    const bits = entropy(text);
    if (bits > max) [best, max] = [text, bits];
  }
  return best;
}

/** An example UUID. */
export function syntheticUuid(): string {
  const hex = (length: number) => syntheticSecret(length, '09af');
  return [hex(8), hex(4), '4b1d', '9c0e', hex(12)].join('-');
}

export function lettersOf(ranges: string): string {
  let letters = '';
  for (let i = 0; i < ranges.length; i += 2) {
    for (let c = ranges.charCodeAt(i); c <= ranges.charCodeAt(i + 1); c++) letters += String.fromCharCode(c);
  }
  return letters;
}

/** Begins and ends with a letter or digit, so that word boundaries apply. */
function drawn(seed: number, length: number, letters: string): string {
  const inner = letters;
  const outer = letters.replace(/[^A-Za-z0-9]/g, '');
  let state = seed * 2_654_435_761;
  let text = '';
  for (let i = 0; i < length; i++) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    const from = i === 0 || i === length - 1 ? outer : inner;
    text += from[(state >>> 16) % from.length];
  }
  return text;
}
