import { healthInsuranceNumberChecks } from '../../checks/germany.ts';
import type { Detector } from '../../detector.ts';
import { formattedId } from '../../families/formatted-id.ts';

export const deHealthInsurance: Detector = formattedId({
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
});
