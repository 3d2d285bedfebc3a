import { ecuadorRucChecks } from '../../checks/spanish-america.ts';
import type { Detector } from '../../detector.ts';
import { formattedId } from '../../families/formatted-id.ts';

export const ecRuc: Detector = formattedId({
  id: 'EC_RUC',
  title: 'Ecuadorian tax number (RUC)',
  category: 'direct_identifier',
  country: 'EC',
  regulations: ['gdpr', 'ccpa', 'glba'],
  risk: 5,
  forms: [{ pattern: String.raw`\d{10}-?\d{3}` }],
  check: ecuadorRucChecks,
  context: { words: ['ruc', 'registro unico'] },
  examples: {
    match: [
      { text: 'RUC: 1792060346001', value: '1792060346001' },
      { text: 'RUC 1760001550001', value: '1760001550001' },
      { text: '1714307103001', field: 'ruc' },
    ],
    not: ['1792060346001', 'RUC 1792060347001', 'RUC 1714307103000', 'RUC 9992060346001'],
  },
});
