import { byteSet, isAlnum, runEnd, runStart, textOf } from '../../bytes.ts';
import { entropy, looksRandom } from '../../checks/entropy.ts';
import { isFiller } from '../../checks/placeholder.ts';
import { acceptMatch, type Detector, type Match, rejectMatch } from '../../detector.ts';
import { maskSecret } from '../../masks.ts';
import { REASON } from '../../reasons.ts';
import { hasText } from './issued-token.ts';
import { lettersOf, syntheticSecret } from './synthetic-secret.ts';
import { textsAt } from './texts-at.ts';

/** How many characters of an alphabet; a plain number is an exact length. */
interface Run {
  readonly alphabet: string;
  readonly length: number | readonly [number, number];
}

interface MarkedKey
  extends Pick<Detector, 'id' | 'title'>,
    Partial<Pick<Detector, 'risk' | 'confidence' | 'context' | 'examples'>> {
  /** May be shared with other detectors, which then share a start filter. */
  readonly prefilter: string;
  /** The issuer's fixed text in the middle or at the end. */
  readonly marks: readonly string[];
  readonly before: Run;
  readonly after: Run;
  /** A fixed ending, such as the "=" of base64. */
  readonly closing?: string;
}

/** A key with a fixed text of its issuer that is not at its beginning. */
export function markedKey(key: MarkedKey): Detector {
  const { prefilter, marks, before, after, closing = '', examples, ...rest } = key;
  const left = { ...lengthRange(before), set: byteSet(before.alphabet) };
  const right = { ...lengthRange(after), set: byteSet(after.alphabet) };
  const letters = lettersOf(before.alphabet).length;
  const markAt = textsAt(marks);

  function accept(bytes: Buffer, at: number, mark: string, match: Match): boolean {
    const start = runStart(bytes, at, left.max + 1, left.set);
    const tail = at + mark.length;
    const tailEnd = runEnd(bytes, tail, right.max + 1, right.set);
    const end = tailEnd + closing.length;
    if (outside(at - start, left) || outside(tailEnd - tail, right)) return rejectMatch(match, 'length');
    if (!hasText(bytes, tailEnd, closing)) return rejectMatch(match, 'ending');
    if (isAlnum(bytes[start - 1]!) || isAlnum(bytes[end]!)) return rejectMatch(match, 'stands alone');
    const body = textOf(bytes, start, at) + textOf(bytes, tail, tailEnd);
    match.entropy = entropy(body);
    if (isFiller(body)) return rejectMatch(match, 'placeholder');
    if (!looksRandom(match.entropy, body.length, letters)) return rejectMatch(match, 'entropy');
    return acceptMatch(match, start, end, REASON.issuer);
  }

  return {
    risk: 9,
    confidence: 0.95,
    ...rest,
    category: 'credential',
    strength: 'prefix',
    regulations: ['soc2'],
    prefilters: [{ pattern: prefilter }],
    verify(bytes, at, match) {
      const mark = marks[markAt(bytes, at)];
      return mark === undefined ? rejectMatch(match, 'mark') : accept(bytes, at, mark, match);
    },
    mask: (value) => maskSecret(value),
    examples: withPlainOnes(key, examples),
  };
}

interface LengthRange {
  readonly min: number;
  readonly max: number;
}

function lengthRange({ length }: Run): LengthRange {
  return typeof length === 'number' ? { min: length, max: length } : { min: length[0], max: length[1] };
}

function outside(length: number, { min, max }: LengthRange): boolean {
  return length < min || length > max;
}

function withPlainOnes(
  { marks, before, after, closing = '' }: MarkedKey,
  own: Detector['examples'] = { match: [], not: [] },
): Detector['examples'] {
  const head = syntheticSecret(lengthRange(before).min, before.alphabet);
  const tail = syntheticSecret(lengthRange(after).min, after.alphabet) + closing;
  const values = marks.map((mark) => head + mark + tail);
  const value = values[0]!;
  return {
    match: [...values, { text: `KEY=${value}\n`, value }, { text: `{"it":"${value}"}`, value }, ...own.match],
    not: [
      value.slice(1),
      syntheticSecret(lengthRange(before).max + 1, before.alphabet) + marks[0] + tail,
      'x'.repeat(head.length) + marks[0] + tail,
      head + tail,
      ...own.not,
    ],
  };
}
