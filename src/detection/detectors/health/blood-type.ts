import { byteSet, isAlnum, runEnd, textOf } from '../../bytes.ts';
import { acceptMatch, type Detector, rejectMatch } from '../../detector.ts';
import { adjacentLabel } from '../../families/ids/adjacent-label.ts';
import { maskSecret } from '../../masks.ts';
import { REASON } from '../../reasons.ts';

const WORDS = [
  'blood type',
  'blood group',
  'bloodtype',
  'bloodgroup',
  'abo rh',
  'blutgruppe',
  'groupe sanguin',
  'grupo sanguineo',
  'tipo de sangre',
  'gruppo sanguigno',
  'bloedgroep',
];
const beside = adjacentLabel(WORDS);
const LABEL =
  /(?:blood[ _]?(?:type|group)|abo[ /]rh|blutgruppe|bloedgroep|groupe sanguin|grupo sanguineo|tipo de sangre|gruppo sanguigno)["'\])]{0,2} ?$/i;
const GROUP = byteSet('AABBOO00');
/** What may follow the first letter: the second of AB, how the rest begins, or the end of the value. */
const NEXT = byteSet('\x00/:@[`{\xffBBPPppNNnnRRrr');
const LEAD = byteSet('  ""\'\'');
const SHAPE = /^(?:AB|A|B|O|0)(?: ?(?:[+-]|(?:RhD?|rh) ?[+-]|[Pp]os(?:itive)?|[Nn]eg(?:ative)?))?/;

export const bloodType: Detector = {
  id: 'BLOOD_TYPE',
  title: 'Blood type',
  category: 'health_info',
  strength: 'context',
  regulations: ['hipaa', 'gdpr'],
  risk: 5,
  prefilters: [
    {
      assigned: [
        'dtype',
        'd type',
        'd_type',
        'dgroup',
        'd group',
        'd_group',
        'gruppe',
        'groep',
        'sanguin',
        'anguineo',
        'sangre',
        'anguigno',
      ],
    },
    { pattern: String.raw`\b[ABO0][-+B \n"',;<]`, labelled: 'column' },
  ],
  confidence: 0.75,
  context: { words: WORDS },
  verify(bytes, at, match) {
    const named = !isAlnum(bytes[at]!);
    const start = named ? runEnd(bytes, at + 1, 4, LEAD) : at;
    if (GROUP[bytes[start]!] === 0 || NEXT[bytes[start + 1]!] === 0) return rejectMatch(match, 'form');
    if (named && !LABEL.test(textOf(bytes, at - 28, at))) return rejectMatch(match, 'label');
    const written = SHAPE.exec(textOf(bytes, start, start + 16))?.[0];
    if (written === undefined) return rejectMatch(match, 'form');
    const end = start + written.length;
    if (isAlnum(bytes[start - 1]!) || isAlnum(bytes[end]!)) return rejectMatch(match, 'stands alone');
    if (!named && !(beside(bytes, at, end) && match.hasLabel(at))) return rejectMatch(match, 'label');
    return acceptMatch(match, start, end, REASON.pattern | REASON.contextWord);
  },
  mask: (value) => maskSecret(value),
  examples: {
    match: [
      { text: 'Blood type: O+', value: 'O+' },
      { text: 'blood group = AB negative', value: 'AB negative' },
      { text: '"bloodType": "A-"', value: 'A-' },
      { text: 'B+', field: 'blood_type' },
    ],
    not: ['O+', 'grade: A-', 'blood type C+', 'A blood type test was done', 'blood type unknown'],
  },
};
