import { germanCardPlausible } from '../../checks/germany.ts';
import type { Detector } from '../../detector.ts';
import { formattedId } from '../../families/formatted-id.ts';

/** Nine signs as printed, or ten with the check digit of the machine-readable zone. Passports begin with other letters. */
export const deIdCard: Detector = formattedId({
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
    not: ['L01X00T47', 'Personalausweis L01X00T472', 'Personalausweis LCHFGTXYZ', 'Ausweisnummer A01X00T47'],
  },
});
