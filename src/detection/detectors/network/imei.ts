import { luhn } from '../../checks/luhn.ts';
import type { Detector } from '../../detector.ts';
import { formattedId } from '../../families/formatted-id.ts';

/** Type allocation code, serial number, check digit of Luhn. Cards have fifteen digits and that check too: only with its label. */
export const imei: Detector = formattedId({
  id: 'IMEI',
  title: 'IMEI of a mobile phone',
  category: 'quasi_identifier',
  regulations: ['gdpr', 'ccpa', 'hipaa'],
  risk: 5,
  forms: [
    { pattern: String.raw`\d{15}` },
    { pattern: String.raw`\d{2}[- ]\d{6}[- ]\d{6}[- ]\d` },
    { pattern: String.raw`\d{6}[- ]\d{2}[- ]\d{6}[- ]\d` },
  ],
  context: { words: ['imei', 'imei number', 'imei no', 'imei1', 'imei2', 'handset', '06#', 'device imei'] },
  check: luhn,
  plausible: (plain) => !/^(\d)\1+$/.test(plain),
  examples: {
    match: [
      { text: 'IMEI: 490154203237518', value: '490154203237518' },
      { text: 'imei 49-015420-323751-8', value: '49-015420-323751-8' },
      { text: '490154203237518', field: 'device_imei' },
    ],
    not: ['490154203237518', 'IMEI: 490154203237519', 'IMEI: 000000000000000', 'IMEI: 4901542032375181'],
  },
});
