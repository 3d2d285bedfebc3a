import type { Detector } from '../../detector.ts';
import { dictionaryWord } from '../../families/dictionary-word.ts';

export const ethnicGroup: Detector = dictionaryWord({
  id: 'ETHNIC_GROUP',
  title: 'Race or ethnic group',
  category: 'quasi_identifier',
  regulations: ['gdpr', 'ccpa'],
  optional: true,
  anywhere: true,
  risk: 5,
  confidence: 0.65,
  values: [
    ...[
      'white',
      'black',
      'asian',
      'black or african american',
      'black/african american',
      'african american',
      'caucasian',
    ],
    ...[
      'hispanic',
      'latino',
      'latina',
      'latinx',
      'hispanic or latino',
      'not hispanic or latino',
      'american indian',
    ],
    ...[
      'american indian or alaska native',
      'native american',
      'alaska native',
      'native hawaiian',
      'pacific islander',
    ],
    ...[
      'native hawaiian or other pacific islander',
      'two or more races',
      'multi racial',
      'multiracial',
      'mixed race',
    ],
    ...[
      'middle eastern',
      'arab',
      'south asian',
      'east asian',
      'han chinese',
      'roma',
      'sinti',
      'aboriginal',
      'first nations',
      'inuit',
      'maori',
    ],
  ],
  phrase: /\b(?:race|ethnicity|ethnic(?: group| origin)?|racial group)(?: is|:|"?: ?"?| ?=)? ?["']?$/i,
  context: {
    words: ['race', 'ethnicity', 'ethnic group', 'ethnic origin', 'ethnic', 'racial group'],
    avoid: ['race condition', 'horse race', 'race time'],
  },
  examples: {
    match: [
      { text: 'Race: Asian', value: 'Asian' },
      { text: '"ethnicity": "Hispanic or Latino"', value: 'Hispanic or Latino' },
      { text: 'BLACK_OR_AFRICAN_AMERICAN', field: 'race' },
    ],
    not: ['Asian', 'White paper', 'race: 100 m hurdles', 'a race in Black Forest'],
  },
});
