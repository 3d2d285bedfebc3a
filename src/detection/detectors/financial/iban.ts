import { byteSet, CLASS, isAlnum, runEnd, SPACE, UPPER } from '../../bytes.ts';
import { ibanChecksAt, ibanLengthAt } from '../../checks/iban.ts';
import { acceptMatch, type Detector, rejectMatch } from '../../detector.ts';
import { maskMiddle } from '../../masks.ts';
import { REASON } from '../../reasons.ts';

export const iban: Detector = {
  id: 'IBAN',
  title: 'International bank account number',
  category: 'financial',
  strength: 'checksum',
  regulations: ['gdpr', 'glba', 'ccpa'],
  risk: 8,
  prefilters: [
    { pattern: String.raw`\b[A-Z]{2}\d\d[A-Z0-9]{11,30}\b` },
    { pattern: String.raw`\b[a-z]{2}\d\d[a-z0-9]{11,30}\b` },
    { pattern: String.raw`\b[A-Z]{2}\d\d [A-Z0-9]{4} [A-Z0-9]{4}` },
  ],
  confidence: 0.95,
  verify(bytes, at, match) {
    if (CLASS[bytes[at]!]! < 2 || CLASS[bytes[at + 1]!]! < 2 || isAlnum(bytes[at - 1]!)) return false;
    if (CLASS[bytes[at + 2]!] !== 1 || CLASS[bytes[at + 3]!] !== 1) return false;
    const length = ibanLengthAt(bytes, at);
    if (length === 0) return rejectMatch(match, 'country');
    const spaced = bytes[at + 4] === SPACE;
    const end = at + length + (spaced ? Math.floor((length - 1) / 4) : 0);
    if (isAlnum(bytes[end]!)) return rejectMatch(match, 'length of its country');
    if (!(spaced ? isSpaced(bytes, at, end) : isCompact(bytes, at, end))) return rejectMatch(match, 'form');
    if (!ibanChecksAt(bytes, at, end)) return rejectMatch(match, 'check digits');
    return acceptMatch(match, at, end, REASON.pattern | REASON.checksum);
  },
  mask: (value) => maskMiddle(value, 4, 4),
  examples: {
    match: [
      'GB82WEST12345698765432',
      'GB82 WEST 1234 5698 7654 32',
      { text: 'IBAN DE89 3704 0044 0532 0130 00, thanks', value: 'DE89 3704 0044 0532 0130 00' },
      'FR1420041010050500013M02606',
      'NO9386011117947',
      'nl91abna0417164300',
    ],
    not: [
      'GB82WEST12345698765433',
      'GB82 WEST 1234 5698 7654 33',
      'GB82WEST1234569876543',
      'XX82WEST12345698765432',
      'AGB82WEST12345698765432',
      'GB82WEST123456987654321',
    ],
  },
};

const CAPITALS = byteSet('AZ09');
const SMALL = byteSet('az09');

/** In one piece, and in one case. */
function isCompact(bytes: Buffer, at: number, end: number): boolean {
  const set = CLASS[bytes[at]!] === UPPER ? CAPITALS : SMALL;
  return runEnd(bytes, at, end - at, set) === end;
}

/** In capitals, with a blank after every fourth. */
function isSpaced(bytes: Buffer, at: number, end: number): boolean {
  for (let i = at; i < end; i++) {
    const blank = (i - at) % 5 === 4;
    if (blank ? bytes[i] !== SPACE : CAPITALS[bytes[i]!] === 0) return false;
  }
  return true;
}
