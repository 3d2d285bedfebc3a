import { textOf } from '../../bytes.ts';
import { acceptMatch, type Detector, rejectMatch } from '../../detector.ts';
import { maskMiddle } from '../../masks.ts';
import { REASON } from '../../reasons.ts';

/** Device identifier, then production identifiers: made on, expires, lot, serial number. */
const SHAPE = /^\(01\)(\d{14})(?: ?\((?:11|13|15|17)\)\d{6}| ?\((?:10|21|240)\)[A-Za-z0-9/._-]{1,20}){0,5}/;

const MAX_LENGTH = 160;

export const udi: Detector = {
  id: 'UDI',
  title: 'Unique device identifier of a medical device (GS1)',
  category: 'health_info',
  strength: 'checksum',
  regulations: ['hipaa'],
  risk: 5,
  prefilters: [{ pattern: String.raw`\(01\)\d{14}` }],
  confidence: 0.6,
  context: {
    words: ['udi', 'device', 'device identifier', 'implant', 'implanted', 'serial', 'gtin', 'pacemaker'],
  },
  verify(bytes, at, match) {
    const written = SHAPE.exec(textOf(bytes, at, at + MAX_LENGTH));
    if (written === null) return rejectMatch(match, 'form');
    if (!gs1Checks(written[1]!)) return rejectMatch(match, 'check digit');
    // Pallets are labelled the same way; a serial number relates the device to a person.
    if (written[0].includes('(21)')) match.confidence = 0.85;
    return acceptMatch(match, at, at + written[0].length, REASON.structure | REASON.checksum);
  },
  mask: (value) => maskMiddle(value, 6, 2),
  examples: {
    match: [
      '(01)00844588003288(17)141120(10)7654321D(21)10987654d321',
      '(01)00844588003288',
      { text: 'UDI (01)00844588003288(21)A2938 implanted left', value: '(01)00844588003288(21)A2938' },
    ],
    not: ['(01)00844588003289', '(02)00844588003288', '(01)0084458800328', '01 00844588003288'],
  },
};

/** GS1 (EAN, UPC, GTIN, SSCC): weights 3 and 1 from the right, the sum with the check digit ends in 0. */
function gs1Checks(digits: string): boolean {
  let sum = 0;
  for (let i = 0; i < digits.length; i++) {
    const weight = (digits.length - i) % 2 === 0 ? 3 : 1;
    sum += weight * (digits.charCodeAt(i) - 48);
  }
  return /^\d+$/.test(digits) && sum % 10 === 0;
}
