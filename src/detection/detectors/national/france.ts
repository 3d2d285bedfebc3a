import { frenchCardPlausible, nirChecks, siretChecks, spiChecks } from '../../checks/national/france.ts';
import type { Detector } from '../../detector.ts';
import { formattedId } from '../../families/ids/formatted-id.ts';

export const france: readonly Detector[] = [
  formattedId({
    id: 'FR_ID_CARD',
    title: 'French identity card number (CNI)',
    category: 'direct_identifier',
    country: 'FR',
    regulations: ['gdpr'],
    risk: 8,
    plausible: frenchCardPlausible,
    forms: [{ pattern: String.raw`\d{4}[A-Z0-9]{3}\d{5}` }, { pattern: '[A-Z][A-Z0-9]{8}' }],
    context: {
      words: [
        'cni',
        "carte nationale d'identité",
        "carte nationale d'identite",
        "carte d'identité",
        "carte d'identite",
      ],
    },
    examples: {
      match: [
        { text: 'CNI n° 880692310285', value: '880692310285' },
        { text: "Carte d'identite : X4RTBPFW4", value: 'X4RTBPFW4' },
        { text: '140375102847', field: 'cni' },
      ],
      not: ['880692310285', 'CNI 881392310285', 'CNI ABCDEFGHI', 'CNI 8806923102851'],
    },
  }),
  // Two check digits and a month suffice without a label if it is written in groups, or from Corsica (2A, 2B).
  formattedId({
    id: 'FR_NIR',
    title: 'French social security number (NIR)',
    category: 'direct_identifier',
    country: 'FR',
    regulations: ['gdpr'],
    risk: 9,
    check: nirChecks,
    forms: [
      { pattern: String.raw`[1-478] \d\d \d\d (?:\d\d|2[AB]) \d{3} \d{3}[ /-]\d\d`, free: true },
      { pattern: String.raw`[1-478]\d{4}2[AB]\d{8}`, free: true },
      { pattern: String.raw`[1-478]\d{12} ?\d\d` },
      { pattern: String.raw`[1-478]\d{4}2[AB]\d{6} \d\d` },
    ],
    context: {
      words: [
        'nir',
        'insee',
        'numéro de sécurité sociale',
        'sécurité sociale',
        'securite sociale',
        'numéro sécu',
        'num secu',
        'num sécu',
        'carte vitale',
        'national id',
        'national identification',
        'national identity',
      ],
    },
    examples: {
      match: [
        '2 95 10 99 126 111 93',
        '279062B03315622',
        { text: 'NIR : 184127645108946', value: '184127645108946' },
        { text: 'No de securite sociale 168052004211719', value: '168052004211719' },
        { text: '273012A21504204', field: 'nir' },
      ],
      not: [
        '2 95 10 99 126 111 94',
        '184127645108946',
        'NIR 184127645108947',
        '2 95 14 99 126 111 93',
        '253072C07300443',
      ],
    },
  }),
  formattedId({
    id: 'FR_SIRET',
    title: 'French company number (SIREN or SIRET)',
    category: 'quasi_identifier',
    country: 'FR',
    regulations: ['gdpr'],
    risk: 2,
    check: siretChecks,
    forms: [
      { pattern: String.raw`\d{3} \d{3} \d{3}(?: \d{5})?` },
      { pattern: String.raw`\d{14}` },
      { pattern: String.raw`\d{9}` },
    ],
    context: { words: ['siret', 'siren', 'rcs'] },
    examples: {
      match: [
        { text: 'SIRET : 73282932000074', value: '73282932000074' },
        { text: 'SIREN 732 829 320', value: '732 829 320' },
        { text: '552 100 554', field: 'siren' },
      ],
      not: ['73282932000074', 'SIRET 73282932000075', 'SIREN 7328293200', 'SIREN 000 000 000'],
    },
  }),
  formattedId({
    id: 'FR_TAX_NUMBER',
    title: 'French tax number (SPI)',
    category: 'direct_identifier',
    country: 'FR',
    regulations: ['gdpr'],
    risk: 8,
    check: spiChecks,
    forms: [
      { pattern: String.raw`[0-3]\d \d\d \d{3} \d{3} \d{3}`, free: true },
      { pattern: String.raw`[0-3]\d{12}` },
    ],
    context: { words: ['numéro fiscal', 'numero fiscal', 'num fiscal', 'spi', 'identifiant fiscal'] },
    examples: {
      match: [
        '30 23 217 600 053',
        { text: 'Numero fiscal : 1482930571395', value: '1482930571395' },
        { text: '2208714563356', field: 'numero_fiscal' },
      ],
      not: ['30 23 217 600 054', '3023217600053', 'Numero fiscal 1482930571396', 'SPI 14829305713950'],
    },
  }),
];
