import type { Detector } from '../../detector.ts';
import { formattedId } from '../../families/ids/formatted-id.ts';

export const sriLanka: readonly Detector[] = [
  // Year and day of birth, the day of women plus 500; old ones end with V or X.
  formattedId({
    id: 'LK_NIC',
    title: 'Sri Lankan identity card',
    category: 'direct_identifier',
    country: 'LK',
    regulations: ['gdpr', 'ccpa'],
    risk: 9,
    forms: [{ pattern: String.raw`\d{9}[VvXx]` }, { pattern: String.raw`(?:19|20)\d{10}` }],
    plausible: hasDayOfYear,
    context: { words: ['nic', 'nic no', 'sri lanka', 'national identity card'] },
    examples: {
      match: [
        { text: 'NIC: 853421789V', value: '853421789V' },
        { text: 'Sri Lanka NIC 199235702847', value: '199235702847' },
        { text: '926841736V', field: 'nic_no' },
      ],
      not: ['853421789V', 'NIC 854021789V', 'NIC 85342178V', '199235702847', 'NIC 853421789Z'],
    },
  }),
];

function hasDayOfYear(nic: string): boolean {
  const day = Number(nic.length === 10 ? nic.slice(2, 5) : nic.slice(4, 7)) % 500;
  return day >= 1 && day <= 366;
}
