import { isDigit, standsAlone, textOf } from '../../bytes.ts';
import { abaChecks } from '../../checks/aba.ts';
import { acceptMatch, type Detector, rejectMatch } from '../../detector.ts';
import { maskMiddle } from '../../masks.ts';
import { REASON } from '../../reasons.ts';

const NEAR = 96;
const NINE = /(?<!\d)\d{9}(?!\d)/g;
const MAX_LENGTH = 17;

/** An account number is only usable with its bank, so the routing number must be adjacent. */
export const usBankAccount: Detector = {
  id: 'US_BANK_ACCOUNT',
  title: 'US bank account with its routing number',
  category: 'financial',
  strength: 'checksum',
  country: 'US',
  regulations: ['glba', 'ccpa'],
  risk: 8,
  prefilters: [{ pattern: String.raw`\b\d{4,17}\b`, labelled: true }],
  confidence: 0.9,
  context: {
    words: [
      'account',
      'account no',
      'account number',
      'acct',
      'acct no',
      'checking',
      'savings',
      'checking account',
      'savings account',
    ],
  },
  verify(bytes, at, match) {
    let end = at;
    while (end <= at + MAX_LENGTH && isDigit(bytes[end]!)) end++;
    if (end - at < 4 || end - at > MAX_LENGTH) return rejectMatch(match, 'length');
    if (!standsAlone(bytes, at, end)) return rejectMatch(match, 'stands alone');
    if (!routed(textOf(bytes, at - NEAR, at)) && !routed(textOf(bytes, end, end + NEAR)))
      return rejectMatch(match, 'routing number near it');
    return match.hasLabel(at)
      ? acceptMatch(match, at, end, REASON.pattern | REASON.structure)
      : rejectMatch(match, 'label');
  },
  mask: (value) => maskMiddle(value, 0, 2),
  examples: {
    match: [
      { text: 'Routing 021000021 Account 483920175', value: '483920175' },
      { text: 'Account: 0048392017, ABA routing: 011401533', value: '0048392017' },
      { text: '{"routing_number":"091000019","account_number":"5500187"}', value: '5500187' },
    ],
    not: [
      'Account 483920175',
      'Routing 021000022 Account 483920175',
      'number 021000021 Account 483920175',
      'Routing 021000021 Account 123',
    ],
  },
};

function routed(text: string): boolean {
  return /routing|\baba\b|\brtn\b|transit/i.test(text) && (text.match(NINE) ?? []).some(abaChecks);
}
