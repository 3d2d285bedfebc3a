import type { Detector } from '../../detector.ts';
import { formattedId } from '../../families/formatted-id.ts';

/** Mobile country code (200 to 799), network code, subscriber: no check digit, so only with its label. */
export const imsi: Detector = formattedId({
  id: 'IMSI',
  title: 'IMSI of a mobile subscriber',
  category: 'quasi_identifier',
  regulations: ['gdpr', 'ccpa', 'hipaa'],
  risk: 5,
  forms: [{ pattern: String.raw`[2-7]\d{13,14}` }],
  context: { words: ['imsi', 'subscriber identity', 'mobile subscriber'] },
  plausible: (plain) => !/(\d)\1{7}/.test(plain),
  examples: {
    match: [
      { text: 'IMSI: 310150123456789', value: '310150123456789' },
      { text: 'imsi=262019876543210', value: '262019876543210' },
      { text: '234159087654321', field: 'imsi' },
    ],
    not: ['310150123456789', 'IMSI: 910150123456789', 'IMSI: 31015012345', 'IMSI: 310150000000000'],
  },
});
