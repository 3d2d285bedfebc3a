import { textOf } from '../../bytes.ts';
import { cardBrand } from '../../checks/card.ts';
import { luhn } from '../../checks/check-digits.ts';
import { acceptMatch, type Detector, rejectMatch } from '../../detector.ts';
import { maskSecret } from '../../masks.ts';
import { REASON } from '../../reasons.ts';

/** ISO/IEC 7813: number, name, expiry, service code, and discretionary data. */
const TRACK_1 = /^%B(\d{12,19})\^[A-Z .'/-]{2,26}\^\d{2}(?:0[1-9]|1[0-2])\d{3}[A-Z0-9 ^]{0,50}\??/;
const TRACK_2 = /^;(\d{12,19})=\d{2}(?:0[1-9]|1[0-2])\d{3}\d{0,20}\??/;
const MAX_LENGTH = 120;

export const trackData: Detector = {
  id: 'TRACK_DATA',
  title: 'Magnetic stripe of a payment card',
  category: 'financial',
  strength: 'checksum',
  regulations: ['pci', 'glba', 'ccpa'],
  risk: 10,
  prefilters: [{ pattern: String.raw`%B\d{12,19}` }, { pattern: String.raw`;\d{12,19}=\d{7}` }],
  confidence: 0.97,
  verify(bytes, at, match) {
    const text = textOf(bytes, at, at + MAX_LENGTH);
    const track = TRACK_1.exec(text) ?? TRACK_2.exec(text);
    if (track === null) return rejectMatch(match, 'form');
    const number = track[1]!;
    if (!luhn(number) || cardBrand(number) === null) return rejectMatch(match, 'card number');
    return acceptMatch(match, at, at + track[0].trimEnd().length, REASON.structure | REASON.checksum);
  },
  mask: (value) => maskSecret(value),
  examples: {
    match: [
      '%B4539148803436467^DOE/JANE Q^27091011000000000000?',
      ';4539148803436467=27091011000012345678?',
      { text: 'swipe: ;5425233430109903=2811201?', value: ';5425233430109903=2811201?' },
    ],
    not: [
      '%B4539148803436468^DOE/JANE Q^27091011000000000000?',
      ';4539148803436467=27131011000012345678?',
      ';4539148803436467=2709',
      'a;4539148803436460=27091011?',
    ],
  },
};
