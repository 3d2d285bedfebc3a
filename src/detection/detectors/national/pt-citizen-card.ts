import { cartaoChecks } from '../../checks/portugal.ts';
import type { Detector } from '../../detector.ts';
import { formattedId } from '../../families/formatted-id.ts';

export const ptCitizenCard: Detector = formattedId({
  id: 'PT_CITIZEN_CARD',
  title: 'Portuguese citizen card number',
  category: 'direct_identifier',
  country: 'PT',
  regulations: ['gdpr'],
  risk: 9,
  check: cartaoChecks,
  forms: [
    { pattern: String.raw`\d{8} \d [A-Z]{2}\d`, free: true },
    { pattern: String.raw`\d{8} ?\d ?[A-Z]{2}\d` },
  ],
  context: {
    words: [
      'cartão de cidadão',
      'cartão do cidadão',
      'cartao de cidadao',
      'cartao do cidadao',
      'citizen card',
      'cc',
    ],
  },
  examples: {
    match: [
      '04521224 4 ZZ7',
      { text: 'Cartao de Cidadao: 110327403ZZ3', value: '110327403ZZ3' },
      { text: '298765430ZY0', field: 'cartao_de_cidadao' },
    ],
    not: [
      '04521224 4 ZZ8',
      '110327403ZZ3',
      'Cartao de Cidadao 00000000 0 ZZ4',
      'Cartao de Cidadao 1103274030ZZ3',
    ],
  },
});
