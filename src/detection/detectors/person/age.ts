import { CLASS, DOT, isAlnum, isDigit, textOf } from '../../bytes.ts';
import { acceptMatch, type Detector, rejectMatch } from '../../detector.ts';
import { REASON } from '../../reasons.ts';

const OLDEST = 120;
/** What follows the number of years of a person. */
const YEARS =
  /^(?:[- ]years?[- ](?:old|of age)| ?y\/o\b| ?yo\b| ?yrs?\.?[- ]old| ans\b| años\b| anos\b| anni\b| Jahre alt| jaar oud|-jährig|[- ]year[- ]old)/i;
const BEFORE =
  /(?:(?:^|[^-\w]|patient_|customer_|user_)age[sd]?(?: of| is| was|:| =|=|"?: ?"?)? ?|\b(?:just |has |have |recently )turned |\b(?:will|'ll|to|about to) turn |\bturn(?:s|ing) |\bwhen (?:he|she|i|they) (?:was|were) |\bat the age of )$/i;
/** A limit, a range, the age of software, a version: no person has it. */
const OTHER_BEFORE =
  /(?:\b(?:under|over|minimum|min|max|maximum|below|above|than|least)(?: the)? age(?: of)? |\d(?: to |[–-])|\d is (?:over |about )?|\bfile_?age\W{1,3}|'age=)$/i;
/** An angle, a score, a price. */
const OTHER = /^(?:[%°:/]| ?(?:degrees|percent|minutes|hours|days|weeks|months|km|miles|points|times|%))/i;

export const age: Detector = {
  id: 'AGE',
  title: 'Age of a person',
  category: 'quasi_identifier',
  strength: 'context',
  regulations: ['gdpr', 'hipaa', 'ferpa'],
  risk: 2,
  prefilters: [
    { pattern: String.raw`\b\d{1,3}[- ]years?[- ]o` },
    { pattern: String.raw`\b\d{1,3} ?y/o` },
    { pattern: String.raw`\b\d{1,3} ?(?:yo|yrs) ` },
    { pattern: String.raw`\b\d{2}`, labelled: true },
  ],
  confidence: 0.7,
  context: {
    words: [
      ...[
        'age',
        'aged',
        'age of',
        'years of age',
        'turn',
        'turned',
        'turning',
        'when he was',
        'when she was',
      ],
      ...['patient age', 'alter', 'edad', 'âge', 'idade'],
    ],
    avoid: ['average', 'page', 'stage', 'usage', 'version'],
  },
  verify(bytes, from, match) {
    const at = firstDigit(bytes, from);
    if (isAlnum(bytes[at - 1]!) || bytes[at - 1] === DOT || bytes[at - 1] === 0x24)
      return rejectMatch(match, 'stands alone');
    let end = at;
    while (end < at + 4 && isDigit(bytes[end]!)) end++;
    if (!mayBeYears(bytes, end) && !match.hasLabel(at)) return rejectMatch(match, 'label');
    const years = Number(textOf(bytes, at, end));
    if (end === at || years > OLDEST || (end - at > 1 && bytes[at] === 0x30))
      return rejectMatch(match, 'number of years');
    if (OTHER_BEFORE.test(textOf(bytes, at - 24, at))) return rejectMatch(match, 'limit, range or version');
    const after = textOf(bytes, end, end + 14);
    if (YEARS.test(after)) return acceptMatch(match, at, end, REASON.pattern);
    if (CLASS[bytes[end]!] !== 0 || (bytes[end] === DOT && isDigit(bytes[end + 1]!)) || OTHER.test(after))
      return rejectMatch(match, 'stands alone');
    if (BEFORE.test(textOf(bytes, at - 24, at)))
      return acceptMatch(match, at, end, REASON.pattern | REASON.contextWord);
    if (!isCell(bytes, at, end) || !match.hasLabel(at)) return rejectMatch(match, 'label');
    return acceptMatch(match, at, end, REASON.pattern);
  },
  mask: () => '••',
  examples: {
    match: [
      { text: 'she is 79 years old', value: '79' },
      { text: 'a 45-year-old man', value: '45' },
      { text: 'aged 31, of Leeds', value: '31' },
      { text: 'age: 60', value: '60' },
      { text: 'just turned 47.', value: '47' },
      { text: '34', field: 'Age' },
    ],
    not: [
      '45 minutes',
      'turned 90 degrees',
      'the 150 years old oak',
      'page 31',
      'version 3 years',
      '34',
      'on average 45 units',
      'max-age=60',
      'children under age 13',
      '# 30 to 40 years old',
      '2.69 is over 6 years old',
      "'age=11' => 'Age/V110'",
    ],
  },
};

/** The candidate may be the word before the number. */
function firstDigit(bytes: Buffer, from: number): number {
  let at = from;
  while (at < from + 14 && !isDigit(bytes[at]!)) at++;
  return at;
}

/** A whole cell, whose column name may be a label. */
function isCell(bytes: Buffer, start: number, end: number): boolean {
  return isBorder(bytes[start - 1]!) && isBorder(bytes[end]!);
}

/** Of cells: quotes are around all sorts of numbers. */
function isBorder(byte: number): boolean {
  return (
    byte === 0 || byte === 9 || byte === 10 || byte === 13 || byte === 0x2c || byte === 0x3b || byte === 0x7c
  );
}

/** "79 years", "45-year-old", "31y/o": most numbers are followed by something else. */
function mayBeYears(bytes: Buffer, end: number): boolean {
  return (bytes[end]! | 32) === 0x79 || (bytes[end + 1]! | 32) === 0x79;
}
