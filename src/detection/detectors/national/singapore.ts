import { uenChecks } from '../../checks/national/companies.ts';
import { nricChecks } from '../../checks/national/south-asia.ts';
import type { Detector } from '../../detector.ts';
import { COMPACT, formattedId } from '../../families/ids/formatted-id.ts';

export const singapore: readonly Detector[] = [
  formattedId({
    id: 'SG_NRIC',
    title: 'Singaporean identity number (NRIC, FIN)',
    category: 'direct_identifier',
    country: 'SG',
    regulations: ['gdpr', 'ccpa'],
    risk: 9,
    confidence: 0.8,
    forms: [{ pattern: String.raw`[STFGM]\d{7}[A-Z]`, free: true }],
    check: nricChecks,
    context: { words: ['nric', 'fin', 'singapore', 'uinfin'] },
    examples: {
      match: [
        'S7392846Z',
        { text: 'NRIC: T0183746F', value: 'T0183746F' },
        { text: 'G4829173U', field: 'fin' },
        { text: 'FIN M5398242L', value: 'M5398242L' },
      ],
      not: ['S7392846A', 'A7392846Z', 'S73928461Z', 'XS7392846Z', 'S7392846ZZ'],
    },
  }),
  formattedId({
    id: 'SG_UEN',
    title: 'Singaporean entity number',
    category: 'quasi_identifier',
    country: 'SG',
    regulations: [],
    risk: 3,
    forms: [
      { pattern: String.raw`\d{8}[A-Z]`, begins: COMPACT },
      { pattern: String.raw`(?:19|20)\d{7}[A-Z]`, begins: COMPACT },
      { pattern: String.raw`[RST]\d{2}[A-Z]{2}\d{4}[A-Z]`, begins: COMPACT },
    ],
    check: uenChecks,
    context: { words: ['uen', 'unique entity number', 'acra', 'roc no', 'company registration'] },
    examples: {
      match: [
        { text: 'UEN: 197401143C', value: '197401143C' },
        { text: 'UEN S16FC0121D', value: 'S16FC0121D' },
        { text: '53284716D', field: 'uen' },
      ],
      not: ['197401143C', 'UEN 197401143D', 'UEN S16FC0121E', 'UEN 53284716DD'],
    },
  }),
];
