import { isDigit, standsAlone, textOf } from '../../bytes.ts';
import { acceptMatch, type Detector, rejectMatch } from '../../detector.ts';
import { adjacentLabel } from '../../families/ids/adjacent-label.ts';
import { maskSecret } from '../../masks.ts';
import { REASON } from '../../reasons.ts';

const WORDS = [
  'credit score',
  'fico',
  'fico score',
  'vantagescore',
  'vantage score',
  'credit rating',
  'beacon score',
  'experian score',
  'equifax score',
  'transunion score',
  'cibil score',
];
const beside = adjacentLabel(WORDS);

export const creditScore: Detector = {
  id: 'CREDIT_SCORE',
  title: 'Credit score',
  category: 'financial',
  strength: 'context',
  regulations: ['glba', 'ccpa'],
  risk: 5,
  prefilters: [{ pattern: String.raw`\b[3-9]\d\d\b`, labelled: true }],
  confidence: 0.75,
  context: { words: WORDS },
  verify(bytes, at, match) {
    const end = at + 3;
    const score = Number(textOf(bytes, at, end));
    if (!isDigit(bytes[at]!) || !(score >= 300 && score <= 900)) return rejectMatch(match, 'range');
    if (!standsAlone(bytes, at, end)) return rejectMatch(match, 'stands alone');
    if (!beside(bytes, at, end) || !match.hasLabel(at)) return rejectMatch(match, 'label');
    return acceptMatch(match, at, end, REASON.pattern);
  },
  mask: (value) => maskSecret(value),
  examples: {
    match: [
      { text: 'Credit score: 712', value: '712' },
      { text: 'FICO score of 688 in May', value: '688' },
      { text: '"creditScore": 801', value: '801' },
      { text: '645', field: 'fico_score' },
    ],
    not: [
      '712',
      'credit score 299',
      'credit score 901',
      'credit score was asked 712 times',
      'credit score 7120',
    ],
  },
};
