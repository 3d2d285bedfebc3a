import type { Detector } from '../../detector.ts';
import { formattedId } from '../../families/formatted-id.ts';

export const phPhilsys: Detector = formattedId({
  id: 'PH_PHILSYS',
  title: 'Philippine identity number (PhilSys)',
  category: 'direct_identifier',
  country: 'PH',
  regulations: ['gdpr', 'ccpa'],
  risk: 9,
  confidence: 0.7,
  forms: [
    { pattern: String.raw`\d{4}-\d{4}-\d{4}-\d{4}` },
    { pattern: String.raw`\d{4}-\d{4}-\d{4}` },
    { pattern: String.raw`\d{16}` },
    { pattern: String.raw`\d{12}` },
  ],
  context: { words: ['phil sys', 'phil id', 'philippine identification'] },
  examples: {
    match: [
      { text: 'PhilSys PSN: 2938-4756-1029', value: '2938-4756-1029' },
      { text: 'PhilID PCN 5281-9374-6102-8375', value: '5281-9374-6102-8375' },
      { text: '293847561029', field: 'philsys_number' },
    ],
    not: ['2938-4756-1029', 'PhilSys 2938-4756-102', '293847561029', 'PSN 293847561029'],
  },
});
