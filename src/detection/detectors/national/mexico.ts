import { beginsWithYymmdd } from '../../checks/calendar-date.ts';
import { luhn } from '../../checks/check-digits.ts';
import { curpChecks, rfcChecks } from '../../checks/national/north-america.ts';
import type { Detector } from '../../detector.ts';
import { COMPACT, formattedId } from '../../families/ids/formatted-id.ts';

const STATES = /^(?:0[1-9]|[12]\d|3[0-3]|8[78])/;

export const mexico: readonly Detector[] = [
  formattedId({
    id: 'MX_CURP',
    title: 'Mexican population key (CURP)',
    category: 'direct_identifier',
    country: 'MX',
    regulations: ['gdpr', 'ccpa'],
    risk: 9,
    forms: [
      {
        pattern: String.raw`[A-Z][AEIOUX][A-Z]{2}\d{6}[HMX][A-Z]{2}[B-DF-HJ-NP-TV-Z]{3}[A-Z0-9]\d`,
        free: true,
      },
    ],
    check: curpChecks,
    context: { words: ['curp', 'clave unica', 'registro de población', 'registro de poblacion'] },
    examples: {
      match: [
        'GOMC850312MDFRRL05',
        { text: 'CURP: LOPJ920725HJCPRN00', value: 'LOPJ920725HJCPRN00' },
        { text: 'BOXW310820HNERXN09', field: 'curp' },
      ],
      not: ['GOMC850312MDFRRL06', 'GOMC851312MDFRRL05', 'GOMC850312MZZRRL05', 'AGOMC850312MDFRRL05'],
    },
  }),
  formattedId({
    id: 'MX_NSS',
    title: 'Mexican social security number',
    category: 'direct_identifier',
    country: 'MX',
    regulations: ['gdpr', 'ccpa'],
    risk: 9,
    forms: [{ pattern: String.raw`\d{2}-\d{2}-\d{2}-\d{4}-\d` }, { pattern: String.raw`\d{11}` }],
    check: luhn,
    context: { words: ['nss', 'imss', 'seguro social', 'seguridad social'] },
    examples: {
      match: [
        { text: 'NSS: 92876534212', value: '92876534212' },
        { text: 'IMSS 92-87-65-3421-2', value: '92-87-65-3421-2' },
        { text: '12345678903', field: 'nss' },
      ],
      not: ['92876534212', 'NSS 92876534213', 'NSS 928765342120', '92-87-65-3421-2'],
    },
  }),
  // Of a person four letters and a birth date; of a company three letters, and then only with its label.
  formattedId({
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
  }),
  // Consonants of the names, birth date, state of birth, sex, homonyms.
  formattedId({
    id: 'MX_VOTER_KEY',
    title: 'Mexican voter key',
    category: 'direct_identifier',
    country: 'MX',
    regulations: ['gdpr', 'ccpa'],
    risk: 9,
    strength: 'format',
    confidence: 0.85,
    forms: [{ pattern: String.raw`[B-DF-HJ-NP-TV-Z]{6}\d{8}[HM]\d{3}`, free: true }],
    plausible: hasBirthDateAndState,
    context: { words: ['clave de elector', 'ine', 'elector', 'credencial para votar'] },
    examples: {
      match: [
        'GMVLMR80070501M100',
        { text: 'Clave de elector LPGRJN92072514H300', value: 'LPGRJN92072514H300' },
        { text: 'HRRDMR85031209M001', field: 'clave_elector' },
      ],
      not: ['GMVLMR80130501M100', 'GMVLMR80070599M100', 'GMVLMR80070501X100', 'GAVLMR80070501M100'],
    },
  }),
];

function hasBirthDateAndState(key: string): boolean {
  return beginsWithYymmdd(key.slice(6)) && STATES.test(key.slice(12));
}
