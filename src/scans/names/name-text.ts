/** What is looked for in names, and how a name is read. */
import type { Detector } from '../../detection/detector.ts';

/** Words and numbers that ordinary names are made of: masking them would make `smith.pdf`, `2024-01-05` and `v1.2.3.4` unreadable. */
const DETECTORS_IN_ORDINARY_NAMES: ReadonlySet<string> = new Set([
  'ADDRESS',
  'AGE',
  'BLOOD_TYPE',
  'CREDIT_SCORE',
  'DATE_DOB',
  'DIAGNOSIS',
  'GENDER',
  'GPS_COORDINATES',
  'IP_ADDRESS',
  'LAB_TEST',
  'MAIDEN_NAME',
  'MEDICATION',
  'NAME',
  'POSTAL_CODE',
  'PRESCRIPTION',
  'PROCEDURE',
  'SALARY',
  'USERNAME',
]);

export function isMaskedInNames({ id, category }: Pick<Detector, 'id' | 'category'>): boolean {
  return category !== 'government' && !DETECTORS_IN_ORDINARY_NAMES.has(id);
}

/**
 * Whether a detector can find anything: there is a digit, an address, something named (`password=…`), or a word as long as a token. Looser
 * would cost time, stricter would store values: the detectors' own examples are the test.
 */
export function mayHoldValue(bytes: Buffer): boolean {
  return WORTH_LOOKING.test(bytes.toString('latin1'));
}

const WORTH_LOOKING = /[\d@=:>]|[\w+-]{20}/;

/**
 * How a name is read; all have its length, so that offsets stay. As it is written; with underscores, and the dot before an ending, as
 * blanks and folders as lines, for `ssn_219-73-8264.pdf` has a value for people, not for a detector; the same with the hyphens between a
 * word and a number (`card-4539-5787-6362-1486-new.pdf`), of which tokens are made too; and without what the bounds of shards have behind
 * a name: `0`, which follows `/`, or bytes that sort behind all others.
 */
export function variantsOf(bytes: Buffer): Buffer[] {
  const written = bytes.toString('latin1');
  const own = BOUND.test(written) ? [written, written.replace(BOUND, blanks)] : [written];
  return own.flatMap(textVariants).map((text) => Buffer.from(text, 'latin1'));
}

function textVariants(text: string): string[] {
  const apart = separated(text);
  return JOINED.test(text) ? [text, apart, apart.replace(JOINT, ' ')] : [text, apart];
}

const JOINED = /[A-Za-z]-\d|\d-[A-Za-z]/;
const JOINT = /(?<=[A-Za-z])-(?=\d)|(?<=\d)-(?=[A-Za-z])/g;

const BOUND = /(?:0|[\x80-\xff]+)$/;

function separated(name: string): string {
  return name.replace(/_|\.(?=[A-Za-z])/g, ' ').replace(/[/!#]/g, '\n');
}

function blanks(text: string): string {
  return ' '.repeat(text.length);
}
