import { peruRucChecks } from '../../checks/spanish-america.ts';
import type { Detector } from '../../detector.ts';
import { formattedId } from '../../families/formatted-id.ts';

export const peRuc: Detector = formattedId({
  id: 'PE_RUC',
  title: 'Peruvian tax number (RUC)',
  category: 'direct_identifier',
  country: 'PE',
  regulations: ['gdpr', 'ccpa', 'glba'],
  risk: 5,
  forms: [{ pattern: String.raw`(?:10|15|16|17|20)\d{9}` }],
  check: peruRucChecks,
  context: { words: ['ruc', 'registro unico de contribuyente', 'sunat'] },
  examples: {
    match: [
      { text: 'RUC: 20512333797', value: '20512333797' },
      { text: 'RUC 10418237568', value: '10418237568' },
      { text: '20131312955', field: 'ruc' },
    ],
    not: ['20512333797', 'RUC 20512333798', 'RUC 30512333797', 'RUC 205123337970'],
  },
});
