import { pensionNumberChecks } from '../../checks/germany.ts';
import type { Detector } from '../../detector.ts';
import { formattedId } from '../../families/formatted-id.ts';

export const dePensionNumber: Detector = formattedId({
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
});
