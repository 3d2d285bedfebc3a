import { residentIdChecks } from '../../checks/china.ts';
import type { Detector } from '../../detector.ts';
import { formattedId } from '../../families/formatted-id.ts';

/** Area, an existing date and the check together leave one in a hundred thousand numbers of eighteen digits. */
export const cnResidentId: Detector = formattedId({
  id: 'CN_RESIDENT_ID',
  title: 'Chinese resident identity',
  category: 'direct_identifier',
  country: 'CN',
  regulations: ['gdpr', 'ccpa'],
  risk: 9,
  confidence: 0.9,
  forms: [{ pattern: String.raw`[1-9]\d{5}(?:18|19|20)\d{9}[\dXx]`, free: true }],
  check: residentIdChecks,
  context: {
    words: [
      'resident id',
      'resident identity',
      'shenfenzheng',
      'sfz',
      'id card',
      'identity card',
      'id number',
    ],
  },
  examples: {
    match: [
      '11010519491231002X',
      { text: 'id card 310104199003072734', value: '310104199003072734' },
      { text: '440306198511234515', field: 'id_number' },
    ],
    not: [
      '110105194912310020',
      '11010519491331002X',
      '170105194912310022',
      '1110105194912310025',
      '3101041990030727340',
    ],
  },
});
