import {
  germanCardPlausible,
  pensionNumberChecks,
  steuerIdChecks,
  steuernummerPlausible,
} from '../../checks/national/germany.ts';
import type { Detector } from '../../detector.ts';
import { formattedId } from '../../families/ids/formatted-id.ts';

export const germany: readonly Detector[] = [
  // Nine signs as printed, or ten with the check digit of the machine-readable zone. Passports begin with other letters.
  formattedId({
    id: 'DE_ID_CARD',
    title: 'German identity card number',
    category: 'direct_identifier',
    country: 'DE',
    regulations: ['gdpr'],
    risk: 8,
    plausible: germanCardPlausible,
    forms: [{ pattern: String.raw`[LMNPRTVWXY][0-9CFGHJ-NPRTV-Z]{8}\d?` }],
    context: {
      words: [
        'personalausweis',
        'personalausweisnummer',
        'personalausweisnr',
        'ausweisnummer',
        'ausweisnr',
        'ausweis nr',
      ],
    },
    examples: {
      match: [
        { text: 'Personalausweisnummer: L01X00T47', value: 'L01X00T47' },
        { text: 'Ausweis-Nr. T220001293', value: 'T220001293' },
        { text: 'LZ6311T475', field: 'personalausweis' },
      ],
      not: [
        'L01X00T47',
        'Personalausweis L01X00T472',
        'Personalausweis LCHFGTXYZ',
        'Ausweisnummer A01X00T47',
      ],
    },
  }),
  formattedId({
    id: 'DE_PENSION_NUMBER',
    title: 'German pension insurance number (Rentenversicherungsnummer)',
    category: 'direct_identifier',
    country: 'DE',
    regulations: ['gdpr'],
    risk: 9,
    check: pensionNumberChecks,
    forms: [
      { pattern: String.raw`\d\d \d{6} [A-Z] \d{3}`, free: true },
      { pattern: String.raw`\d{8}[A-Z]\d{3}` },
      { pattern: String.raw`\d\d ?\d{6} ?[A-Z] ?\d{2} ?\d` },
    ],
    context: {
      words: [
        'rentenversicherungsnummer',
        'rentenversicherungsnr',
        'rentenversicherung',
        'sozialversicherungsnummer',
        'sozialversicherungsnr',
        'sv nummer',
        'sv nr',
        'rvnr',
        'vsnr',
        'versicherungsnummer',
      ],
    },
    examples: {
      match: [
        '15 070649 C 103',
        { text: 'SV-Nummer: 53240375M019', value: '53240375M019' },
        { text: 'Rentenversicherungsnummer 12 180564 W 463', value: '12 180564 W 463' },
        { text: '65010203B512', field: 'rvnr' },
      ],
      not: [
        '15 070649 C 104',
        '15 320649 C 103',
        '15070649C103',
        'SV-Nummer 53240375M018',
        'SV-Nummer 153240375M019',
      ],
    },
  }),
  formattedId({
    id: 'DE_TAX_ID',
    title: 'German tax identification number (Steuer-ID)',
    category: 'direct_identifier',
    country: 'DE',
    regulations: ['gdpr'],
    risk: 9,
    check: steuerIdChecks,
    forms: [{ pattern: String.raw`[1-9]\d{10}` }, { pattern: String.raw`[1-9]\d \d{3} \d{3} \d{3}` }],
    context: {
      words: [
        'steuer id',
        'steuer idnr',
        'steuer identifikationsnummer',
        'identifikationsnummer',
        'idnr',
        'tax id',
      ],
    },
    examples: {
      match: [
        { text: 'Steuer-ID: 36574261809', value: '36574261809' },
        { text: 'Steueridentifikationsnummer 86 095 742 719', value: '86 095 742 719' },
        { text: '47036892816', field: 'steuerId' },
      ],
      not: [
        '36574261809',
        'Steuer-ID: 36574261808',
        'Steuer-ID: 12345678903',
        'Steuer-ID: 365742618090',
        'Sendungsnummer 36574261809',
      ],
    },
  }),
  // Each state has its own grouping and check; the federal form has the state's code and a zero in the fifth position.
  formattedId({
    id: 'DE_TAX_NUMBER',
    title: 'German tax number (Steuernummer)',
    category: 'direct_identifier',
    country: 'DE',
    regulations: ['gdpr'],
    risk: 6,
    plausible: steuernummerPlausible,
    forms: [
      { pattern: String.raw`\d{2,3}/\d{3}/\d{4,5}` },
      { pattern: String.raw`\d{3}/\d{4}/\d{4}` },
      { pattern: String.raw`\d{13}` },
    ],
    context: { words: ['steuernummer', 'steuernr', 'st nr', 'st.-nr', 'st.nr'] },
    examples: {
      match: [
        { text: 'Steuernummer: 181/815/08155', value: '181/815/08155' },
        { text: 'St.-Nr. 21/815/08150', value: '21/815/08150' },
        { text: '2181081508155', field: 'steuernummer' },
      ],
      not: [
        '181/815/08155',
        'Steuernummer 000/000/00000',
        'Steuernummer 181/815/081555',
        'Steuernummer 2181481508155',
      ],
    },
  }),
];
