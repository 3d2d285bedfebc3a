import { nricChecks } from '../../checks/southeast-asia.ts';
import type { Detector } from '../../detector.ts';
import { formattedId } from '../../families/formatted-id.ts';

export const sgNric: Detector = formattedId({
  id: 'SG_NRIC',
  title: 'Singaporean identity number (NRIC, FIN)',
  category: 'direct_identifier',
  country: 'SG',
  regulations: ['gdpr', 'ccpa'],
  risk: 9,
  confidence: 0.8,
  forms: [{ pattern: String.raw`[STFGM]\d{7}[A-Z]`, free: true }],
  check: nricChecks,
  context: { words: ['nric', 'fin', 'singapore', 'uinfin'] },
  examples: {
    match: [
      'S7392846Z',
      { text: 'NRIC: T0183746F', value: 'T0183746F' },
      { text: 'G4829173U', field: 'fin' },
      { text: 'FIN M5398242L', value: 'M5398242L' },
    ],
    not: ['S7392846A', 'A7392846Z', 'S73928461Z', 'XS7392846Z', 'S7392846ZZ'],
  },
});
