import { BASE64URL, standsAlone, textOf } from '../../bytes.ts';
import { vinChecks } from '../../checks/vin.ts';
import { acceptMatch, type Detector, rejectMatch } from '../../detector.ts';
import { maskMiddle } from '../../masks.ts';
import { REASON } from '../../reasons.ts';

export const vin: Detector = {
  id: 'VIN',
  title: 'Vehicle identification number',
  category: 'quasi_identifier',
  strength: 'checksum',
  regulations: ['gdpr', 'ccpa'],
  risk: 4,
  prefilters: [{ pattern: String.raw`\b[A-HJ-NPR-Z0-9]{17}\b` }],
  confidence: 0.75,
  context: {
    words: ['vin', 'vehicle', 'chassis', 'car'],
    avoid: ['tracking', 'order', 'serial', 'sku', 'key', 'token'],
  },
  verify(bytes, at, match) {
    if (!standsAlone(bytes, at, at + 17) || BASE64URL[bytes[at + 17]!] === 1)
      return rejectMatch(match, 'stands alone');
    // Base64 continues with + / or =; a VIN does not.
    if (bytes[at - 1] === 0x2b || isBase64Rest(bytes[at + 17]!)) return rejectMatch(match, 'base64');
    if (!/[A-Z]/.test(textOf(bytes, at, at + 17))) return rejectMatch(match, 'letters');
    if (!vinChecks(textOf(bytes, at, at + 17))) return rejectMatch(match, 'check digit');
    return acceptMatch(match, at, at + 17, REASON.pattern | REASON.checksum);
  },
  mask: (value) => maskMiddle(value, 3, 2),
  examples: {
    match: [
      '1M8GDM9AXKP042788',
      '1HGCM82633A004352',
      { text: 'VIN: 5GZCZ43D13S812715.', value: '5GZCZ43D13S812715' },
    ],
    not: [
      '1M8GDM9A1KP042788',
      '1M8GDM9AXKP04278',
      '1M8GDM9AXKPO42788',
      '11111111111111111',
      'A1M8GDM9AXKP042788',
    ],
  },
};

function isBase64Rest(byte: number): boolean {
  return byte === 0x2b || byte === 0x2f || byte === 0x3d;
}
