import { spiChecks } from '../../checks/france.ts';
import type { Detector } from '../../detector.ts';
import { formattedId } from '../../families/formatted-id.ts';

export const frTaxNumber: Detector = formattedId({
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
});
