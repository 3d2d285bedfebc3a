import { canadaBusinessChecks } from '../../checks/national/companies.ts';
import { bcPhnChecks, ohipChecks, ramqDated, sinChecks } from '../../checks/national/north-america.ts';
import type { Detector } from '../../detector.ts';
import { COMPACT, formattedId } from '../../families/ids/formatted-id.ts';

export const canada: readonly Detector[] = [
  formattedId({
    id: 'CA_BC_PHN',
    title: 'British Columbia health number',
    category: 'health_info',
    country: 'CA',
    regulations: ['hipaa', 'gdpr', 'ccpa'],
    risk: 8,
    forms: [
      { pattern: String.raw`9\d{3} \d{3} \d{3}` },
      { pattern: String.raw`9\d{3}-\d{3}-\d{3}` },
      { pattern: String.raw`9\d{9}` },
    ],
    check: bcPhnChecks,
    context: { words: ['phn', 'personal health number', 'care card', 'bc services card', 'msp'] },
    examples: {
      match: [
        { text: 'PHN: 9876 543 218', value: '9876 543 218' },
        { text: 'Personal health number 9283 746 159', value: '9283 746 159' },
        { text: '9012372173', field: 'patient_phn' },
      ],
      not: ['9876 543 218', '9012372173', 'PHN 9876 543 217', 'PHN 8876 543 218', 'PHN 98765432180'],
    },
  }),
  formattedId({
    id: 'CA_BUSINESS_NUMBER',
    title: 'Canadian business number',
    category: 'quasi_identifier',
    country: 'CA',
    regulations: [],
    risk: 3,
    forms: [
      { pattern: String.raw`\d{9}R[CPTRZM]\d{4}`, free: true },
      { pattern: String.raw`\d{9} R[CPTRZM] ?\d{4}` },
    ],
    check: canadaBusinessChecks,
    context: { words: ['business number', 'bn', 'gst', 'hst', 'payroll account'] },
    examples: {
      match: [
        '800123457RT0001',
        { text: 'GST 837462910 RC 0002', value: '837462910 RC 0002' },
        { text: '123456782RC0001', field: 'business_number' },
      ],
      not: ['800123458RT0001', '800123457RX0001', '800123457RT001', '1800123457RT0001'],
    },
  }),
  formattedId({
    id: 'CA_OHIP',
    title: 'Ontario health card number',
    category: 'health_info',
    country: 'CA',
    regulations: ['hipaa', 'gdpr', 'ccpa'],
    risk: 8,
    forms: [
      { pattern: String.raw`\d{4}-\d{3}-\d{3}(?:[- ]?[A-Z]{2})?` },
      { pattern: String.raw`\d{4} \d{3} \d{3}(?: ?[A-Z]{2})?` },
      { pattern: String.raw`\d{10}(?:[- ]?[A-Z]{2})?` },
    ],
    check: ohipChecks,
    context: { words: ['ohip', 'health card', 'health insurance', 'ontario health'] },
    examples: {
      match: [
        { text: 'OHIP: 5584 486 673', value: '5584 486 673' },
        { text: 'Health card 6249-183-721-YM', value: '6249-183-721-YM' },
        { text: '7382910466', field: 'ohip_number' },
      ],
      not: ['5584 486 673', '7382910466', 'OHIP 5584 486 674', 'OHIP 55844866731'],
    },
  }),
  // Its last digit checks, but how is not published; name, date and label must do.
  formattedId({
    id: 'CA_RAMQ',
    title: 'Quebec health insurance number',
    category: 'health_info',
    country: 'CA',
    regulations: ['hipaa', 'gdpr', 'ccpa'],
    risk: 8,
    forms: [
      { pattern: String.raw`[A-Z]{4}[ -]\d{4}[ -]\d{4}` },
      { pattern: String.raw`[A-Z]{4}\d{8}`, begins: COMPACT },
    ],
    plausible: ramqDated,
    context: {
      words: ['ramq', 'nam', 'assurance maladie', 'carte soleil', 'health card', 'health insurance'],
    },
    examples: {
      match: [
        { text: 'RAMQ: TREM 8552 1417', value: 'TREM 8552 1417' },
        { text: 'NAM BOUL-7203-2911', value: 'BOUL-7203-2911' },
        { text: 'GAGN91081912', field: 'ramq' },
      ],
      not: ['TREM 8552 1417', 'RAMQ TREM 8513 1417', 'RAMQ TREM 8552 3217', 'RAMQ TREM 8552 14170'],
    },
  }),
  formattedId({
    id: 'CA_SIN',
    title: 'Canadian social insurance number',
    category: 'direct_identifier',
    country: 'CA',
    regulations: ['gdpr', 'ccpa', 'glba'],
    risk: 9,
    forms: [
      { pattern: String.raw`\d{3}-\d{3}-\d{3}` },
      { pattern: String.raw`\d{3} \d{3} \d{3}` },
      { pattern: String.raw`\d{9}` },
    ],
    check: sinChecks,
    context: { words: ['sin', 'social insurance', 'social insurance number', 'assurance sociale'] },
    examples: {
      match: [
        { text: 'SIN: 518 204 730', value: '518 204 730' },
        { text: 'social insurance number 293-847-166', value: '293-847-166' },
        { text: '713849206', field: 'sin' },
      ],
      not: ['518 204 730', '293-847-166', 'SIN: 518 204 731', 'SIN: 046 454 286', 'SIN 518 204 7300'],
    },
  }),
];
