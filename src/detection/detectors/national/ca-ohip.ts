import { ohipChecks } from '../../checks/canada.ts';
import type { Detector } from '../../detector.ts';
import { formattedId } from '../../families/formatted-id.ts';

export const caOhip: Detector = formattedId({
  id: 'CA_OHIP',
  title: 'Ontario health card number',
  category: 'health_info',
  country: 'CA',
  regulations: ['hipaa', 'gdpr', 'ccpa'],
  risk: 8,
  forms: [
    { pattern: String.raw`\d{4}-\d{3}-\d{3}(?:[- ]?[A-Z]{2})?` },
    { pattern: String.raw`\d{4} \d{3} \d{3}(?: ?[A-Z]{2})?` },
    { pattern: String.raw`\d{10}(?:[- ]?[A-Z]{2})?` },
  ],
  check: ohipChecks,
  context: { words: ['ohip', 'health card', 'health insurance', 'ontario health'] },
  examples: {
    match: [
      { text: 'OHIP: 5584 486 673', value: '5584 486 673' },
      { text: 'Health card 6249-183-721-YM', value: '6249-183-721-YM' },
      { text: '7382910466', field: 'ohip_number' },
    ],
    not: ['5584 486 673', '7382910466', 'OHIP 5584 486 674', 'OHIP 55844866731'],
  },
});
