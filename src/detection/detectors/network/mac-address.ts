import { COLON, DASH, DOT, HEX, isAlnum, textOf } from '../../bytes.ts';
import { acceptMatch, type Detector, rejectMatch } from '../../detector.ts';
import { maskMiddle } from '../../masks.ts';
import { REASON } from '../../reasons.ts';

const PAIRED = 17;
const DOTTED = 14;
/** Of no device: all the same, broadcast, and the multicast groups of IPv4 and IPv6. */
const NO_DEVICE = /^(?:(..)[:-](?:\1[:-]){4}\1|(....)\.\2\.\2)$|^(?:01[:-]00[:-]5e|33[:-]33)/i;

export const macAddress: Detector = {
  id: 'MAC_ADDRESS',
  title: 'MAC address of a network card',
  category: 'quasi_identifier',
  strength: 'format',
  regulations: ['gdpr', 'ccpa', 'hipaa'],
  risk: 4,
  prefilters: [
    {
      pattern: String.raw`\b[0-9a-fA-F]{2}:[0-9a-fA-F]{2}:[0-9a-fA-F]{2}:[0-9a-fA-F]{2}:[0-9a-fA-F]{2}`,
    },
    {
      pattern: String.raw`\b[0-9a-fA-F]{2}-[0-9a-fA-F]{2}-[0-9a-fA-F]{2}-[0-9a-fA-F]{2}-[0-9a-fA-F]{2}`,
    },
    { pattern: String.raw`\b[0-9a-fA-F]{4}\.[0-9a-fA-F]{4}\.[0-9a-fA-F]{4}\b` },
  ],
  confidence: 0.75,
  context: {
    words: [
      'mac',
      'mac address',
      'hw address',
      'hwaddr',
      'ether',
      'ethernet',
      'wifi',
      'bluetooth',
      'bssid',
      'physical address',
    ],
    avoid: ['fingerprint', 'thumbprint', 'hash', 'sha', 'md5', 'certificate', 'serial'],
  },
  verify(bytes, at, match) {
    const dotted = bytes[at + 4] === DOT;
    const end = at + (dotted ? DOTTED : PAIRED);
    if (!(dotted ? isDotted(bytes, at) : isPaired(bytes, at))) return rejectMatch(match, 'form');
    // A longer row of pairs is a fingerprint.
    if (goesOn(bytes[at - 1]!) || goesOn(bytes[end]!)) return rejectMatch(match, 'stands alone');
    const text = textOf(bytes, at, end);
    if (NO_DEVICE.test(text)) return rejectMatch(match, 'address of no device');
    // Three groups of four are also weights, versions and code points: 1CF1.0020.0002.
    if (dotted && !match.hasLabel(at)) return rejectMatch(match, 'label');
    if (!/\d/.test(text)) return rejectMatch(match, 'no digit');
    if (/^[\d-]+$/.test(text) && !match.hasLabel(at)) return rejectMatch(match, 'digits only');
    return acceptMatch(match, at, end, REASON.pattern);
  },
  mask: (value) => maskMiddle(value, 6, 0),
  examples: {
    match: [
      '3c:22:fb:9a:41:d0',
      '34-17-EB-B3-69-34',
      { text: 'mac 3c22.fb9a.41d0 seen', value: '3c22.fb9a.41d0' },
      { text: 'ether a4:83:e7:12:34:56 txqueuelen', value: 'a4:83:e7:12:34:56' },
    ],
    not: [
      '00:00:00:00:00:00',
      'ff:ff:ff:ff:ff:ff',
      '01:00:5e:00:00:fb',
      '12:30:45',
      '3c:22:fb:9a:41:d0:11:22',
      '3c:22:fb-9a:41:d0',
      '10-20-30-40-50-60',
      '[*1CF1.0020.0002]',
      '3c22.fb9a.41d0',
    ],
  },
};

function isPaired(bytes: Buffer, at: number): boolean {
  const separator = bytes[at + 2]!;
  if (separator !== COLON && separator !== DASH) return false;
  for (let i = 0; i < PAIRED; i++) {
    const byte = bytes[at + i]!;
    if (i % 3 === 2 ? byte !== separator : HEX[byte] !== 1) return false;
  }
  return true;
}

function isDotted(bytes: Buffer, at: number): boolean {
  for (let i = 0; i < DOTTED; i++) {
    const byte = bytes[at + i]!;
    if (i % 5 === 4 ? byte !== DOT : HEX[byte] !== 1) return false;
  }
  return true;
}

function goesOn(byte: number): boolean {
  return isAlnum(byte) || byte === COLON || byte === DASH || byte === DOT;
}
