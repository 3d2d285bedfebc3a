import { DASH, SPACE, standsAlone, textOf } from '../../bytes.ts';
import { nhsChecks } from '../../checks/national/britain-ireland.ts';
import { acceptMatch, type Detector, rejectMatch } from '../../detector.ts';
import { maskMiddle } from '../../masks.ts';
import { REASON } from '../../reasons.ts';

export const nhsNumber: Detector = {
  id: 'NHS_NUMBER',
  title: 'UK NHS number',
  category: 'health_info',
  strength: 'checksum',
  country: 'GB',
  regulations: ['gdpr'],
  risk: 8,
  prefilters: [
    { pattern: String.raw`\b\d{3}[ -]\d{3}[ -]\d{4}\b`, labelled: true },
    { pattern: String.raw`\b\d{10}\b`, labelled: true },
  ],
  confidence: 0.9,
  context: { words: ['nhs', 'nhs no', 'nhs number', 'patient', 'national health', 'nhs id'] },
  verify(bytes, at, match) {
    const separator = bytes[at + 3]!;
    const spaced = separator === SPACE || separator === DASH;
    if (spaced && bytes[at + 7] !== separator) return rejectMatch(match, 'form');
    const end = spaced ? at + 12 : at + 10;
    // One telephone number in eleven passes the check digit.
    if (!standsAlone(bytes, at, end)) return rejectMatch(match, 'stands alone');
    const written = textOf(bytes, at, end);
    if (!SHAPE.test(written)) return rejectMatch(match, 'form');
    if (!nhsChecks(written.replace(/\D/g, ''))) return rejectMatch(match, 'check digit');
    if (!match.hasLabel(at)) return rejectMatch(match, 'label');
    return acceptMatch(match, at, end, REASON.pattern | REASON.checksum);
  },
  mask: (value) => maskMiddle(value, 0, 2),
  examples: {
    match: [
      { text: 'NHS number 943 476 5919', value: '943 476 5919' },
      { text: 'NHS No: 943-476-5919', value: '943-476-5919' },
      { text: '9434765919', field: 'nhs_number' },
    ],
    not: ['943 476 5919', '9434765919', 'NHS number 943 476 5918', 'NHS number 943 476-5919'],
  },
};

const SHAPE = /^(?:\d{10}|\d{3} \d{3} \d{4}|\d{3}-\d{3}-\d{4})$/;
