import { isAlnum, isDigit, standsAlone, textOf } from '../../bytes.ts';
import { isZipOf } from '../../checks/zip-code.ts';
import { acceptMatch, type Detector, rejectMatch } from '../../detector.ts';
import { maskMiddle } from '../../masks.ts';
import { mayStandAlone } from '../../pattern/may-begin.ts';
import { REASON } from '../../reasons.ts';

/** The written forms, longest first: Brazil, United States, Great Britain, Canada, Netherlands, Poland, … and plain digits. */
const CODE =
  /^(?:\d{5}-\d{3,4}|\d{4}-\d{3}|[A-Z]{1,2}\d[A-Z\d]? ?\d[A-Z]{2}|[A-Z]\d[A-Z] ?\d[A-Z]\d|\d{4} ?[A-Z]{2}|\d{2}-\d{3}|\d{3} \d{2,3}|(?:[A-Z]{1,2}-)\d{4,5}|\d{3,7})(?![A-Za-z0-9])/;
const STATES =
  'A[KLRZ]|C[AOT]|D[CE]|FL|GA|HI|I[ADLN]|K[SY]|LA|M[ADEINOST]|N[CDEHJMVY]|O[HKR]|PA|PR|RI|S[CD]|T[NX]|UT|V[AT]|W[AIVY]';
