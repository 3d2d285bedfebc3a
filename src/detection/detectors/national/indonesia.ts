import { nikPlausible } from '../../checks/national/south-asia.ts';
import type { Detector } from '../../detector.ts';
import { formattedId } from '../../families/ids/formatted-id.ts';

export const indonesia: readonly Detector[] = [
  formattedId({
    id: 'ID_NIK',
    title: 'Indonesian identity number (NIK)',
    category: 'direct_identifier',
    country: 'ID',
    regulations: ['gdpr', 'ccpa'],
    risk: 9,
    confidence: 0.8,
    forms: [{ pattern: String.raw`\d{16}` }, { pattern: String.raw`\d{6}[ .]\d{6}[ .]\d{4}` }],
    plausible: nikPlausible,
    context: { words: ['nik', 'ktp', 'nomor induk', 'kartu tanda penduduk', 'nomor ktp'] },
    examples: {
      match: [
        { text: 'NIK: 3171011708850001', value: '3171011708850001' },
        { text: 'KTP 3273015204920003', value: '3273015204920003' },
        { text: '3578102611790002', field: 'nik' },
      ],
      not: ['3171011708850001', 'NIK 3171013208850001', 'NIK 9971011708850001', 'NIK 31710117088500012'],
    },
  }),
];
