import { byteSet, isAlnum, runEnd, textOf } from '../../bytes.ts';
import { acceptMatch, type Detector, rejectMatch } from '../../detector.ts';
import { isCapital, parseName } from '../../families/names/person-name.ts';
import { maskInitials } from '../../masks.ts';
import { REASON } from '../../reasons.ts';

const NAMED = /maiden[ _-]?name["'\])]{0,2} ?$/i;
const LEAD = byteSet('  ""\'\'');
const BORN = 5; // née and a blank, in bytes

/** A common security question for password recovery. */
export const maidenName: Detector = {
  id: 'MAIDEN_NAME',
  title: "Maiden name (somebody's own or the mother's)",
  category: 'direct_identifier',
  strength: 'context',
  regulations: ['gdpr', 'ccpa', 'glba', 'hipaa'],
  risk: 6,
  prefilters: [
    { assigned: ['maidenname', 'n_name', 'n-name', 'n name'] },
    { pattern: String.raw`\bnée [A-Z]` },
  ],
  confidence: 0.75,
  verify(bytes, at, match) {
    const named = !isAlnum(bytes[at]!);
    const start = named ? runEnd(bytes, at + 1, 4, LEAD) : at + BORN;
    if (!isCapital(bytes, start)) return rejectMatch(match, 'no name');
    if (named && !NAMED.test(textOf(bytes, at - 20, at))) return rejectMatch(match, 'label');
    const written = parseName(bytes, start);
    return written !== null && written.start === start
      ? acceptMatch(match, written.start, written.end, REASON.pattern | REASON.contextWord)
      : rejectMatch(match, 'no name');
  },
  mask: maskInitials,
  examples: {
    match: [
      { text: "Mother's maiden name: Harkness", value: 'Harkness' },
      { text: 'Anna Berg, née Lindqvist.', value: 'Lindqvist' },
      { text: '"mothers_maiden_name": "Harkness"', value: 'Harkness' },
    ],
    not: ['Harkness', 'maiden name unknown', 'the maiden voyage of Harkness'],
  },
};
