import { npiChecks } from '../../checks/npi.ts';
import type { Detector } from '../../detector.ts';
import { idTokens, labelledId } from '../../families/labelled-id.ts';

export const npi: Detector = labelledId({
  id: 'NPI',
  title: 'US National Provider Identifier',
  category: 'health_info',
  country: 'US',
  regulations: ['hipaa'],
  risk: 4,
  confidence: 0.9,
  prefilters: idTokens([10, 10]),
  shape: /^[12]\d{9}$/,
  check: npiChecks,
  context: { words: ['npi', 'national provider', 'provider id', 'provider identifier', 'provider number'] },
  examples: {
    match: [
      { text: 'NPI: 1234567893', value: '1234567893' },
      { text: 'national provider identifier 1245319599', value: '1245319599' },
      { text: '1234567893', field: 'providerNpi' },
    ],
    not: ['1234567893', 'NPI 1234567890', 'NPI 3234567893', 'NPI 12345678931'],
  },
});
