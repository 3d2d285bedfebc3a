import { DASH, isDigit, SPACE, standsAlone, textOf } from '../../bytes.ts';
import { ssnIssuable, ssnLooksTyped } from '../../checks/national/north-america.ts';
import { acceptMatch, type Detector, type Match, rejectMatch } from '../../detector.ts';
import { maskMiddle } from '../../masks.ts';
import { REASON } from '../../reasons.ts';

export const ssn: Detector = {
  id: 'SSN',
  title: 'US Social Security number',
  category: 'direct_identifier',
  strength: 'format',
  country: 'US',
  regulations: ['gdpr', 'ccpa', 'hipaa', 'glba', 'ferpa'],
  risk: 10,
  prefilters: [
    { pattern: String.raw`\b\d{3}-\d{2}-\d{4}\b` },
    { pattern: String.raw`\b\d{3} \d{2} \d{4}\b`, labelled: true },
    { pattern: String.raw`\b\d{9}\b`, labelled: true },
  ],
  confidence: 0.85,
  context: {
    words: ['ssn', 'social security', 'soc sec', 'social insurance', 'tax payer id', 'tin', 'itin'],
    avoid: ['tracking', 'order', 'invoice', 'part', 'sku', 'version', 'serial'],
  },
  verify(bytes, at, match) {
    const separator = bytes[at + 3]!;
    if (separator === DASH || separator === SPACE) return separated(bytes, at, separator, match);
    return digitsFrom(bytes, at, 9) && accept(bytes, at, at + 9, true, match);
  },
  mask: (value) => maskMiddle(value, 0, 4),
  examples: {
    match: [
      '123-45-6789',
      { text: 'SSN: 536-22-8741.', value: '536-22-8741' },
      { text: 'social security number 536228741', value: '536228741' },
      { text: 'my ssn is 536 22 8741', value: '536 22 8741' },
      { text: '536228741', field: 'employeeSSN' },
    ],
    not: [
      '078-05-1120',
      '219-09-9999',
      '000-12-3456',
      '666-12-3456',
      '900-12-3456',
      '123-00-4567',
      '123-45-0000',
      '536228741',
      '536 22 8741',
      '1536-22-8741',
      '536-22-87412',
      '2024-536-22-8741',
    ],
  },
};

function separated(bytes: Buffer, at: number, separator: number, match: Match): boolean {
  if (bytes[at + 6] !== separator || !digitsFrom(bytes, at, 3)) return false;
  if (!digitsFrom(bytes, at + 4, 2) || !digitsFrom(bytes, at + 7, 4)) return false;
  // Columns of numbers sometimes look like "123 45 6789", but dashes don't occur by chance.
  return accept(bytes, at, at + 11, separator === SPACE, match);
}

function accept(bytes: Buffer, start: number, end: number, bare: boolean, match: Match): boolean {
  if (!standsAlone(bytes, start, end)) return rejectMatch(match, 'stands alone');
  if (bare && !match.hasLabel(start)) return rejectMatch(match, 'label');
  const digits = textOf(bytes, start, end).replace(/\D/g, '');
  if (!ssnIssuable(digits)) return rejectMatch(match, 'issued areas');
  const typed = ssnLooksTyped(digits);
  if (typed) match.confidence = 0.5;
  return acceptMatch(match, start, end, REASON.pattern | (typed ? REASON.testValue : 0));
}

function digitsFrom(bytes: Buffer, from: number, count: number): boolean {
  for (let i = from; i < from + count; i++) if (!isDigit(bytes[i]!)) return false;
  return true;
}
