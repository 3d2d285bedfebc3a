import { portugueseNifChecks } from '../../checks/portugal.ts';
import type { Detector } from '../../detector.ts';
import { formattedId } from '../../families/formatted-id.ts';

export const ptNif: Detector = formattedId({
  id: 'PT_NIF',
  title: 'Portuguese tax number (NIF)',
  category: 'direct_identifier',
  country: 'PT',
  regulations: ['gdpr'],
  risk: 8,
  check: portugueseNifChecks,
  forms: [{ pattern: String.raw`\d{9}` }, { pattern: String.raw`\d{3} \d{3} \d{3}` }],
  context: { words: ['nif', 'nipc', 'contribuinte', 'identificação fiscal', 'identificacao fiscal'] },
  examples: {
    match: [
      { text: 'NIF: 501964843', value: '501964843' },
      { text: 'Contribuinte n.º 219 483 752', value: '219 483 752' },
      { text: '298173646', field: 'nif' },
    ],
    not: ['501964843', 'NIF 501964844', 'NIF 999999990', 'NIF 5019648430', 'NIF 123456789'],
  },
});
