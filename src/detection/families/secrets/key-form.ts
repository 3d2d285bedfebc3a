import { looksRandom } from '../../checks/entropy.ts';
import { lettersOf, syntheticSecret, syntheticUuid } from './synthetic-secret.ts';

/** A documented form of keys, written as an alphabet and a length or a range of lengths: `hex32`, `base64 80-90`, `uuid`. */
export interface KeyForm {
  readonly pattern: RegExp;
  /** Size of the alphabet. */
  readonly letters: number;
  readonly sample: string;
}

const ALPHABETS: Readonly<Record<string, string>> = {
  hex: '09af',
  lower: '09az',
  upper: '09AZ',
  alpha: 'azAZ',
  alnum: '09azAZ',
  url: '09azAZ__--',
  base64: '09azAZ++//',
};
const CLASSES: Readonly<Record<string, string>> = {
  hex: '[0-9a-fA-F]',
  lower: '[0-9a-z]',
  upper: '[0-9A-Z]',
  alpha: '[a-zA-Z]',
  alnum: '[0-9a-zA-Z]',
  url: '[\\w-]',
  base64: '[0-9a-zA-Z+/]',
};
const NOTATION = /^([a-z]+\d*?) ?(\d+)(?:-(\d+))?$/;
const UUID: KeyForm = {
  pattern: /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i,
  letters: 16,
  sample: syntheticUuid(),
};

const parsed = new Map<string, KeyForm>([['uuid', UUID]]);

/** Parsed once per notation; most services share a few. */
export function keyForm(notation: string): KeyForm {
  const known = parsed.get(notation);
  if (known !== undefined) return known;
  const form = parseForm(notation);
  parsed.set(notation, form);
  return form;
}

/** Whether the value has the form and could be random. */
export function hasForm(value: string, entropy: number, { pattern, letters }: KeyForm): boolean {
  return pattern.test(value) && looksRandom(entropy, value.length, letters);
}

function parseForm(notation: string): KeyForm {
  const [, alphabet = '', least = '', most = least] = NOTATION.exec(notation) ?? [];
  const ranges = ALPHABETS[alphabet];
  if (ranges === undefined) throw new RangeError(`"${notation}" is no form of a key`);
  const padding = alphabet === 'base64' ? '={0,2}' : '';
  return {
    pattern: new RegExp(`^${CLASSES[alphabet]}{${least},${most}}${padding}$`),
    letters: lettersOf(ranges).length,
    sample: syntheticSecret(Number(least), ranges),
  };
}
