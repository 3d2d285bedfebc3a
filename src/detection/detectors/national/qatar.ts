import type { Detector } from '../../detector.ts';
import { formattedId } from '../../families/ids/formatted-id.ts';

export const qatar: readonly Detector[] = [
  // Century, year of birth, country of birth in three digits, serial number.
  formattedId({
    id: 'QA_QID',
    title: 'Qatari identity number',
    category: 'direct_identifier',
    country: 'QA',
    regulations: ['gdpr', 'ccpa'],
    risk: 9,
    forms: [{ pattern: String.raw`[23]\d{10}` }],
    plausible: hasCountryCode,
    context: { words: ['qid', 'qatar id', 'qatari id'] },
    examples: {
      match: [
        { text: 'QID: 28463401234', value: '28463401234' },
        { text: 'Qatar ID 29035602938', value: '29035602938' },
        { text: '27881804726', field: 'qid' },
      ],
      not: ['28463401234', 'QID 18463401234', 'QID 2846340123', 'QID 28499901234'],
    },
  }),
];

/** ISO 3166 numbers end with 894. */
function hasCountryCode(qid: string): boolean {
  const code = Number(qid.slice(3, 6));
  return code >= 4 && code <= 894;
}
