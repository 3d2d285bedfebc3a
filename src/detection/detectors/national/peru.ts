import { peruRucChecks } from '../../checks/national/spanish-america.ts';
import type { Detector } from '../../detector.ts';
import { formattedId } from '../../families/ids/formatted-id.ts';

export const peru: readonly Detector[] = [
  formattedId({
    id: 'PE_DNI',
    title: 'Peruvian identity number (DNI)',
    category: 'direct_identifier',
    country: 'PE',
    regulations: ['gdpr', 'ccpa'],
    risk: 9,
    confidence: 0.7,
    forms: [{ pattern: String.raw`\d{8}(?:-?[\dA-K])?` }],
    context: { words: ['dni peru', 'dni peruano', 'reniec', 'documento de identidad peruano'] },
    examples: {
      match: [
        { text: 'RENIEC DNI: 45678912', value: '45678912' },
        { text: 'DNI peruano 41823756-8', value: '41823756-8' },
        { text: '70482913', field: 'dni_peru' },
      ],
      not: ['45678912', 'DNI Peru 4567891', 'RENIEC 4567891234', 'reniec 45678912Z'],
    },
  }),
  formattedId({
    id: 'PE_RUC',
    title: 'Peruvian tax number (RUC)',
    category: 'direct_identifier',
    country: 'PE',
    regulations: ['gdpr', 'ccpa', 'glba'],
    risk: 5,
    forms: [{ pattern: String.raw`(?:10|15|16|17|20)\d{9}` }],
    check: peruRucChecks,
    context: { words: ['ruc', 'registro unico de contribuyente', 'sunat'] },
    examples: {
      match: [
        { text: 'RUC: 20512333797', value: '20512333797' },
        { text: 'RUC 10418237568', value: '10418237568' },
        { text: '20131312955', field: 'ruc' },
      ],
      not: ['20512333797', 'RUC 20512333798', 'RUC 30512333797', 'RUC 205123337970'],
    },
  }),
];
