import { isAlnum, textOf } from '../../bytes.ts';
import { acceptMatch, type Detector, type Match, rejectMatch } from '../../detector.ts';
import { maskInitials } from '../../masks.ts';
import { mayBegin } from '../../pattern/may-begin.ts';
import { REASON } from '../../reasons.ts';

interface Marking
  extends Pick<Detector, 'id' | 'title' | 'regulations' | 'risk' | 'examples' | 'context'>,
    Partial<Pick<Detector, 'country' | 'confidence'>> {
  readonly forms: readonly MarkingForm[];
  /** The prefilters: four upper-case letters or long words, which other detectors use too, so that they share a start filter. */
  readonly begins: readonly string[];
}

interface MarkingForm {
  /** Matches the whole marking, from its first character. */
  readonly shape: RegExp;
  /** Requires a label. */
  readonly labelled?: boolean;
  /** Only at the beginning of a line, as the mark of a paragraph. */
  readonly opens?: boolean;
}

const MAX_LENGTH = 120;

/**
 * Classification markings that an office puts on a page or a paragraph. They say how to handle the content and are not secret themselves.
 */
export function marking(kind: Marking): Detector {
  const { forms, begins, ...rest } = kind;
  const mayBe = mayBegin(begins);

  function accept(bytes: Buffer, at: number, end: number, form: MarkingForm, match: Match): boolean {
    if (continuesWord(bytes, end - 1, end)) return rejectMatch(match, 'stands alone');
    if (form.opens === true && !opensLine(bytes, at)) return rejectMatch(match, 'begins a line');
    if (form.labelled === true && !match.hasLabel(at)) return rejectMatch(match, 'label');
    return acceptMatch(match, at, end, REASON.pattern);
  }

  return {
    category: 'government',
    strength: 'format',
    confidence: 0.8,
    mask: maskInitials,
    ...rest,
    prefilters: begins.map((pattern) => ({
      pattern: /^(?:[A-Za-z]|\(\?:[A-Za-z])/.test(pattern) ? `\\b${pattern}` : pattern,
    })),
    verify(bytes, at, match) {
      if (continuesWord(bytes, at, at - 1)) return rejectMatch(match, 'stands alone');
      if (mayBe.at(bytes, at) === 0) return rejectMatch(match, 'form');
      const text = textOf(bytes, at, at + MAX_LENGTH);
      for (const form of forms) {
        const written = form.shape.exec(text)?.[0];
        if (written !== undefined && accept(bytes, at, at + written.length, form, match)) return true;
      }
      return match.rejectReason === '' ? rejectMatch(match, 'form') : false;
    },
  };
}

/** Whether the word continues past the end of the match: "SECRETS", "NOFORN_1". */
function continuesWord(bytes: Buffer, inside: number, outside: number): boolean {
  const beyond = bytes[outside]!;
  return isAlnum(bytes[inside]!) && (isAlnum(beyond) || beyond === 0x5f);
}

const LEADING = new Set([...' \t\r.-*#0123456789'].map((c) => c.charCodeAt(0)));

/** Whether only blanks, a number or a bullet precede the position on its line. */
function opensLine(bytes: Buffer, at: number): boolean {
  let i = at - 1;
  while (i > at - 12 && LEADING.has(bytes[i]!)) i--;
  return bytes[i] === 0x0a || bytes[i] === 0;
}
