import { byteSet, isAlnum, runEnd, textOf } from '../bytes.ts';
import { base58Checks } from '../checks/base58check.ts';
import { bech32Checks } from '../checks/bech32.ts';
import { type Detector, found } from '../detector.ts';
import { maskMiddle } from '../masks.ts';
import { REASON } from '../reasons.ts';

const ALNUM = byteSet('azAZ09');
const BASE58 = byteSet('azAZ19');
for (const letter of 'OIl') BASE58[letter.charCodeAt(0)] = 0;

export const bitcoinAddress: Detector = {
  id: 'BITCOIN_ADDRESS',
  title: 'Bitcoin address',
  category: 'financial',
  anchors: [
    { kind: 'token', made: ['Uld', 'ld', 'Ud'], length: [26, 35] },
    { kind: 'literal', text: 'bc1' },
  ],
  confidence: 0.95,
  verify(bytes, at, match) {
    const first = bytes[at]!;
    if (isAlnum(bytes[at - 1]!) || (first !== 0x31 && first !== 0x33 && first !== 0x62)) return false;
    const end = runEnd(bytes, at, 64, ALNUM);
    // Most that come by are hashes, and most hashes have a zero.
    if (first !== 0x62 && runEnd(bytes, at, 64, BASE58) !== end) return false;
    const text = textOf(bytes, at, end);
    const valid = text.startsWith('bc1')
      ? BECH32_LENGTHS.has(text.length) && bech32Checks(text)
      : inBase58(text);
    return valid && found(match, at, end, REASON.pattern | REASON.checksum);
  },
  mask: (value) => maskMiddle(value, 3, 2),
  examples: {
    match: [
      '1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa',
      '3J98t1WpEZ73CNmQviecrnyiWrnqRhWNLy',
      'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4',
    ],
    not: [
      '1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNb',
      '3J98t1WpEZ73CNmQviecrnyiWrnqRhWNLyy',
      'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t5',
      'x1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa',
    ],
  },
};

const BECH32_LENGTHS = new Set([42, 62]);

function inBase58(text: string): boolean {
  return text.length >= 26 && text.length <= 35 && /^[13]/.test(text) && base58Checks(text);
}
