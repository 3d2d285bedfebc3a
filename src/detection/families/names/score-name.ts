import { CLASS, SPACE, textOf, UPPER } from '../../bytes.ts';
import { acceptMatch, type Match, rejectMatch } from '../../detector.ts';
import { REASON } from '../../reasons.ts';
import { announced, cueOf, isPlaced } from './name-cues.ts';
import { isCapital, mayBeName, nameConfidence, type PersonName, parseName } from './person-name.ts';
import { isPlausibleName } from './plausible-name.ts';

const LONE_NAME_CONFIDENCE = 0.36;
const PROSE_CONFIDENCE = 0.5;

/** Parses the name that begins here if one of its words is known or a cue precedes it. */
export function parseLikelyName(bytes: Buffer, start: number, match: Match): boolean {
  if (!isCapital(bytes, start)) return rejectMatch(match, 'small letter');
  // Rejects everyday words and unknown words without a cue, which are most candidates.
  if (!mayBeName(bytes, start) && !announced(bytes, start))
    return rejectMatch(match, 'words not known as names');
  const written = parseName(bytes, start);
  return written === null ? rejectMatch(match, 'everyday words') : scoreName(bytes, written, match);
}

/** Sets the confidence from the name's words, the cues before and after it, and the sentence around it. */
export function scoreName(bytes: Buffer, written: PersonName, match: Match): boolean {
  const own = ownConfidence(bytes, written);
  if (CLASS[bytes[written.end]!] !== 0 || isPart(bytes, written))
    return rejectMatch(match, 'part of a longer name');
  const cue = cueOf(bytes, written, own);
  const confidence = cue === 0 ? own : Math.max(own, own === 0 ? cue - 0.05 : own) + (own === 0 ? 0 : 0.2);
  if (confidence < 0.3 || (own === 0 && cue === 0)) return rejectMatch(match, 'words not known as names');
  const isPlausible = confidence < PROSE_CONFIDENCE && isPlausibleName(bytes, written);
  match.confidence = isPlausible ? PROSE_CONFIDENCE : Math.min(confidence, 0.85);
  return acceptMatch(match, written.start, written.end, REASON.pattern | (cue > 0 ? REASON.contextWord : 0));
}

function ownConfidence(bytes: Buffer, written: PersonName): number {
  const own = nameConfidence(written);
  return own > 0 && own <= LONE_NAME_CONFIDENCE && isPlaced(bytes, written) ? 0 : own;
}

/** Maria Santos Street, Johnson Ltd: the name of something else. */
const OTHER =
  /^ (?:Street|St|Road|Rd|Avenue|Ave|Lane|Drive|Court|Square|Park|Bridge|University|College|School|Hospital|Airport|Beach|City|County|Island|River|Lake|Inc|Ltd|LLC|Corp|GmbH|Group|Foundation|Institute|Award|Prize|Orchestra|Museum)\b/;

function isPart(bytes: Buffer, { start, end }: PersonName): boolean {
  if (bytes[end] === SPACE && CLASS[bytes[end + 1]!] === UPPER && OTHER.test(textOf(bytes, end, end + 14)))
    return true;
  const before = bytes[start - 1]!;
  return (
    before === 0x2f ||
    before === 0x40 ||
    before === 0x2e ||
    before === 0x5f ||
    before === 0x23 ||
    before === 0x5c
  );
}
