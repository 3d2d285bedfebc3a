import { standsAlone, textOf } from '../../bytes.ts';
import { eip55Checks } from '../../checks/crypto-addresses.ts';
import { acceptMatch, type Detector, rejectMatch } from '../../detector.ts';
import { maskMiddle } from '../../masks.ts';
import { REASON } from '../../reasons.ts';

const SHAPE = /^0x[0-9a-fA-F]{40}$/;
/** Fewer letters than this prove nothing by their case. */
const LETTERS = 6;
const LENGTH = 42;

export const ethereumAddress: Detector = {
  id: 'ETHEREUM_ADDRESS',
  title: 'Ethereum address (and those of its kin)',
  category: 'financial',
  strength: 'checksum',
  regulations: ['gdpr', 'glba'],
  risk: 5,
  prefilters: [{ pattern: String.raw`\b0x[0-9a-fA-F]{40}\b` }],
  confidence: 0.95,
  context: {
    words: [
      'ethereum',
      'eth',
      'ether',
      'wallet',
      'wallet address',
      'erc',
      'metamask',
      'polygon',
      'bnb',
      'bsc',
      'usdt',
      'usdc',
      'crypto',
    ],
  },
  verify(bytes, at, match) {
    const end = at + LENGTH;
    const text = textOf(bytes, at, end);
    if (!SHAPE.test(text)) return rejectMatch(match, 'form');
    if (!standsAlone(bytes, at, end)) return rejectMatch(match, 'stands alone');
    const hex = text.slice(2);
    // 0x000…0, 0xdead…: burnt, or made up.
    if (new Set(hex.toLowerCase()).size < LETTERS) return rejectMatch(match, 'too even');
    const mixed = /[a-f]/.test(hex) && /[A-F]/.test(hex);
    if (mixed && !eip55Checks(hex)) return rejectMatch(match, 'checksum');
    if (mixed && hex.replace(/\d/g, '').length >= LETTERS)
      return acceptMatch(match, at, end, REASON.pattern | REASON.checksum);
    match.confidence = 0.8;
    return match.hasLabel(at) ? acceptMatch(match, at, end, REASON.pattern) : rejectMatch(match, 'label');
  },
  mask: (value) => maskMiddle(value, 4, 2),
  examples: {
    match: [
      '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
      '0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359',
      {
        text: 'ETH wallet: 0x5aaeb6053f3e94c9b9a09f33669435e7ef1beaed',
        value: '0x5aaeb6053f3e94c9b9a09f33669435e7ef1beaed',
      },
    ],
    not: [
      '0x5aaeb6053f3e94c9b9a09f33669435e7ef1beaed',
      '0x5AAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
      'wallet 0x0000000000000000000000000000000000000000',
      '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed00',
    ],
  },
};
