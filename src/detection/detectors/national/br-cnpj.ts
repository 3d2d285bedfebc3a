import { cnpjChecks } from '../../checks/brazil.ts';
import type { Detector } from '../../detector.ts';
import { COMPACT, formattedId } from '../../families/formatted-id.ts';

/** Digits only, or, since 2026, letters before the check digits. */
export const brCnpj: Detector = formattedId({
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
});
