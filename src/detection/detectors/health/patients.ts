import { chiChecks } from '../../checks/national/britain-ireland.ts';
import { healthInsuranceNumberChecks } from '../../checks/national/germany.ts';
import { ssnIssuable } from '../../checks/national/north-america.ts';
import type { Detector } from '../../detector.ts';
import { formattedId } from '../../families/ids/formatted-id.ts';
import { idTokens, labelledId } from '../../families/ids/labelled-id.ts';

/** Numbers of patients and insured persons. */
export const patients: readonly Detector[] = [
  formattedId({
    id: 'DE_HEALTH_INSURANCE',
    title: 'German health insurance number (Krankenversichertennummer)',
    category: 'health_info',
    country: 'DE',
    regulations: ['gdpr'],
    risk: 9,
    check: healthInsuranceNumberChecks,
    forms: [{ pattern: String.raw`[A-Z]\d{9}` }],
    context: {
      words: [
        'krankenversichertennummer',
        'krankenversichertennr',
        'versichertennummer',
        'versichertennr',
        'versicherten id',
        'krankenversicherungsnummer',
        'kvnr',
        'krankenkasse',
      ],
    },
    examples: {
      match: [
        { text: 'KVNR A123456780', value: 'A123456780' },
        { text: 'Versichertennummer: M204581737', value: 'M204581737' },
        { text: 'Z839201749', field: 'kvnr' },
      ],
      not: ['A123456780', 'KVNR A123456781', 'KVNR AA123456780', 'Versichertennummer A1234567801'],
    },
  }),
  labelledId({
    id: 'HEALTH_PLAN_ID',
    title: 'Health insurance member number',
    category: 'health_info',
    regulations: ['hipaa', 'ccpa'],
    risk: 8,
    confidence: 0.75,
    prefilters: idTokens([8, 12], [8, 15]),
    shape: /^(?:\d{8,12}|[A-Z]{1,4}\d{6,12})$/,
    context: {
      words: [
        'member id',
        'member no',
        'member number',
        'subscriber id',
        'subscriber number',
        'health plan',
        'health plan id',
        'insurance id',
        'insurance number',
        'policy holder id',
        'beneficiary id',
        'group number',
        'policy number',
      ],
    },
    examples: {
      match: [
        { text: 'Member ID: XYZ123456789', value: 'XYZ123456789' },
        { text: 'subscriber id W123456789', value: 'W123456789' },
        { text: '908172635', field: 'healthPlanId' },
      ],
      not: ['XYZ123456789', '908172635', 'member since 12345678', 'Member ID: XYZ12'],
    },
  }),
  // Medicare's number until 2019: a social security number with a letter for the relation to the insured person.
  formattedId({
    id: 'HICN',
    title: 'US health insurance claim number (former Medicare number)',
    category: 'health_info',
    country: 'US',
    regulations: ['hipaa', 'ccpa'],
    risk: 10,
    confidence: 0.85,
    context: {
      words: [
        'hicn',
        'hic',
        'hic no',
        'hic number',
        'medicare',
        'medicare no',
        'medicare number',
        'medicare id',
        'health insurance claim',
        'claim number',
      ],
    },
    forms: [
      { pattern: String.raw`\d{3}-\d{2}-\d{4}-?(?:[ABCDEFTW][0-9A-Z]?|M1?|JA|KA)` },
      { pattern: String.raw`\d{9}(?:[ABCDEFTW][0-9A-Z]?|M1?|JA|KA)` },
    ],
    plausible: (plain) => ssnIssuable(plain.slice(0, 9)),
    examples: {
      match: [
        { text: 'HICN: 536-22-8741A', value: '536-22-8741A' },
        { text: 'Medicare number 536228741B1', value: '536228741B1' },
        { text: '536-22-8741-D', field: 'hic_number' },
      ],
      not: [
        '536228741A',
        'HICN 666-22-8741A',
        'HICN 536-22-8741',
        'HICN 536-22-8741Z',
        'HICN 536-22-8741A55',
      ],
    },
  }),
  // Every state has a form of its own: digits, or digits and a letter or two.
  formattedId({
    id: 'MEDICAID_ID',
    title: 'US Medicaid member number',
    category: 'health_info',
    country: 'US',
    regulations: ['hipaa', 'ccpa'],
    risk: 8,
    context: {
      words: [
        'medicaid',
        'medicaid id',
        'medicaid no',
        'medicaid number',
        'medi-cal',
        'medi-cal id',
        'masshealth',
        'badgercare',
        'medicaid member id',
        'medicaid recipient',
      ],
    },
    forms: [
      { pattern: String.raw`\d{8}[A-Z]\d{5}` },
      { pattern: String.raw`\d{8}[A-Z]` },
      { pattern: String.raw`[A-Z]{2}\d{5}[A-Z]` },
      { pattern: String.raw`[A-Z]{1,2}\d{7,11}` },
      { pattern: String.raw`\d{8,14}` },
    ],
    plausible: (plain) => !/(\d)\1{7}/.test(plain) && !/^(?:19|20)\d\d[01]\d[0-3]\d$/.test(plain),
    examples: {
      match: [
        { text: 'Medicaid ID: AB12345C', value: 'AB12345C' },
        { text: 'Medi-Cal ID 90812765D', value: '90812765D' },
        { text: 'Medicaid number 4829105736', value: '4829105736' },
        { text: '123450987654', field: 'medicaid_id' },
      ],
      not: [
        'AB12345C',
        '4829105736',
        'Medicaid ID 1234567',
        'Medicaid ID 00000000',
        'Medicaid since 20240131',
      ],
    },
  }),
  labelledId({
    id: 'MRN',
    title: 'Medical record number',
    category: 'health_info',
    regulations: ['hipaa', 'gdpr', 'ccpa'],
    risk: 8,
    confidence: 0.8,
    prefilters: [...idTokens([5, 10], [6, 12]), { pattern: String.raw`\b[A-Z]{1,4}-\d{5,10}\b` }],
    shape: /^[A-Z]{0,4}-?\d{5,10}$/,
    context: {
      words: [
        'mrn',
        'medical record',
        'medical record no',
        'medical record number',
        'patient id',
        'patient no',
        'patient number',
        'chart number',
        'hospital number',
        'medical rec no',
        'med rec',
        'encounter number',
        'encounter id',
        'mr no',
        'patient identifier',
      ],
    },
    examples: {
      match: [
        { text: 'MRN: 00482913', value: '00482913' },
        { text: 'Medical record number A-482913', value: 'A-482913' },
        { text: 'H482913', field: 'patient_id' },
      ],
      not: ['00482913', 'A-482913', 'the patient was seen 482913 times', 'MRN 12'],
    },
  }),
  formattedId({
    id: 'UK_CHI',
    title: 'Scottish CHI number',
    category: 'health_info',
    country: 'GB',
    regulations: ['gdpr'],
    risk: 9,
    check: chiChecks,
    forms: [{ pattern: String.raw`\d{6} ?\d{4}` }],
    context: { words: ['chi', 'chi no', 'chi number', 'community health index'] },
    examples: {
      match: [
        { text: 'CHI number 1504842960', value: '1504842960' },
        { text: 'CHI: 281159 0137', value: '281159 0137' },
        { text: '0303924519', field: 'chi_number' },
      ],
      not: ['1504842960', 'CHI 1504842962', 'CHI 9434765919', 'CHI 15048429600'],
    },
  }),
];
