import { isAlnum, standsAlone, textOf } from '../../bytes.ts';
import { acceptMatch, type Detector, rejectMatch } from '../../detector.ts';
import { maskMiddle } from '../../masks.ts';
import { REASON } from '../../reasons.ts';

/** The last category of each letter's chapters; 99 if not listed. */
const LAST: Readonly<Record<string, number>> = { E: 90, H: 95, K: 95, P: 96, T: 98, U: 99 };
const SHAPE = /^[A-Z]\d[0-9AB](?:\.?[0-9A-TV-Z]{1,4})?$/;

const CODE = /^[A-Z]\d[0-9AB](?:\.[0-9A-TV-Z]{1,4}|[0-9A-TV-Z]{1,4})?/;

/** The description next to a code: "E11.9 Type 2 diabetes", "asthma (J45.909)". */
const DESCRIPTION =
  /(?:itis|osis|emia|opathy|algia|plegia|penia|carcinoma|lymphoma)\b|diabet|hypertens|pneumon|asthma|disorder|disease|syndrome|fracture|infection|neoplasm|deficiency|heart failure|infarct|depressi|anxiety|\bpain\b|injury|pregnan|cancer|migraine|epilep|obes|covid|influenza|hypothyr|without complication/i;

const BEFORE = 40;

const AFTER = 64;

export const diagnosis: Detector = {
  id: 'DIAGNOSIS',
  title: 'Diagnosis code (ICD-10)',
  category: 'health_info',
  strength: 'context',
  regulations: ['hipaa', 'gdpr'],
  risk: 8,
  notIn: ['assembly'],
  prefilters: [
    { pattern: String.raw`\b[A-Z]\d[0-9AB]\.[0-9A-Z]{1,4}\b` },
    { pattern: String.raw`\b[A-Z]\d[0-9AB]`, labelled: true },
  ],
  confidence: 0.8,
  context: {
    words: [
      'icd',
      'icd 10',
      'icd10',
      'icd code',
      'icd 10 cm',
      'diagnosis',
      'diagnoses',
      'diagnosis code',
      'dx',
      'dx code',
      'diag',
      'diagnostic code',
      'diagnose',
      'diagnostico',
    ],
    adjacent: ['dx', 'diag'],
  },
  verify(bytes, at, match) {
    const code = CODE.exec(textOf(bytes, at, at + 8))?.[0];
    if (code === undefined || !icd10Shaped(code)) return rejectMatch(match, 'code');
    const end = at + code.length;
    if (!standsAlone(bytes, at, end)) return rejectMatch(match, 'stands alone');
    if (match.hasLabel(at)) return acceptMatch(match, at, end, REASON.pattern);
    if (code[3] !== '.' || !described(bytes, at, end)) return rejectMatch(match, 'label or description');
    match.confidence = 0.65;
    return acceptMatch(match, at, end, REASON.pattern);
  },
  mask: (value) => maskMiddle(value, 1, 0),
  examples: {
    match: [
      { text: 'ICD-10: E11.9', value: 'E11.9' },
      { text: 'dx I10 essential hypertension', value: 'I10' },
      { text: 'J45.909 Unspecified asthma, uncomplicated', value: 'J45.909' },
      { text: 'admitted with influenza (J10.1)', value: 'J10.1' },
      { text: 'F329', field: 'diagnosis_code' },
    ],
    not: [
      'E11.9',
      'version B12.3 of the board',
      'diagnosis E99.1',
      'ICD-10: E1.9',
      'see figure A12.4 below',
      'MOVQ DX, R10',
      'ADCQ DX, R12',
    ],
  },
};

/** On the same line, directly before or after the code. */
function described(bytes: Buffer, start: number, end: number): boolean {
  const after = /^[ \t]{0,2}[:,;)|-]?[ \t]{0,2}[A-Za-z(][^\n]*/.exec(textOf(bytes, end, end + AFTER))?.[0];
  if (after !== undefined && !isAlnum(bytes[end]!) && DESCRIPTION.test(after)) return true;
  const before = /[^\n]*[(:,|-] ?$/.exec(textOf(bytes, start - BEFORE, start))?.[0];
  return before !== undefined && DESCRIPTION.test(before);
}

/** ICD-10 in its clinical modifications: letter, category, and after the dot up to four more characters (the last may be a letter). */
function icd10Shaped(code: string): boolean {
  if (!SHAPE.test(code)) return false;
  const category = Number.parseInt(code.slice(1, 3), 10);
  // A and B in the third position are rare: C4A, C7A, C7B, D3A, M1A, O9A, Z3A.
  if (/[AB]/.test(code[2]!)) return /^(?:C4A|C7A|C7B|D3A|M1A|O9A|Z3A)/.test(code);
  return category <= (LAST[code[0]!] ?? 99);
}
