import { bcPhnChecks } from '../../checks/canada.ts';
import type { Detector } from '../../detector.ts';
import { formattedId } from '../../families/formatted-id.ts';

export const caBcPhn: Detector = formattedId({
  id: 'CA_BC_PHN',
  title: 'British Columbia health number',
  category: 'health_info',
  country: 'CA',
  regulations: ['hipaa', 'gdpr', 'ccpa'],
  risk: 8,
  forms: [
    { pattern: String.raw`9\d{3} \d{3} \d{3}` },
    { pattern: String.raw`9\d{3}-\d{3}-\d{3}` },
    { pattern: String.raw`9\d{9}` },
  ],
  check: bcPhnChecks,
  context: { words: ['phn', 'personal health number', 'care card', 'bc services card', 'msp'] },
  examples: {
    match: [
      { text: 'PHN: 9876 543 218', value: '9876 543 218' },
      { text: 'Personal health number 9283 746 159', value: '9283 746 159' },
      { text: '9012372173', field: 'patient_phn' },
    ],
    not: ['9876 543 218', '9012372173', 'PHN 9876 543 217', 'PHN 8876 543 218', 'PHN 98765432180'],
  },
});
