import type { Detector } from '../../detector.ts';
import { COMPACT, formattedId } from '../../families/formatted-id.ts';

export const jpResidenceCard: Detector = formattedId({
  id: 'JP_RESIDENCE_CARD',
  title: 'Japanese residence card',
  category: 'direct_identifier',
  country: 'JP',
  regulations: ['gdpr', 'ccpa'],
  risk: 9,
  confidence: 0.85,
  forms: [{ pattern: String.raw`[A-Z]{2}\d{8}[A-Z]{2}`, begins: COMPACT }],
  context: { words: ['residence card', 'zairyu', 'zairyu card'] },
  examples: {
    match: [
      { text: 'Residence card: AB12345678CD', value: 'AB12345678CD' },
      { text: 'zairyu card no. SE83746512LA', value: 'SE83746512LA' },
      { text: 'UH19283746ZX', field: 'residence_card_number' },
    ],
    not: [
      'AB12345678CD',
      'residence card AB1234567CD',
      'residence card AB123456789CD',
      'residence card A123456789CD',
    ],
  },
});
