import type { Detector } from '../../detector.ts';
import { formattedId } from '../../families/formatted-id.ts';

export const gsaContract: Detector = {
  ...formattedId({
    id: 'GSA_CONTRACT',
    title: 'US GSA contract number',
    category: 'government',
    country: 'US',
    regulations: [],
    risk: 3,
    confidence: 0.9,
    forms: [
      { pattern: String.raw`GS-?\d{2}[FKTPQSNR]-?\d{3,4}[A-Z]{1,2}`, free: true },
      { pattern: String.raw`47Q[A-Z]{3}\d{2}[ACDFGPT][A-Z0-9]{4}`, free: true },
    ],
    context: { words: ['gsa', 'contract', 'schedule', 'contract no', 'gsa schedule', 'piid'] },
    examples: {
      match: [
        'GS-35F-0119Y',
        { text: 'GSA schedule GS-00F-123CA', value: 'GS-00F-123CA' },
        { text: 'contract 47QTCA19D00L4', value: '47QTCA19D00L4' },
        { text: 'GS35F0119Y', field: 'gsa_contract' },
      ],
      not: ['GS-35X-0119Y', 'GS-35F-0119', '47QTCA19D00L', 'XGS-35F-0119Y', '47QTCA1900L4'],
    },
  }),
  standing: 'issued',
};
