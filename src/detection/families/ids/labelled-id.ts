import { byteSet, DASH, runEnd, standsAlone, textOf } from '../../bytes.ts';
import { acceptMatch, type ContextRule, type Detector, type Match, rejectMatch } from '../../detector.ts';
import { maskMiddle } from '../../masks.ts';
import { REASON } from '../../reasons.ts';

interface Written {
  readonly pattern: string;
}

interface LabelledId
  extends Pick<Detector, 'id' | 'title' | 'category' | 'regulations' | 'risk' | 'confidence' | 'examples'>,
    Partial<Pick<Detector, 'country' | 'strength' | 'mask'>> {
  readonly context: ContextRule;
  readonly prefilters: readonly Written[];
  /** Matches the whole value. */
  readonly shape: RegExp;
  readonly check?: (value: string) => boolean;
  /** Like `check`, but passing it is no proof. */
  readonly plausible?: (value: string) => boolean;
}

const BODY = byteSet('azAZ09');
const DASHED = byteSet('azAZ09--');
const MAX_LENGTH = 24;

/** An identifier without a distinctive form: a few letters and digits that only a label identifies. */
export function labelledId(kind: LabelledId): Detector {
  const { shape, check, plausible, prefilters, ...rest } = kind;
  const proof = REASON.pattern | (check ? REASON.checksum : 0);
  /** Most numbers are part of something longer or have no label, so the expensive tests come last. */
  function read(bytes: Buffer, start: number, end: number, match: Match): boolean {
    if (!standsAlone(bytes, start, end)) return rejectMatch(match, 'stands alone');
    const value = textOf(bytes, start, end);
    if (!shape.test(value)) return rejectMatch(match, 'form');
    if (check?.(value) === false) return rejectMatch(match, 'check digits');
    if (plausible?.(value) === false) return rejectMatch(match, 'plausible');
    return match.hasLabel(start) ? acceptMatch(match, start, end, proof) : rejectMatch(match, 'label');
  }
  return {
    strength: check ? 'checksum' : 'context',
    mask: (value) => maskMiddle(value, 0, 2),
    ...rest,
    prefilters: prefilters.map(({ pattern }) => ({ pattern, labelled: true })),
    verify(bytes, at, match) {
      const end = runEnd(bytes, at, MAX_LENGTH, BODY);
      const dashedEnd = bytes[end] === DASH ? runEnd(bytes, at, MAX_LENGTH, DASHED) : end;
      return (dashedEnd !== end && read(bytes, at, dashedEnd, match)) || read(bytes, at, end, match);
    },
  };
}

/** Digits of these lengths; optionally upper-case letters and digits of those lengths. */
export function idTokens(digits: readonly [number, number], mixed?: readonly [number, number]): Written[] {
  const tokens = [{ pattern: String.raw`\b\d{${digits.join(',')}}\b` }];
  if (mixed) tokens.push({ pattern: String.raw`\b[A-Z0-9]{${mixed.join(',')}}\b` });
  return tokens;
}
