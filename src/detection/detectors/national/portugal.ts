import { cartaoChecks, portugueseNifChecks } from '../../checks/national/southern-europe.ts';
import type { Detector } from '../../detector.ts';
import { formattedId } from '../../families/ids/formatted-id.ts';

export const portugal: readonly Detector[] = [
  formattedId({
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
  }),
  formattedId({
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
  }),
];
