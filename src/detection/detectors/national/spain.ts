import { cifChecks, dniChecks, nieChecks, nussChecks } from '../../checks/national/southern-europe.ts';
import type { Detector } from '../../detector.ts';
import { formattedId } from '../../families/ids/formatted-id.ts';

export const spain: readonly Detector[] = [
  formattedId({
    id: 'ES_CIF',
    title: 'Spanish company tax number (CIF)',
    category: 'quasi_identifier',
    country: 'ES',
    regulations: ['gdpr'],
    risk: 3,
    check: cifChecks,
    forms: [{ pattern: String.raw`[ABCDEFGHJNPQRSUVW]-?\d{7}-?[0-9A-J]` }],
    context: { words: ['cif', 'nif', 'identificación fiscal', 'identificacion fiscal'] },
    examples: {
      match: [
        { text: 'CIF: A58818501', value: 'A58818501' },
        { text: 'con CIF B-58378431', value: 'B-58378431' },
        { text: 'Q2818002D', field: 'cif_empresa' },
      ],
      not: ['A58818501', 'CIF A58818502', 'CIF I99216582', 'CIF A5881850A'],
    },
  }),
  formattedId({
    id: 'ES_DNI',
    title: 'Spanish DNI',
    category: 'direct_identifier',
    country: 'ES',
    regulations: ['gdpr'],
    risk: 9,
    check: dniChecks,
    forms: [
      { pattern: String.raw`\d\d\.\d{3}\.\d{3}-[A-HJ-NP-TV-Z]`, free: true },
      { pattern: String.raw`\d{8}[ -]?[A-HJ-NP-TV-Z]` },
    ],
    context: { words: ['dni', 'nif', 'documento nacional', 'documento de identidad'] },
    examples: {
      match: [
        '48.293.716-H',
        { text: 'DNI: 54362315K', value: '54362315K' },
        { text: 'con DNI 07653214-X', value: '07653214-X' },
        { text: '48293716H', field: 'dni_cliente' },
      ],
      not: ['54362315K', 'DNI 54362315L', 'DNI 12345678Z', 'DNI 543623150K', '48.293.716-J'],
    },
  }),
  formattedId({
    id: 'ES_NIE',
    title: 'Spanish foreigner number (NIE)',
    category: 'direct_identifier',
    country: 'ES',
    regulations: ['gdpr'],
    risk: 9,
    check: nieChecks,
    forms: [
      { pattern: String.raw`[XYZ]-\d{7}-[A-HJ-NP-TV-Z]`, free: true },
      { pattern: String.raw`[XYZ][ -]?\d{7}[ -]?[A-HJ-NP-TV-Z]` },
    ],
    context: { words: ['nie', 'nif', 'extranjero'] },
    examples: {
      match: [
        'X-2482300-W',
        { text: 'NIE: Y8402917L', value: 'Y8402917L' },
        { text: 'X7319482P', field: 'nie' },
      ],
      not: ['Y8402917L', 'NIE Y8402917M', 'NIE X1234567L', 'X-2482300-A'],
    },
  }),
  formattedId({
    id: 'ES_SOCIAL_SECURITY',
    title: 'Spanish social security number (NUSS)',
    category: 'direct_identifier',
    country: 'ES',
    regulations: ['gdpr'],
    risk: 9,
    check: nussChecks,
    forms: [
      { pattern: String.raw`\d\d/\d{8}/\d\d`, free: true },
      { pattern: String.raw`\d\d[ -]\d{8}[ -]\d\d` },
      { pattern: String.raw`\d{12}` },
    ],
    context: { words: ['nuss', 'naf', 'seguridad social', 'afiliación', 'afiliacion'] },
    examples: {
      match: [
        '28/12345678/40',
        { text: 'NUSS 460087123582', value: '460087123582' },
        { text: 'Seguridad Social: 08 12345981 81', value: '08 12345981 81' },
        { text: '280348217058', field: 'nuss' },
      ],
      not: ['28/12345678/41', '460087123582', 'NUSS 460087123583', 'NUSS 990087123582', '128/12345678/40'],
    },
  }),
];
