import { entropy } from './entropy.ts';

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
