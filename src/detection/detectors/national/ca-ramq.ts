import { ramqDated } from '../../checks/canada.ts';
import type { Detector } from '../../detector.ts';
import { COMPACT, formattedId } from '../../families/formatted-id.ts';

/** Its last digit checks, but how is not published; name, date and label must do. */
export const caRamq: Detector = formattedId({
  id: 'CA_RAMQ',
  title: 'Quebec health insurance number',
  category: 'health_info',
  country: 'CA',
  regulations: ['hipaa', 'gdpr', 'ccpa'],
  risk: 8,
  forms: [
    { pattern: String.raw`[A-Z]{4}[ -]\d{4}[ -]\d{4}` },
    { pattern: String.raw`[A-Z]{4}\d{8}`, begins: COMPACT },
  ],
  plausible: ramqDated,
  context: { words: ['ramq', 'nam', 'assurance maladie', 'carte soleil', 'health card', 'health insurance'] },
  examples: {
    match: [
      { text: 'RAMQ: TREM 8552 1417', value: 'TREM 8552 1417' },
      { text: 'NAM BOUL-7203-2911', value: 'BOUL-7203-2911' },
      { text: 'GAGN91081912', field: 'ramq' },
    ],
    not: ['TREM 8552 1417', 'RAMQ TREM 8513 1417', 'RAMQ TREM 8552 3217', 'RAMQ TREM 8552 14170'],
  },
});
