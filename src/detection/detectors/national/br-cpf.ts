import { cpfChecks } from '../../checks/brazil.ts';
import type { Detector } from '../../detector.ts';
import { formattedId } from '../../families/formatted-id.ts';

export const brCpf: Detector = formattedId({
  id: 'BR_CPF',
  title: 'Brazilian person number (CPF)',
  category: 'direct_identifier',
  country: 'BR',
  regulations: ['gdpr', 'ccpa'],
  risk: 9,
  forms: [
    { pattern: String.raw`\d{3}\.\d{3}\.\d{3}-\d{2}`, free: true },
    { pattern: String.raw`\d{9}-\d{2}` },
    { pattern: String.raw`\d{11}` },
  ],
  check: cpfChecks,
  context: { words: ['cpf', 'cadastro de pessoas', 'contribuinte'] },
  examples: {
    match: [
      '390.533.447-05',
      { text: 'CPF: 742.815.390-50.', value: '742.815.390-50' },
      { text: '39053344705', field: 'cpf' },
      { text: 'cpf 390533447-05', value: '390533447-05' },
    ],
    not: ['390.533.447-06', '39053344705', '111.111.111-11', '1390.533.447-05', 'CPF 390533447051'],
  },
});
