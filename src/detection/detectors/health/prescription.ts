import { standsAlone, textOf } from '../../bytes.ts';
import { acceptMatch, type Detector, rejectMatch } from '../../detector.ts';
import { maskMiddle } from '../../masks.ts';
import { REASON } from '../../reasons.ts';

const SHAPE = /^(?:\d{7}-\d{5}|[A-Z]{0,2}\d{6,12})/;
/** "RX" alone is also what network cards receive. */
const LABEL =
  /(?:\brx ?(?:#|no\b|num\b|number|id\b)|prescriptions?(?: ?(?:#|no\b|number|id\b|nr\b))?|\bscript ?(?:#|no\b|number))[^a-z0-9\n]{0,5}(?:is )?$/;

export const prescription: Detector = {
  id: 'PRESCRIPTION',
  title: 'Prescription number',
  category: 'health_info',
  strength: 'context',
  regulations: ['hipaa', 'gdpr'],
  risk: 7,
  prefilters: [
    { pattern: String.raw`\b\d{6,12}\b`, labelled: true },
    { pattern: String.raw`\b[A-Z]{1,2}\d{6,12}\b`, labelled: true },
    { pattern: String.raw`\b\d{7}-\d{5}\b`, labelled: true },
  ],
  confidence: 0.75,
  context: {
    words: [
      'rx',
      'rx no',
      'rx num',
      'rx number',
      'rx id',
      'prescription',
      'prescription no',
      'prescription number',
      'prescription id',
      'script no',
      'script number',
      'refill number',
    ],
  },
  verify(bytes, at, match) {
    const written = SHAPE.exec(textOf(bytes, at, at + 16))?.[0];
    if (written === undefined) return rejectMatch(match, 'form');
    const end = at + written.length;
    if (!standsAlone(bytes, at, end)) return rejectMatch(match, 'stands alone');
    if (!match.hasLabel(at)) return rejectMatch(match, 'label');
    const named = (match.reasons & REASON.fieldName) !== 0;
    if (
      !named &&
      !LABEL.test(
        textOf(bytes, at - 32, at)
          .toLowerCase()
          .replace(/[_"']/g, ' '),
      )
    )
      return rejectMatch(match, 'label beside it');
    return acceptMatch(match, at, end, REASON.pattern);
  },
  mask: (value) => maskMiddle(value, 0, 2),
  examples: {
    match: [
      { text: 'Rx# 4839201', value: '4839201' },
      { text: 'Prescription number: 0048392-10573', value: '0048392-10573' },
      { text: 'Rx No. C1048392', value: 'C1048392' },
      { text: '7720194', field: 'prescription_id' },
    ],
    not: ['4839201', 'RX 4839201 bytes', 'rx packets 4839201', 'Rx# 48392', 'rx: 4839201'],
  },
};
