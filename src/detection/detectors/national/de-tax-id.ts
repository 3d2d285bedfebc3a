import { steuerIdChecks } from '../../checks/germany.ts';
import type { Detector } from '../../detector.ts';
import { formattedId } from '../../families/formatted-id.ts';

export const deTaxId: Detector = formattedId({
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
});
