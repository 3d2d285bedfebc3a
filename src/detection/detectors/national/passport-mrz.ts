import { byteSet, isAlnum, isDigit, NEWLINE, textOf } from '../../bytes.ts';
import { bookletLineChecks, cardLineChecks, isCardTop } from '../../checks/mrz.ts';
import { acceptMatch, type Detector, type Match, rejectMatch } from '../../detector.ts';
import { maskMiddle } from '../../masks.ts';
import { REASON } from '../../reasons.ts';

const FILLER = 0x3c;
const RETURN = 0x0d;
const SPECIMEN = 'UTO'; // the country of the standard's own examples

/**
 * Machine-readable zones (ICAO 9303) of passports (two lines of 44) and identity cards (three of 30 or two of 36). The line with the
 * check digits is the match; lines with the name are included if they are adjacent.
 */
export const passportMrz: Detector = {
  id: 'PASSPORT_MRZ',
  title: 'Machine readable zone of a passport or card',
  category: 'direct_identifier',
  strength: 'checksum',
  regulations: ['gdpr', 'ccpa'],
  risk: 10,
  prefilters: [
    { pattern: String.raw`\b[A-Z0-9]{2}[A-Z0-9<]{7}\d[A-Z<]{3}\d{7}[MFX<]\d{7}` },
    { pattern: String.raw`\b\d{7}[MFX<]\d{7}[A-Z<]{3}` },
  ],
  confidence: 0.97,
  context: { words: ['mrz', 'passport', 'machine readable'] },
  verify(bytes, at, match) {
    if (isZone(bytes[at - 1]!)) return rejectMatch(match, 'stands alone');
    if (!hasDates(bytes, at + 13) && !hasDates(bytes, at)) return rejectMatch(match, 'form');
    const text = textOf(bytes, at, at + 44);
    for (const length of [44, 36]) {
      if (isZone(bytes[at + length]!) || !bookletLineChecks(text.slice(0, length))) continue;
      const top = lineBefore(bytes, at, length, (line) => /^[PACIV][A-Z<]+$/.test(line));
      return accept(match, top ?? at, at + length, text.slice(10, 13));
    }
    return card(bytes, at, text.slice(0, 30), match);
  },
  mask: (value) => maskMiddle(value, 2, 2),
  examples: {
    match: [
      'P<USADOE<<JANE<MARIE<<<<<<<<<<<<<<<<<<<<<<<<\n5334012882USA8503127F3006151<<<<<<<<<<<<<<02',
      'I<UTOD231458907<<<<<<<<<<<<<<<\n7408122F1204159UTO<<<<<<<<<<<6\nERIKSSON<<ANNA<MARIA<<<<<<<<<<',
      {
        text: 'mrz L898902C36UTO7408122F1204159ZE184226B<<<<<10;',
        value: 'L898902C36UTO7408122F1204159ZE184226B<<<<<10',
      },
      'D231458907UTO7408122F1204159<<<<<<<6',
    ],
    not: [
      'L898902C36UTO7408122F1204159ZE184226B<<<<<11',
      'L898902C37UTO7408122F1204159ZE184226B<<<<<10',
      'L898902C36UTO7413122F1204159ZE184226B<<<<<10',
      'I<UTOD231458907<<<<<<<<<<<<<<<\n7408123F1204159UTO<<<<<<<<<<<6',
      'L898902C36UTO7408122F1204159ZE184226B<<<<<101',
    ],
  },
};

function card(bytes: Buffer, at: number, line: string, match: Match): boolean {
  if (isZone(bytes[at + 30]!)) return rejectMatch(match, 'form');
  const top = lineBefore(bytes, at, 30, isCardTop);
  const first = top === null ? null : textOf(bytes, top, top + 30);
  if (!cardLineChecks(line, first)) return rejectMatch(match, 'check digits');
  return accept(match, top ?? at, nameEnd(bytes, at + 30), line.slice(15, 18));
}

function accept(match: Match, start: number, end: number, country: string): boolean {
  const specimen = country === SPECIMEN;
  if (specimen) match.confidence = 0.5;
  return acceptMatch(match, start, end, REASON.pattern | REASON.checksum | (specimen ? REASON.testValue : 0));
}

/** Where the line before begins, if it is of that length and kind. */
function lineBefore(
  bytes: Buffer,
  at: number,
  length: number,
  kind: (line: string) => boolean,
): number | null {
  if (bytes[at - 1] !== NEWLINE) return null;
  const end = bytes[at - 2] === RETURN ? at - 2 : at - 1;
  const start = end - length;
  return !isZone(bytes[start - 1]!) && kind(textOf(bytes, start, end)) ? start : null;
}

/** The third line of a card contains the name; returns its end, or the position itself. */
function nameEnd(bytes: Buffer, at: number): number {
  const start = bytes[at] === RETURN ? at + 2 : at + 1;
  if (bytes[start - 1] !== NEWLINE || isZone(bytes[start + 30]!)) return at;
  return /^[A-Z<]{30}$/.test(textOf(bytes, start, start + 30)) ? start + 30 : at;
}

/** Birth with its digit, sex, expiry: what both kinds of lines have, by a few of its bytes. */
function hasDates(bytes: Buffer, at: number): boolean {
  return (
    SEX[bytes[at + 7]!] === 1 && isDigit(bytes[at + 6]!) && isDigit(bytes[at + 8]!) && isDigit(bytes[at]!)
  );
}

const SEX = byteSet('MMFFXX<<');

function isZone(byte: number): boolean {
  return isAlnum(byte) || byte === FILLER;
}
