import { luhn } from '../../checks/luhn.ts';
import type { Detector } from '../../detector.ts';
import { formattedId } from '../../families/formatted-id.ts';

/** 89 for telecommunication, country, issuer, account, check digit of Luhn; some issuers leave the check digit out. */
export const iccid: Detector = formattedId({
  id: 'ICCID',
  title: 'ICCID of a SIM card',
  category: 'quasi_identifier',
  regulations: ['gdpr', 'ccpa', 'hipaa'],
  risk: 5,
  forms: [{ pattern: String.raw`89\d{17,18}` }, { pattern: String.raw`89\d{2} \d{4} \d{4} \d{4} \d{3,4}` }],
  context: { words: ['iccid', 'sim', 'sim card', 'sim number', 'sim no', 'esim', 'simcard'] },
  check: luhn,
  examples: {
    match: [
      { text: 'ICCID 8944501234567890124', value: '8944501234567890124' },
      { text: 'SIM card: 8901260852291234565', value: '8901260852291234565' },
      { text: '8944501234567890124', field: 'iccid' },
    ],
    not: ['8944501234567890124', 'ICCID 8944501234567890125', 'ICCID 7944501234567890124'],
  },
});
