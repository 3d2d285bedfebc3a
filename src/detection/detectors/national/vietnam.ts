import { cccdPlausible } from '../../checks/national/south-asia.ts';
import type { Detector } from '../../detector.ts';
import { formattedId } from '../../families/ids/formatted-id.ts';

export const vietnam: readonly Detector[] = [
  formattedId({
    id: 'VN_CCCD',
    title: 'Vietnamese citizen identity (CCCD)',
    category: 'direct_identifier',
    country: 'VN',
    regulations: ['gdpr', 'ccpa'],
    risk: 9,
    confidence: 0.8,
    forms: [{ pattern: String.raw`0\d{11}` }, { pattern: String.raw`0\d{2} \d{3} \d{6}` }],
    plausible: cccdPlausible,
    context: { words: ['cccd', 'can cuoc', 'cmnd', 'citizen identification', 'so cccd'] },
    examples: {
      match: [
        { text: 'CCCD: 001085012345', value: '001085012345' },
        { text: 'So CCCD 079192837465', value: '079192837465' },
        { text: '048301928374', field: 'cccd' },
      ],
      not: ['001085012345', 'CCCD 099085012345', 'CCCD 00108501234', 'CCCD 0010850123456'],
    },
  }),
];
