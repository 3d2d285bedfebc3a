import type { Detector } from '../../detector.ts';
import { COMPACT, formattedId } from '../../families/formatted-id.ts';

export const inVoterId: Detector = formattedId({
  id: 'IN_VOTER_ID',
  title: 'Indian voter card (EPIC)',
  category: 'direct_identifier',
  country: 'IN',
  regulations: ['gdpr', 'ccpa'],
  risk: 7,
  forms: [{ pattern: String.raw`[A-Z]{3}\d{7}`, begins: COMPACT }],
  context: { words: ['voter', 'voter id', 'epic', 'election commission', 'elector photo'] },
  examples: {
    match: [
      { text: 'Voter ID: WKH1186253', value: 'WKH1186253' },
      { text: 'EPIC No. ABC7391824', value: 'ABC7391824' },
      { text: 'XGT2938475', field: 'voter_id' },
    ],
    not: ['WKH1186253', 'voter id WKH118625', 'voter id WKH11862533', 'voter id WK11862533'],
  },
});
