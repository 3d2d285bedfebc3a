import { byteSet, isAlnum, runEnd, runStart, textOf } from '../bytes.ts';
import { entropy, looksRandom } from '../checks/entropy.ts';
import { isFiller } from '../checks/placeholder.ts';
import { type Detector, found, type Match, refused } from '../detector.ts';
import { maskSecret } from '../masks.ts';
import { REASON } from '../reasons.ts';
import { hasText } from './issued-token.ts';
import { lettersOf, madeUp } from './made-up.ts';
import { textsAt } from './texts-at.ts';

/** So many characters of an alphabet; a number: exactly. */
interface Run {
  readonly alphabet: string;
  readonly length: number | readonly [number, number];
}

interface MarkedKey
  extends Pick<Detector, 'id' | 'title'>,
    Partial<Pick<Detector, 'risk' | 'confidence' | 'context' | 'examples'>> {
  /** May be shared with other detectors: then they share a filter of the pass. */
  readonly anchor: string;
  /** What the issuer puts in the middle or at the end. */
  readonly marks: readonly string[];
  readonly before: Run;
  readonly after: Run;
  /** What closes it: the "=" of base64. */
  readonly closing?: string;
}

/** A key whose issuer made it recognisable by a mark that does not stand at its beginning. */
export function markedKey(key: MarkedKey): Detector {
  const { anchor, marks, before, after, closing = '', examples, ...rest } = key;
  const left = { ...reach(before), set: byteSet(before.alphabet) };
  const right = { ...reach(after), set: byteSet(after.alphabet) };
  const letters = lettersOf(before.alphabet).length;
  const markAt = textsAt(marks);

  function accept(bytes: Buffer, at: number, mark: string, match: Match): boolean {
    const start = runStart(bytes, at, left.most + 1, left.set);
    const tail = at + mark.length;
    const tailEnd = runEnd(bytes, tail, right.most + 1, right.set);
    const end = tailEnd + closing.length;
    if (outside(at - start, left) || outside(tailEnd - tail, right)) return refused(match, 'length');
    if (!hasText(bytes, tailEnd, closing)) return refused(match, 'ending');
    if (isAlnum(bytes[start - 1]!) || isAlnum(bytes[end]!)) return refused(match, 'stands alone');
    const body = textOf(bytes, start, at) + textOf(bytes, tail, tailEnd);
    match.entropy = entropy(body);
    if (isFiller(body)) return refused(match, 'placeholder');
    if (!looksRandom(match.entropy, body.length, letters)) return refused(match, 'entropy');
    return found(match, start, end, REASON.issuer);
  }

  return {
    risk: 9,
    confidence: 0.95,
    ...rest,
    category: 'credential',
    standing: 'issued',
    regulations: ['soc2'],
    anchors: [{ pattern: anchor }],
    verify(bytes, at, match) {
      const mark = marks[markAt(bytes, at)];
      return mark === undefined ? refused(match, 'mark') : accept(bytes, at, mark, match);
    },
    mask: (value) => maskSecret(value),
    examples: withPlainOnes(key, examples),
  };
}

interface Reach {
  readonly least: number;
  readonly most: number;
}

function reach({ length }: Run): Reach {
  return typeof length === 'number' ? { least: length, most: length } : { least: length[0], most: length[1] };
}

function outside(length: number, { least, most }: Reach): boolean {
  return length < least || length > most;
}

function withPlainOnes(
  { marks, before, after, closing = '' }: MarkedKey,
  own: Detector['examples'] = { match: [], not: [] },
): Detector['examples'] {
  const head = madeUp(reach(before).least, before.alphabet);
  const tail = madeUp(reach(after).least, after.alphabet) + closing;
  const values = marks.map((mark) => head + mark + tail);
  const value = values[0]!;
  return {
    match: [...values, { text: `KEY=${value}\n`, value }, { text: `{"it":"${value}"}`, value }, ...own.match],
    not: [
      value.slice(1),
      madeUp(reach(before).most + 1, before.alphabet) + marks[0] + tail,
      'x'.repeat(head.length) + marks[0] + tail,
      head + tail,
      ...own.not,
    ],
  };
}
