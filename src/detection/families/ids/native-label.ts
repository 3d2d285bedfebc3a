import { isDigit, NEWLINE } from '../../bytes.ts';
import { acceptMatch, type Detector, type Match, rejectMatch } from '../../detector.ts';
import { REASON } from '../../reasons.ts';

/** Maximum distance of a value from its label: a colon, quotes, "№" or a few blanks. */
const MAX_DISTANCE = 24;
const LETTERS = 0x80; // from here on a byte belongs to a non-ASCII letter

/**
 * Labels in Greek or Cyrillic letters. The prefilter only recognises context words in Latin letters, so here the label itself is the
 * prefilter, and the value begins with the first digit after it. Field names are matched as usual.
 */
export function nativelyLabelled(labels: readonly string[], detector: Detector): Detector {
  const written = [...new Set(labels.flatMap(inEveryCase))];
  const spellings = written.map((label) => Buffer.from(label));

  function labelEnd(bytes: Buffer, at: number): number {
    const label = spellings.find(
      (spelling) => bytes.compare(spelling, 0, spelling.length, at, at + spelling.length) === 0,
    );
    return label === undefined || bytes[at - 1]! >= LETTERS || bytes[at + label.length]! >= LETTERS
      ? -1
      : at + label.length;
  }

  return {
    ...detector,
    prefilters: [...detector.prefilters, ...written.map((label) => ({ pattern: beginning(label) }))],
    context: { ...detector.context, words: [...(detector.context?.words ?? []), ...written] },
    verify(bytes, at, match) {
      if (bytes[at]! < LETTERS) return detector.verify(bytes, at, match);
      const end = labelEnd(bytes, at);
      const start = end < 0 ? -1 : firstDigit(bytes, end);
      return start < 0 ? rejectMatch(match, 'label') : verifyNamed(detector, bytes, start, match);
    },
  };
}

/** Runs the detector on a value whose label is known to precede it. */
function verifyNamed(detector: Detector, bytes: Buffer, start: number, match: Match): boolean {
  const named: Match = { ...match, hasLabel: () => true };
  if (!detector.verify(bytes, start, named)) return rejectMatch(match, named.rejectReason);
  match.confidence = named.confidence;
  return acceptMatch(match, named.start, named.end, named.reasons | REASON.contextWord);
}

/** On the same line, with no other word between. */
function firstDigit(bytes: Buffer, from: number): number {
  for (let i = from; i < from + MAX_DISTANCE; i++) {
    const byte = bytes[i]!;
    if (isDigit(byte)) return i;
    if (byte === 0 || byte === NEWLINE) return -1;
  }
  return -1;
}

function inEveryCase(label: string): string[] {
  return [label, label.toUpperCase(), label[0]!.toUpperCase() + label.slice(1)];
}

/** Three letters suffice for the prefilter, so that all labels share one start filter. */
function beginning(label: string): string {
  return label.slice(0, 3).replaceAll('.', String.raw`\.`);
}
