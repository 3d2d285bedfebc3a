import { cusipChecks } from '../../checks/securities.ts';
import type { Detector } from '../../detector.ts';
import { formattedId } from '../../families/formatted-id.ts';

export const cusip: Detector = formattedId({
  id: 'CUSIP',
  title: 'CUSIP number of a North American security',
  category: 'financial',
  country: 'US',
  regulations: ['glba'],
  risk: 2,
  context: { words: ['cusip', 'cusip no', 'cusip number', 'security id', 'cins'] },
  forms: [{ pattern: String.raw`[0-9A-Z]{8}\d` }],
  check: cusipChecks,
  examples: {
    match: [
      { text: 'CUSIP: 037833100', value: '037833100' },
      { text: 'CUSIP No. 17275R102 Cisco', value: '17275R102' },
      { text: '38259P508', field: 'cusip' },
    ],
    not: ['037833100', 'CUSIP 037833101', 'CUSIP 0378331005', 'CUSIP 03783310'],
  },
});
