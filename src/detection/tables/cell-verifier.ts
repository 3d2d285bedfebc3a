/** Runs the verifier of a detector on a cell alone, as if a label preceded it: the name of the column is one. */
import { type Detector, LOOKAHEAD_BYTES, LOOKBEHIND_BYTES, type Match } from '../detector.ts';

const MAX_CELL = 512;
const MIN_SHARE = 0.8;
/** One for all: a cell is verified at once. Zeros surround it. */
const scratch = Buffer.alloc(LOOKBEHIND_BYTES + MAX_CELL + LOOKAHEAD_BYTES);
let dirty = 0;
const match: Match = {
  ...{ start: 0, end: 0, confidence: 0, reasons: 0, rejectReason: '', entropy: 0 },
  hasLabel: () => true,
};

/** The match if it covers most of the text, else null; valid until the next call. */
export function verifyCell(detector: Detector, text: string): Match | null {
  return inScratch(text, (bytes, from, length) => {
    match.confidence = detector.confidence;
    match.reasons = 0;
    match.entropy = 0;
    if (!detector.verify(bytes, from, match)) return null;
    return match.start <= from + length / 5 && match.end - match.start >= MIN_SHARE * length ? match : null;
  });
}

/** Reads a text that stands alone, in UTF-8. */
export function inScratch<T>(text: string, read: (bytes: Buffer, from: number, length: number) => T): T {
  const from = LOOKBEHIND_BYTES;
  const length = scratch.write(text.slice(0, MAX_CELL / 4), from);
  if (length < dirty) scratch.fill(0, from + length, from + dirty);
  dirty = length;
  return read(scratch, from, length);
}
