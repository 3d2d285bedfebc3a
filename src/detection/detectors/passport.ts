import type { Detector } from '../detector.ts';
import { idTokens, labelledId } from './labelled-id.ts';

export const passport: Detector = labelledId({
  id: 'PASSPORT',
  title: 'Passport number',
  category: 'direct_identifier',
  confidence: 0.75,
  anchors: idTokens([8, 9], [8, 9]),
  shape: /^(?:\d{8,9}|[A-Z]\d{7,8}|[A-Z]{2}\d{6,7}|[CFGHJKLMNPRTVWXYZ][0-9CFGHJKLMNPRTVWXYZ]{8})$/,
  context: { words: ['passport', 'passport no', 'passport number', 'travel document'] },
  examples: {
    match: [
      { text: 'Passport No: 533401288', value: '533401288' },
      { text: 'passport number X1234567', value: 'X1234567' },
      { text: 'C01X00T47', field: 'passportNumber' },
    ],
    not: ['533401288', 'X1234567', 'passport renewal in 1234567 days', 'passport 5334012881'],
  },
});
