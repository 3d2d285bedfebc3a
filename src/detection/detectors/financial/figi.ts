import { figiChecks } from '../../checks/securities.ts';
import type { Detector } from '../../detector.ts';
import { formattedId } from '../../families/formatted-id.ts';

export const figi: Detector = formattedId({
  id: 'FIGI',
  title: 'Financial instrument global identifier',
  category: 'financial',
  regulations: ['glba'],
  risk: 2,
  context: { words: ['figi', 'open figi', 'bbgid', 'bloomberg'] },
  forms: [
    { pattern: String.raw`BBG0[0-9B-DF-HJ-NP-TV-Z]{7}\d`, free: true },
    { pattern: String.raw`[B-DF-HJ-NP-TV-Z]{2}G[0-9B-DF-HJ-NP-TV-Z]{8}\d` },
  ],
  check: figiChecks,
  examples: {
    match: ['BBG000BLNNH6', 'BBG000B9XRY4', { text: 'IBM US (BBG000BLNNH6)', value: 'BBG000BLNNH6' }],
    not: ['BBG000BLNNH7', 'BBG000BLNAH6', 'ABBG000BLNNH6', 'BBG000BLNNH'],
  },
});
