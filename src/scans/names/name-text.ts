/** The detectors applied to names, and the variants of a name that they read. */
import type { Detector } from '../../detection/detector.ts';

/**
 * Detectors of words and numbers that are common in ordinary names: masking them would make `smith.pdf`,
 * `2024-01-05` and `v1.2.3.4` unreadable.
 */
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
 * Prefilter: whether a detector can match at all. There must be a digit, an address, a labelled value
 * (`password=…`), or a word as long as a token. A looser check would cost time, a stricter one would store
 * values: it is tested with the detectors' own examples.
 */
export function mayHoldValue(bytes: Buffer): boolean {
  return WORTH_LOOKING.test(bytes.toString('latin1'));
}

const WORTH_LOOKING = /[\d@=:>]|[\w+-]{20}/;

/**
 * The variants of a name that are searched; all have its length, so that offsets are kept. Unchanged; with
 * underscores and the dot before an extension as blanks and path separators as line ends, because detectors
 * would not match in `ssn_219-73-8264.pdf`; the same with the hyphens between a word and a number
 * (`card-4539-5787-6362-1486-new.pdf`) as blanks, which unmodified may be part of tokens; and without the
 * suffixes of shard bounds: `0`, which follows `/`, or bytes that sort behind all others.
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
