import type { Detector } from '../../detector.ts';
import { marking } from '../../families/marking.ts';

/** A level alone is an ordinary word: it requires a label, unless it is the highest or names its alliance. */
export const classificationLevel: Detector = marking({
  id: 'CLASSIFICATION_LEVEL',
  title: 'Classification level',
  regulations: ['cui'],
  risk: 7,
  confidence: 0.75,
  begins: [
    String.raw`\b(?:TOP SECR|Top Secr)`,
    String.raw`\b(?:SECR|CONF|REST|UNCL|COSM|NATO)`,
    String.raw`\b(?:Confidential|Unclassified)`,
    'VS-NfD',
  ],
  forms: [
    { shape: /^(?:COSMIC )?TOP SECRET/ },
    { shape: /^NATO (?:SECRET|CONFIDENTIAL|RESTRICTED)/ },
    { shape: /^(?:SECRET|CONFIDENTIEL|RESTREINT) UE(?:\/EU (?:SECRET|CONFIDENTIAL|RESTRICTED))?/ },
    { shape: /^VS-NfD/ },
    { shape: /^(?:SECRET|CONFIDENTIAL|RESTRICTED|UNCLASSIFIED)/, labelled: true },
    { shape: /^(?:Top Secret|Confidential|Unclassified)/, labelled: true },
  ],
  context: {
    words: ['classification', 'classification level', 'classified', 'clearance', 'security level'],
    avoid: ['client', 'api', 'data'],
  },
  examples: {
    match: [
      'TOP SECRET',
      { text: 'Classification: SECRET', value: 'SECRET' },
      { text: 'Confidential', field: 'classification_level' },
      'NATO RESTRICTED',
      'RESTREINT UE/EU RESTRICTED',
    ],
    not: [
      'SECRET',
      'a top secret recipe',
      'CLIENT_SECRET=x',
      'kind: Secret',
      'CONFIDENTIAL',
      'classification: SECRETARY',
    ],
  },
});
