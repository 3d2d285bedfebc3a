import {
  cnhChecks,
  cnpjChecks,
  cpfChecks,
  healthCardChecks,
  pisChecks,
  renavamChecks,
  voterTitleChecks,
} from '../../checks/national/brazil.ts';
import type { Detector } from '../../detector.ts';
import { COMPACT, formattedId } from '../../families/ids/formatted-id.ts';

export const brazil: readonly Detector[] = [
  formattedId({
    id: 'BR_CNH',
    title: 'Brazilian driver licence (CNH)',
    category: 'direct_identifier',
    country: 'BR',
    regulations: ['gdpr', 'ccpa'],
    risk: 7,
    forms: [{ pattern: String.raw`\d{11}` }],
    check: cnhChecks,
    context: { words: ['cnh', 'carteira de motorista', 'habilitação', 'habilitacao', 'registro cnh'] },
    examples: {
      match: [
        { text: 'CNH: 39182746519', value: '39182746519' },
        { text: 'CNH n. 04721986387', value: '04721986387' },
        { text: '62472927637', field: 'cnh' },
      ],
      not: ['39182746519', 'CNH 39182746510', 'CNH 391827465190', 'CNH 11111111111'],
    },
  }),
  // Digits only, or, since 2026, letters before the check digits.
  formattedId({
    id: 'BR_CNPJ',
    title: 'Brazilian company number (CNPJ)',
    category: 'quasi_identifier',
    country: 'BR',
    regulations: [],
    risk: 3,
    forms: [
      { pattern: String.raw`[A-Z0-9]{2}\.[A-Z0-9]{3}\.[A-Z0-9]{3}/[A-Z0-9]{4}-\d{2}`, free: true },
      { pattern: String.raw`[A-Z0-9]{12}\d{2}`, begins: COMPACT },
    ],
    check: cnpjChecks,
    context: { words: ['cnpj', 'cadastro nacional da pessoa'] },
    examples: {
      match: [
        '45.723.174/0001-10',
        { text: 'CNPJ 12.ABC.345/01DE-35', value: '12.ABC.345/01DE-35' },
        { text: '33000167000101', field: 'cnpj' },
        { text: 'CNPJ: 12ABC34501DE35', value: '12ABC34501DE35' },
      ],
      not: [
        '45.723.174/0001-11',
        '12.ABC.345/01DE-36',
        '33000167000101',
        '00.000.000/0000-00',
        '145.723.174/0001-10',
      ],
    },
  }),
  formattedId({
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
  }),
  formattedId({
    id: 'BR_HEALTH_CARD',
    title: 'Brazilian health card (CNS)',
    category: 'health_info',
    country: 'BR',
    regulations: ['hipaa', 'gdpr', 'ccpa'],
    risk: 8,
    forms: [{ pattern: String.raw`[12789]\d{2} \d{4} \d{4} \d{4}` }, { pattern: String.raw`[12789]\d{14}` }],
    check: healthCardChecks,
    context: { words: ['cns', 'sus', 'cartão nacional de saúde', 'nacional de saude', 'cart.o sus'] },
    examples: {
      match: [
        { text: 'CNS: 702938475610296', value: '702938475610296' },
        { text: 'SUS 898 2938 4756 1022', value: '898 2938 4756 1022' },
        { text: '203847561029381', field: 'cns' },
      ],
      not: ['702938475610296', 'CNS 702938475610297', 'CNS 7029384756102960', 'CNS 502938475610296'],
    },
  }),
  formattedId({
    id: 'BR_PIS',
    title: 'Brazilian worker number (PIS, NIS)',
    category: 'direct_identifier',
    country: 'BR',
    regulations: ['gdpr', 'ccpa'],
    risk: 8,
    forms: [{ pattern: String.raw`\d{3}\.\d{5}\.\d{2}-\d`, free: true }, { pattern: String.raw`\d{11}` }],
    check: pisChecks,
    context: { words: ['pis', 'pasep', 'nis', 'nit', 'pis pasep', 'trabalhador'] },
    examples: {
      match: [
        '120.56412.84-7',
        { text: 'PIS/PASEP: 170.33259.50-4', value: '170.33259.50-4' },
        { text: '12056412847', field: 'nis' },
      ],
      not: ['120.56412.84-8', '12056412847', 'PIS 120564128471', '000.00000.00-0'],
    },
  }),
  formattedId({
    id: 'BR_RENAVAM',
    title: 'Brazilian vehicle register',
    category: 'quasi_identifier',
    country: 'BR',
    regulations: ['gdpr', 'ccpa'],
    risk: 4,
    forms: [{ pattern: String.raw`\d{11}` }],
    check: renavamChecks,
    context: { words: ['renavam'] },
    examples: {
      match: [
        { text: 'RENAVAM: 00639884962', value: '00639884962' },
        { text: 'Renavam 00827364512', value: '00827364512' },
        { text: '01192837468', field: 'renavam' },
      ],
      not: ['00639884962', 'RENAVAM 00639884963', 'RENAVAM 006398849620', 'RENAVAM 0063988496'],
    },
  }),
  // Each state has rules of its own; most write eight digits and one more, or X.
  formattedId({
    id: 'BR_RG',
    title: 'Brazilian identity card (RG)',
    category: 'direct_identifier',
    country: 'BR',
    regulations: ['gdpr', 'ccpa'],
    risk: 9,
    confidence: 0.75,
    forms: [{ pattern: String.raw`\d{1,2}\.\d{3}\.\d{3}-[\dXx]` }, { pattern: String.raw`\d{8}-[\dXx]` }],
    context: { words: ['rg', 'registro geral', 'carteira de identidade', 'identidade'] },
    examples: {
      match: [
        { text: 'RG: 31.203.131-2', value: '31.203.131-2' },
        { text: 'Registro geral 9.482.716-X', value: '9.482.716-X' },
        { text: '31203131-2', field: 'rg' },
      ],
      not: ['31.203.131-2', 'RG 31.203.131', 'RG 31.203.131-22', 'RG 31203131'],
    },
  }),
  formattedId({
    id: 'BR_VOTER_TITLE',
    title: 'Brazilian voter title',
    category: 'direct_identifier',
    country: 'BR',
    regulations: ['gdpr', 'ccpa'],
    risk: 6,
    forms: [{ pattern: String.raw`\d{4} \d{4} \d{4}` }, { pattern: String.raw`\d{12}` }],
    check: voterTitleChecks,
    context: {
      words: [
        'titulo de eleitor',
        'título de eleitor',
        'titulo eleitoral',
        'título eleitoral',
        'titulo eleitor',
      ],
    },
    examples: {
      match: [
        { text: 'Título de eleitor: 1066 4444 0302', value: '1066 4444 0302' },
        { text: 'titulo de eleitor 384719200213', value: '384719200213' },
        { text: '271936480175', field: 'titulo_eleitor' },
      ],
      not: [
        '1066 4444 0302',
        'Título de eleitor 1066 4444 0303',
        'titulo de eleitor 106644442902',
        '271936480175',
      ],
    },
  }),
];
