import { rfcChecks } from '../../checks/mexico.ts';
import type { Detector } from '../../detector.ts';
import { COMPACT, formattedId } from '../../families/formatted-id.ts';

/** Of a person four letters and a birth date; of a company three letters, and then only with its label. */
export const mxRfc: Detector = formattedId({
  id: 'MX_RFC',
  title: 'Mexican tax number (RFC)',
  category: 'direct_identifier',
  country: 'MX',
  regulations: ['gdpr', 'ccpa', 'glba'],
  risk: 8,
  forms: [
    { pattern: String.raw`[A-Z][AEIOUX][A-Z]{2}\d{6}[A-Z0-9]{2}[0-9A]`, free: true },
    { pattern: String.raw`[A-Z]{3}\d{6}[A-Z0-9]{2}[0-9A]`, begins: COMPACT },
  ],
  check: rfcChecks,
  context: { words: ['rfc', 'registro federal', 'contribuyente'] },
  examples: {
    match: [
      'GOMC850312AB2',
      { text: 'RFC: GODE561231GR8', value: 'GODE561231GR8' },
      { text: 'MAB9307148T4', field: 'rfc' },
    ],
    not: ['GOMC850312AB3', 'GODE561331GR8', 'MAB9307148T4', 'RFC MAB9307148T5', 'GOMC850312AB21'],
  },
});
