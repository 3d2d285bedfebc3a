import { byteSet, runEnd, textOf } from '../../bytes.ts';
import { entropy, looksRandom } from '../../checks/entropy.ts';
import { isFiller } from '../../checks/placeholder.ts';
import { acceptMatch, type Detector, type Match, type PrefilterRule, rejectMatch } from '../../detector.ts';
import { maskSecret } from '../../masks.ts';
import { REASON } from '../../reasons.ts';
import { assignsKey, parseAssignment } from './assignment.ts';
import { lettersOf, syntheticSecret, syntheticUuid } from './synthetic-secret.ts';
import { type TextsAt, textsAt } from './texts-at.ts';

interface LabelledSecret
  extends Pick<Detector, 'id' | 'title'>,
    Partial<Pick<Detector, 'risk' | 'confidence' | 'examples'>> {
  /** The service, lower case: what the name begins with, or contains after a separator. */
  readonly services: readonly string[];
  /** The last words of the name; a blank matches any separator or none. */
  readonly nouns?: readonly string[];
  /** Allows names of less than twelve characters. */
  readonly short?: boolean;
  readonly value: SecretValue;
}

interface SecretValue {
  /** Matches the whole value. */
  readonly form: RegExp;
  /** Size of the alphabet. */
  readonly letters: number;
  /** An example value. */
  readonly sample: string;
}

const NOUNS = ['api key', 'token', 'secret', 'password', 'key', 'pat'];
const NAME = byteSet('azAZ09__--');
const CLOSING = byteSet('  ""\'\'``]]');
/** Bytes tested before anything is parsed. */
const MAX_PEEK_LENGTH = 30;
const MAX_NAME_LENGTH = 64;
/** Names of at least this length share one start filter, so a prefilter is never shorter. */
const PREFILTER = 12;

/**
 * A secret without a prefix: random characters that only the assigned name identifies, such as `DATADOG_API_KEY=…` or `"datadogApiKey":
 * "…"`. The service's name is the prefilter, because it is rare.
 */
export function labelledSecret(secret: LabelledSecret): Detector {
  const { services, nouns = NOUNS, short = false, value, examples, ...rest } = secret;
  const { form, letters, sample } = value;
  const min = Math.min(MAX_PEEK_LENGTH, /^[\w+/.~-]+/.exec(sample)![0].length);
  const serviceAt = textsAt(services, true);
  const endings = nouns.map((noun) => noun.replaceAll(' ', '[_.-]?'));
  const name = new RegExp(`(?:^|[^a-z])(?:${services.join('|')}).*(?:${endings.join('|')})$`, 'i');

  function accept(bytes: Buffer, separator: number, match: Match): boolean {
    const assigned = parseAssignment(bytes, separator);
    if (assigned === null) return rejectMatch(match, 'assigned value');
    const text = textOf(bytes, assigned.start, assigned.end);
    if (!form.test(text)) return rejectMatch(match, 'form');
    if (!name.test(assigned.name)) return rejectMatch(match, 'name');
    match.entropy = entropy(text);
    if (isFiller(text)) return rejectMatch(match, 'placeholder');
    if (!looksRandom(match.entropy, text.length, letters)) return rejectMatch(match, 'entropy');
    return acceptMatch(
      match,
      assigned.start,
      assigned.end,
      REASON.pattern | REASON.assignment | REASON.entropy,
    );
  }

  return {
    risk: 9,
    confidence: 0.85,
    ...rest,
    category: 'credential',
    strength: 'context',
    regulations: ['soc2'],
    prefilters: prefiltersOf(services, nouns, short),
    verify(bytes, at, match) {
      // Most candidates match only the first or the last letters of the name, so this is tested first.
      const separator = isSeparator(bytes[at]!) ? at : separatorAfter(bytes, at, serviceAt);
      if (separator === 0 || !assignsKey(bytes, separator, min)) return rejectMatch(match, 'assigned value');
      return accept(bytes, separator, match);
    },
    mask: (value) => maskSecret(value),
    examples: withPlainOnes(`${services[0]}_${nouns[0]!.replaceAll(' ', '_')}`, sample, examples),
  };
}

/** `length` random characters of `ranges`. */
export function randomValue(length: number, ranges: string): SecretValue {
  const form = new RegExp(
    `^[${ranges.replace(/(.)(.)/g, (_, a, z) => (a === z ? `\\${a}` : `${a}-${z}`))}]{${length}}$`,
  );
  return { form, letters: lettersOf(ranges).length, sample: syntheticSecret(length, ranges) };
}

export function uuidValue(): SecretValue {
  return { form: /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/, letters: 16, sample: syntheticUuid() };
}

/** With a service as prefilter the whole name has at least twelve characters. Shorter names are found by their suffix. */
function prefiltersOf(
  services: readonly string[],
  nouns: readonly string[],
  short: boolean,
): PrefilterRule[] {
  if (short) return [{ assigned: [...new Set(nouns.map((noun) => noun.slice(-3)))] }];
  return services.map((service) => {
    const rest = PREFILTER - service.length;
    return { pattern: `(?i)\\b${service.slice(0, PREFILTER)}${rest > 0 ? `[A-Za-z0-9_-]{${rest}}` : ''}` };
  });
}

/** The position of the separator after the name, past quotes and blanks; 0 if there is none or the name is not the service's. */
function separatorAfter(bytes: Buffer, at: number, serviceAt: TextsAt): number {
  if (serviceAt(bytes, at) < 0) return 0;
  const end = runEnd(bytes, runEnd(bytes, at, MAX_NAME_LENGTH, NAME), 4, CLOSING);
  return isSeparator(bytes[end]!) ? end : 0;
}

function isSeparator(byte: number): boolean {
  return byte === 0x3d || byte === 0x3a || byte === 0x3e;
}

function withPlainOnes(
  name: string,
  value: string,
  own: Detector['examples'] = { match: [], not: [] },
): Detector['examples'] {
  return {
    match: [
      { text: `${name}: ${value}`, value },
      { text: `export ${name.toUpperCase()}="${value}"`, value },
      { text: `{"${name}": "${value}"}`, value },
      ...own.match,
    ],
    not: [
      value,
      `checksum: ${value}`,
      `${name}: ${value.slice(0, -1)}`,
      `${name}: ${value}${syntheticSecret(64, 'az09')}`,
      `${name}: ${'x'.repeat(value.length)}`,
      ...own.not,
    ],
  };
}
