import { byteSet, CLASS, runEnd, textOf, UPPER } from '../bytes.ts';
import { type Detector, found, type Match } from '../detector.ts';
import { maskInitials } from '../masks.ts';
import { REASON } from '../reasons.ts';
import { readAssignment } from './assignment.ts';

/** Letters of names are ASCII or any byte of a UTF-8 character. */
const WORD = "[A-Z\\x80-\\xff][a-z\\x80-\\xff']+(?:-[A-Z\\x80-\\xff][a-z\\x80-\\xff']+)?";
const HONORIFIC = new RegExp(
  `^(?:(?:Mr|Mrs|Ms|Dr|Prof)\\.? )((?:(?:${WORD}|[A-Z]\\.?) )?(?:(?:van|von|de|da|di|al|bin) )*${WORD}(?: ${WORD})?)`,
);
const FULL = new RegExp(`^${WORD}(?: (?:${WORD}|[A-Z]\\.?|van|von|de|da|di|al|bin)){0,3}$`);
const LABEL =
  /^name$|(?:^|[._-])(?:(?:full|first|last|given|family|middle|maiden|patient|customer|client|employee|member|contact|guardian|student|card ?holder|holder)[ _.-]?name|surname)$/i;
const ONE_WORD = /(?:first|last|given|family|middle|maiden)[ _.-]?name$|surname$/i;
/** What may stand between a separator and its value. */
const LEAD = byteSet('  \t\t==>>\\\\""\'\'``');
const LONGEST_LEAD = 20;
/** What follows "Dr" or stands in a name field and is nobody's name. */
const NOT_NAME =
  /\b(?:Date|Name|Number|Address|Phone|Email|The|This|Unknown|None|Null|True|False|Test|Default|Inc|Ltd|Corp|GmbH|Street|Drive|Road|Server|Service|Database|Table|File|User|Admin)\b/;

export const name: Detector = {
  id: 'NAME',
  title: "Person's name",
  category: 'direct_identifier',
  anchors: [
    ...['Mr', 'Mrs', 'Ms', 'Dr', 'Prof'].map((text) => ({ kind: 'literal', text }) as const),
    { kind: 'assignment', tails: ['ame'] },
  ],
  confidence: 0.55,
  verify(bytes, at, match) {
    return (bytes[at]! & 0x40) !== 0 && bytes[at] !== 0x7b
      ? titled(bytes, at, match)
      : labelled(bytes, at, match);
  },
  mask: maskInitials,
  examples: {
    match: [
      { text: 'Dear Mr. Peter Müller-Lind,', value: 'Peter Müller-Lind' },
      { text: 'seen by Dr Okonkwo today', value: 'Okonkwo' },
      { text: 'Patient name: Maria Santos', value: 'Maria Santos' },
      { text: '{"first_name": "Maria", "x": 1}', value: 'Maria' },
    ],
    not: [
      'Mr Date of arrival',
      '"file_name": "Report Final"',
      '"name": "Production"',
      'name = compute_total',
      'Drive Carefully',
      'Maria Santos',
    ],
  },
};

function titled(bytes: Buffer, at: number, match: Match): boolean {
  const parts = HONORIFIC.exec(textOf(bytes, at, at + 80));
  if (parts === null || NOT_NAME.test(parts[1]!)) return false;
  const end = at + parts[0].length;
  return found(match, end - parts[1]!.length, end, REASON.pattern | REASON.contextWord);
}

function labelled(bytes: Buffer, at: number, match: Match): boolean {
  if (!capitalFollows(bytes, at)) return false;
  const field = readAssignment(bytes, at);
  if (field === null || !LABEL.test(field.name)) return false;
  const end = field.quoted ? field.end : lineEnd(bytes, field.start);
  const value = textOf(bytes, field.start, end);
  if (value.length < 2 || !FULL.test(value) || NOT_NAME.test(value)) return false;
  // One word is a name only where one word is expected.
  if (!value.includes(' ') && !ONE_WORD.test(field.name)) return false;
  match.confidence = 0.6;
  return found(match, field.start, end, REASON.pattern | REASON.contextWord);
}

/** Before anything is made a text: most things that are called a name begin with a small letter. */
function capitalFollows(bytes: Buffer, separator: number): boolean {
  const first = bytes[runEnd(bytes, separator + 1, LONGEST_LEAD, LEAD)]!;
  return first >= 0x80 || CLASS[first] === UPPER;
}

function lineEnd(bytes: Buffer, from: number): number {
  let end = from;
  while (
    end < from + 64 &&
    bytes[end]! >= 0x20 &&
    bytes[end] !== 0x2c &&
    bytes[end] !== 0x3b &&
    bytes[end] !== 0x3c
  )
    end++;
  while (end > from && bytes[end - 1] === 0x20) end--;
  return end;
}
