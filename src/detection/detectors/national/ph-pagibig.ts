import type { Detector } from '../../detector.ts';
import { formattedId } from '../../families/formatted-id.ts';

export const phPagibig: Detector = formattedId({
  id: 'PH_PAGIBIG',
  title: 'Philippine housing fund number (Pag-IBIG)',
  category: 'direct_identifier',
  country: 'PH',
  regulations: ['gdpr', 'ccpa'],
  risk: 6,
  forms: [{ pattern: String.raw`\d{4}-\d{4}-\d{4}` }, { pattern: String.raw`\d{12}` }],
  context: { words: ['pag ibig', 'pagibig', 'hdmf', 'mid no', 'pag ibig mid'] },
  examples: {
    match: [
      { text: 'Pag-IBIG: 1212-3847-5610', value: '1212-3847-5610' },
      { text: 'HDMF no. 1210-9283-7465', value: '1210-9283-7465' },
      { text: '121238475610', field: 'pagibig_mid' },
    ],
    not: ['1212-3847-5610', 'Pag-IBIG 1212-3847-561', '121238475610', 'HDMF 12123847561'],
  },
});
