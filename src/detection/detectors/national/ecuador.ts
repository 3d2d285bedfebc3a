import { ecuadorCedulaChecks, ecuadorRucChecks } from '../../checks/national/spanish-america.ts';
import type { Detector } from '../../detector.ts';
import { formattedId } from '../../families/ids/formatted-id.ts';

export const ecuador: readonly Detector[] = [
  formattedId({
    id: 'EC_CEDULA',
    title: 'Ecuadorian identity card',
    category: 'direct_identifier',
    country: 'EC',
    regulations: ['gdpr', 'ccpa'],
    risk: 9,
    forms: [{ pattern: String.raw`\d{9}-?\d` }],
    check: ecuadorCedulaChecks,
    context: { words: ['cedula', 'cédula', 'identificacion', 'identificación'] },
    examples: {
      match: [
        { text: 'Cédula: 1714307103', value: '1714307103' },
        { text: 'cedula 092345678-4', value: '092345678-4' },
        { text: '1710034065', field: 'cedula' },
      ],
      not: ['1714307103', 'cedula 1714307104', 'cedula 2614307103', 'cedula 17143071030'],
    },
  }),
  formattedId({
    id: 'EC_RUC',
    title: 'Ecuadorian tax number (RUC)',
    category: 'direct_identifier',
    country: 'EC',
    regulations: ['gdpr', 'ccpa', 'glba'],
    risk: 5,
    forms: [{ pattern: String.raw`\d{10}-?\d{3}` }],
    check: ecuadorRucChecks,
    context: { words: ['ruc', 'registro unico'] },
    examples: {
      match: [
        { text: 'RUC: 1792060346001', value: '1792060346001' },
        { text: 'RUC 1760001550001', value: '1760001550001' },
        { text: '1714307103001', field: 'ruc' },
      ],
      not: ['1792060346001', 'RUC 1792060347001', 'RUC 1714307103000', 'RUC 9992060346001'],
    },
  }),
];