const STATE_ZIP = new RegExp(`^(?:${STATES}),? (\\d{5}(?:-\\d{4})?)(?![\\d-])`);
/** "in Paris 75002", "in Wrocław 53-320": four digits would be a year. */
const TOWN =
  /^in (?:[A-Z\x80-\xff][A-Za-z\x80-\xff'-]* (?:(?:de|do|da|di|del|la|le|am|an|der|nad|u|upon) ){0,2}){1,4}(\d{5}(?:-\d{3})?|\d{4}-\d{3}|\d{2}-\d{3}|\d{4} [A-Z]{2}|\d{3} \d{2})(?![\d.,-]\d|[\dA-Za-z])/;
const BRITISH =
  /^(?:GIR ?0AA|[A-PR-UWYZ](?:\d{1,2}|[A-HK-Y]\d(?:\d|[ABEHMNPRV-Y])?|\d[A-HJKPS-UW]) \d[ABD-HJLNP-UW-Z]{2})(?![A-Za-z0-9])/;
/** How each of these begins: a state and its code, a town, codes by themselves, the British ones. */
const begins = mayStandAlone([
  String.raw`[A-Z]{2},? \d{5}`,
  'in [^a-z0-9]',
  String.raw`[A-Z]{1,2}\d[A-Z\d]? ?\d[A-Z]{2}|[A-Z]\d[A-Z] ?\d[A-Z]\d|(?:[A-Z]{1,2}-)\d{4,5}`,
  String.raw`\d{5}-\d{3,4}|\d{4}-\d{3}|\d{4} ?[A-Z]{2}|\d{2}-\d{3}|\d{3} \d{2,3}`,
  String.raw`\d{3,7}`,
  String.raw`GIR ?0AA|[A-Z]{1,2}\d[A-Z0-9]? \d[A-Z]{2}`,
]);
const MAY_BE_STATE = 1;
const MAY_BE_TOWN = 2;
const MAY_BE_CODE = 4 | 8 | 16;
const MAY_BE_BRITISH = 32;

export const postalCode: Detector = {
  id: 'POSTAL_CODE',
  title: 'Postal code',
  category: 'quasi_identifier',
  strength: 'context',
  regulations: ['gdpr', 'hipaa'],
  risk: 2,
  prefilters: [
    { pattern: String.raw`\b[A-Z]{2},? \d{5}` },
    { pattern: String.raw`\b[A-Z]{1,2}\d[A-Z0-9]? \d[A-Z]{2}\b` },
    { pattern: String.raw`\b\d{3,7}\b`, labelled: true },
    { pattern: String.raw`\b\d{5}-\d`, labelled: true },
    { pattern: String.raw`\b\d{2}-\d{3}\b`, labelled: true },
    { pattern: String.raw`\b[A-Z]{1,2}\d[A-Z0-9]{0,2} ?\d`, labelled: true },
    { pattern: String.raw`\b[A-Z]{1,2}-\d{4}`, labelled: true },
  ],
  confidence: 0.7,
  context: {
    words: [
      ...[
        'zip',
        'zip code',
        'postal code',
        'post code',
        'postal',
        'plz',
        'postleitzahl',
        'code postal',
        'cap',
        'cep',
      ],
      ...[
        'código postal',
        'codigo postal',
        'postnummer',
        'postnr',
        'kod pocztowy',
        'pin code',
        'irsz',
        'psč',
      ],
    ],
    adjacent: ['zip', 'postal', 'plz', 'cap', 'cep', 'irsz'],
    avoid: ['error code', 'zip file', 'unzip', 'archive'],
  },
  verify(bytes, at, match) {
    if (isAlnum(bytes[at - 1]!)) return rejectMatch(match, 'stands alone');
    const forms = begins.at(bytes, at);
    if (forms === 0) return rejectMatch(match, 'label or form');
    const text = textOf(bytes, at, at + 48);
    const state = (forms & MAY_BE_STATE) === 0 ? null : STATE_ZIP.exec(text);
    if (state !== null) {
      // "PR 27441" is the number of a report: without a town before it, the code must be one of the state.
      if (!afterTown(bytes, at) && !isZipOf(state[0].slice(0, 2), state[1]!) && !match.hasLabel(at))
        return rejectMatch(match, 'code of another state');
      const end = at + state[0].length;
      return acceptMatch(match, end - state[1]!.length, end, REASON.pattern);
    }
    const town = (forms & MAY_BE_TOWN) === 0 ? null : TOWN.exec(text);
    if (town !== null) {
      // "in Room 12345" is written the same way.
      match.confidence = 0.4;
      const end = at + town[0].length;
      return acceptMatch(match, end - town[1]!.length, end, REASON.pattern);
    }
    const code = (forms & MAY_BE_CODE) === 0 ? 0 : codeEnd(bytes, at, text);
    if (code > 0 && match.hasLabel(at)) return acceptMatch(match, at, code, REASON.pattern);
    const british = (forms & MAY_BE_BRITISH) === 0 ? 0 : britishEnd(bytes, at, text);
    return british > 0
      ? acceptMatch(match, at, british, REASON.pattern)
      : rejectMatch(match, 'label or form');
  },
  mask: (value) => maskMiddle(value, 2, 0),
  examples: {
    match: [
      { text: 'ZIP: 10118', value: '10118' },
      { text: 'Springfield, IL 62704-1234', value: '62704-1234' },
      { text: 'my zip code is 90010-170', value: '90010-170' },
      { text: 'Postleitzahl 5034', value: '5034' },
      { text: 'London SW1A 1AA', value: 'SW1A 1AA' },
      { text: '94107', field: 'zipcode' },
      { text: 'ship_zip=94107', value: '94107' },
      { text: '20121', field: 'CAP' },
    ],
    not: [
      '10118',
      'ERROR 62704 of',
      'XX 62704',
      'zip file 10118.zip',
      'in March 2020',
      'part SW1A-1AA',
      '#define KVM_CAP_HYPERV_SYNIC2 148',
      '\tPR 27160',
      'Task ID 15788',
      'Use ID 65535 as a sentinel',
      '"<BASE>";"<CAP>";<U13DB>',
      'Cap fdsize to 1024',
      'caps-1.ps.ref.png | Bin 0 -> 1195 bytes',
    ],
  },
};

/** "Springfield, IL": a comma after a word. */
function afterTown(bytes: Buffer, at: number): boolean {
  return /[A-Za-z.\x80-\xff],\s{1,3}$/.test(textOf(bytes, at - 6, at));
}

/** Returns 0 if there is no code at word boundaries. */
function codeEnd(bytes: Buffer, at: number, text: string): number {
  const end = at + (CODE.exec(text)?.[0].length ?? 0);
  return end > at && standsAlone(bytes, at, end) ? end : 0;
}

function britishEnd(bytes: Buffer, at: number, text: string): number {
  if (isDigit(bytes[at - 2]!)) return 0;
  const end = at + (BRITISH.exec(text)?.[0].length ?? 0);
  return end > at && standsAlone(bytes, at, end) ? end : 0;
}
