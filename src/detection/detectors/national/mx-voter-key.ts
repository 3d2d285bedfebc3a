import { beginsWithYymmdd } from '../../checks/calendar-date.ts';
import type { Detector } from '../../detector.ts';
import { formattedId } from '../../families/formatted-id.ts';

const STATES = /^(?:0[1-9]|[12]\d|3[0-3]|8[78])/;

function dated(key: string): boolean {
  return beginsWithYymmdd(key.slice(6)) && STATES.test(key.slice(12));
}

/** Consonants of the names, birth date, state of birth, sex, homonyms. */
export const mxVoterKey: Detector = {
  ...formattedId({
    id: 'MX_VOTER_KEY',
    title: 'Mexican voter key',
    category: 'direct_identifier',
    country: 'MX',
    regulations: ['gdpr', 'ccpa'],
    risk: 9,
    confidence: 0.85,
    forms: [{ pattern: String.raw`[B-DF-HJ-NP-TV-Z]{6}\d{8}[HM]\d{3}`, free: true }],
    plausible: dated,
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
  standing: 'formed',
};
