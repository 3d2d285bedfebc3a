import type { Detector } from '../../detector.ts';
import { dictionaryWord } from '../../families/dictionary-word.ts';

export const gender: Detector = dictionaryWord({
  id: 'GENDER',
  title: 'Gender',
  category: 'quasi_identifier',
  regulations: ['gdpr', 'ccpa'],
  risk: 2,
  confidence: 0.65,
  values: [
    ...['male', 'female', 'non binary', 'nonbinary', 'transgender', 'intersex', 'genderqueer', 'agender'],
    ...[
      'männlich',
      'weiblich',
      'divers',
      'homme',
      'femme',
      'hombre',
      'mujer',
      'masculino',
      'femenino',
      'feminino',
    ],
  ],
  letters: ['m', 'f', 'x'],
  phrase: /\b(?:gender|sex|geschlecht|sexe|sexo|sesso)(?: is| =|"?: ?"?|=|\]?: ?)? ?["']?$/i,
  context: {
    words: ['gender', 'sex', 'geschlecht', 'sexe', 'sexo', 'sesso', 'gender identity'],
    avoid: ['sex offender', 'sex education'],
  },
  examples: {
    match: [
      { text: 'Gender: Female', value: 'Female' },
      { text: '"sex": "male"', value: 'male' },
      { text: 'FEMALE', field: 'customer_gender' },
      { text: '7,F,34', value: 'F', field: 'sex' },
    ],
    not: ['Female', 'the gender pay gap', 'sex: unknown', 'male', '7,F,34'],
  },
});
