import { byteSet, DASH, runEnd, standsAlone, textOf } from '../bytes.ts';
import { type Anchor, type ContextRule, type Detector, found, type Match } from '../detector.ts';
import { maskMiddle } from '../masks.ts';
import { REASON } from '../reasons.ts';

interface LabelledId
  extends Pick<Detector, 'id' | 'title' | 'category' | 'confidence' | 'anchors' | 'examples'> {
  readonly context: ContextRule;
  /** Of the whole value. */
  readonly shape: RegExp;
  readonly check?: (value: string) => boolean;
  /** Like `check`, but proves nothing. */
  readonly plausible?: (value: string) => boolean;
}

const BODY = byteSet('azAZ09');
const DASHED = byteSet('azAZ09--');
const LONGEST = 24;

/** An identifier without a look of its own: a handful of letters and digits that only its label makes one. */
export function labelledId(kind: LabelledId): Detector {
  const { shape, check, plausible, anchors, ...rest } = kind;
  /** Most numbers are a piece of something or have no label; the dear questions come last. */
  function read(bytes: Buffer, start: number, end: number, match: Match): boolean {
    if (!standsAlone(bytes, start, end) || !match.labelled(start)) return false;
    const value = textOf(bytes, start, end);
    if (!shape.test(value) || check?.(value) === false || plausible?.(value) === false) return false;
    return found(match, start, end, REASON.pattern | (check ? REASON.checksum : 0));
  }
  return {
    ...rest,
    anchors: anchors.map((anchor) => ({ ...anchor, labelled: true })),
    verify(bytes, at, match) {
      const end = runEnd(bytes, at, LONGEST, BODY);
      const dashedEnd = bytes[end] === DASH ? runEnd(bytes, at, LONGEST, DASHED) : end;
      return (dashedEnd !== end && read(bytes, at, dashedEnd, match)) || read(bytes, at, end, match);
    },
    mask: (value) => maskMiddle(value, 0, 2),
  };
}

/** Digits of that many places, with or without capital letters in front. */
export function idTokens(digits: readonly [number, number], mixed?: readonly [number, number]): Anchor[] {
  const anchors: Anchor[] = [{ kind: 'token', made: ['d'], length: digits }];
  if (mixed) anchors.push({ kind: 'token', made: ['Ud'], length: mixed });
  return anchors;
}
