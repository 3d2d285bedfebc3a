import type { Detector } from '../../detector.ts';
import { COMPACT, formattedId } from '../../families/formatted-id.ts';

/**
 * Plates of Britain, France, Italy, Germany, Spain, Brazil, India, the Netherlands and the states of the US; none
 * without a label.
 */
export const licensePlate: Detector = formattedId({
  id: 'LICENSE_PLATE',
  title: 'Vehicle licence plate',
  category: 'quasi_identifier',
  regulations: ['gdpr', 'ccpa'],
  risk: 4,
  confidence: 0.7,
  forms: [
    { pattern: String.raw`[A-Z]{2}\d{2}[A-Z]{3}`, begins: COMPACT },
    { pattern: String.raw`[A-Z]{2}\d{3}[A-Z]{2}`, begins: COMPACT },
    { pattern: String.raw`\d{4}[B-DF-HJ-NP-TV-Z]{3}`, begins: COMPACT },
    { pattern: String.raw`[A-Z]{3}\d[A-Z0-9]\d{1,2}`, begins: COMPACT },
    { pattern: String.raw`[A-Z]{2}\d{1,2}[A-Z]{1,3}\d{4}`, begins: COMPACT },
    { pattern: String.raw`\d[A-Z]{3}\d{3}`, begins: COMPACT },
    { pattern: String.raw`\d{3}[A-Z]{3}`, begins: COMPACT },
    { pattern: String.raw`[A-Z]{2}\d{4,5}`, begins: COMPACT },
    { pattern: String.raw`[A-Z]{2}\d{2} [A-Z]{3}` },
    { pattern: String.raw`[A-Z]{2}[ -]\d{3}[ -][A-Z]{2}`, begins: '[A-Z]{2}[ -][A-Z0-9]' },
    { pattern: String.raw`[A-Z]{2}[ -]\d{1,2}[ -][A-Z]{1,3}[ -]\d{4}`, begins: '[A-Z]{2}[ -][A-Z0-9]' },
    { pattern: String.raw`[A-Z]{2}[ -]\d{4,5}`, begins: '[A-Z]{2}[ -][A-Z0-9]' },
    { pattern: String.raw`[A-Z]{2}[ -][A-Z]{1,2} ?\d{1,4}[EH]?`, begins: '[A-Z]{2}[ -][A-Z0-9]' },
    { pattern: String.raw`[A-Z][ -][A-Z]{1,2} ?\d{1,4}[EH]?`, begins: '[A-Z][ -][A-Z]' },
    { pattern: String.raw`[A-Z]{3}[ -][A-Z]{1,2} ?\d{1,4}[EH]?`, begins: '[A-Z]{3}[ -][A-Z0-9]' },
    { pattern: String.raw`[A-Z]{3}[ -]\d[A-Z0-9]\d{1,2}`, begins: '[A-Z]{3}[ -][A-Z0-9]' },
    { pattern: String.raw`\d{4}[ -][B-DF-HJ-NP-TV-Z]{3}`, begins: String.raw`\d{4}[ -][A-Z]` },
    { pattern: String.raw`\d{3}[ -][A-Z]{3}`, begins: String.raw`\d{3}[ -][A-Z]{2}` },
    { pattern: String.raw`\d{2}-[A-Z]{2,3}-\d{1,2}`, begins: String.raw`\d{2}-[A-Z]{2}` },
  ],
  context: {
    words: [
      'license plate',
      'licence plate',
      'plate',
      'plate no',
      'plate number',
      'number plate',
      'tag number',
      'registration plate',
      'vehicle registration',
      'vehicle reg',
      'vrm',
      'kennzeichen',
      'immatriculation',
      'matricula',
      'matrícula',
      'targa',
      'placa',
      'kenteken',
      'rego',
    ],
  },
  examples: {
    match: [
      { text: 'License plate: 7ABC123', value: '7ABC123' },
      { text: 'Kennzeichen B-MW 1234', value: 'B-MW 1234' },
      { text: 'number plate AB12 CDE', value: 'AB12 CDE' },
      { text: 'AB-123-CD', field: 'plate_number' },
      { text: 'placa ABC1D23', value: 'ABC1D23' },
      { text: 'vehicle registration MH 12 AB 1234', value: 'MH 12 AB 1234' },
    ],
    not: [
      '7ABC123',
      'AB12 CDE',
      'license plate ABCDEF',
      'plate 1234567',
      'plate number unknown',
      'plate AB12CDEFG',
    ],
  },
});
