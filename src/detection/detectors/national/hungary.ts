import { adoazonositoChecks, szemelyiSzamChecks, tajChecks } from '../../checks/national/central-europe.ts';
import type { Detector } from '../../detector.ts';
import { formattedId } from '../../families/ids/formatted-id.ts';

export const hungary: readonly Detector[] = [
  formattedId({
    id: 'HU_PERSONAL_ID',
    title: 'Hungarian personal identification number',
    category: 'direct_identifier',
    country: 'HU',
    regulations: ['gdpr'],
    risk: 9,
    check: szemelyiSzamChecks,
    forms: [{ pattern: String.raw`[1-8][ -]?\d{6}[ -]?\d{4}` }],
    context: { words: ['szemelyi szam', 'szemelyi azonosito', 'személyi szám', 'szemelyi azonosito'] },
    examples: {
      match: [
        { text: 'Szemelyi szam: 1-840917-2844', value: '1-840917-2844' },
        { text: 'szemelyi azonosito 40206113383', value: '40206113383' },
        { text: '18501011231', field: 'szemelyi_szam' },
      ],
      not: [
        '1-840917-2844',
        'Szemelyi szam 1-840917-2845',
        'Szemelyi szam 1-841317-2844',
        'Szemelyi szam 184091728440',
      ],
    },
  }),
  formattedId({
    id: 'HU_TAJ',
    title: 'Hungarian social security number (TAJ)',
    category: 'direct_identifier',
    country: 'HU',
    regulations: ['gdpr'],
    risk: 9,
    check: tajChecks,
    forms: [{ pattern: String.raw`\d{3}[ -]\d{3}[ -]\d{3}` }, { pattern: String.raw`\d{9}` }],
    context: { words: ['taj'] },
    examples: {
      match: [
        { text: 'TAJ szam: 081 726 439', value: '081 726 439' },
        { text: 'TAJ: 392817460', value: '392817460' },
        { text: '081-726-439', field: 'taj_szam' },
      ],
      not: ['081 726 439', 'TAJ 081 726 438', 'TAJ 111 111 110', 'TAJ 0817264391'],
    },
  }),
  formattedId({
    id: 'HU_TAX_ID',
    title: 'Hungarian personal tax number',
    category: 'direct_identifier',
    country: 'HU',
    regulations: ['gdpr'],
    risk: 8,
    check: adoazonositoChecks,
    forms: [{ pattern: String.raw`8\d{9}` }],
    context: { words: ['adoazonosito', 'adóazonosító'] },
    examples: {
      match: [
        { text: 'Adoazonosito jel: 8071592153', value: '8071592153' },
        { text: 'adoazonosito 8437281547', value: '8437281547' },
        { text: '8410592304', field: 'adoazonosito_jel' },
      ],
      not: [
        '8071592153',
        'Adoazonosito jel 8071592154',
        'Adoazonosito jel 7071592153',
        'Adoazonosito jel 80715921530',
      ],
    },
  }),
];
