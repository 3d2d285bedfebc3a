import { deaChecks } from '../../checks/dea.ts';
import type { Detector } from '../../detector.ts';
import { labelledId } from '../../families/labelled-id.ts';

export const dea: Detector = labelledId({
  id: 'DEA',
  title: 'US DEA registration number',
  category: 'health_info',
  country: 'US',
  regulations: ['hipaa'],
  risk: 6,
  confidence: 0.9,
  prefilters: [{ pattern: String.raw`\b[A-Z][A-Z9]\d{7}\b` }],
  shape: /^[A-Z][A-Z9]\d{7}$/,
  check: deaChecks,
  context: { words: ['dea', 'dea no', 'dea number', 'prescriber', 'registration'] },
  examples: {
    match: [
      { text: 'DEA# AB1234563', value: 'AB1234563' },
      { text: 'Prescriber DEA number: FM1234563', value: 'FM1234563' },
      { text: 'BJ6125341', field: 'dea' },
    ],
    not: ['AB1234563', 'DEA AB1234564', 'DEA AB12345634', 'DEA QB1234563'],
  },
});
