import type { Detector } from '../../detector.ts';
import { marking } from '../../families/marking.ts';

/** Arms and their technical data, 22 CFR 120–130: statements, sections and categories of the munitions list. */
export const itar: Detector = marking({
  id: 'ITAR',
  title: 'ITAR control',
  country: 'US',
  regulations: ['itar'],
  risk: 8,
  confidence: 0.85,
  begins: [String.raw`\b(?:ITAR|INTE|USML)`, String.raw`\bInternational`, String.raw`\b22 C(?:FR|\.F)`],
  forms: [
    { shape: /^ITAR[- ](?:controlled|restricted)(?: technical data)?/i },
    { shape: /^ITAR/ },
    {
      shape:
        /^(?:International Traffic in Arms|INTERNATIONAL TRAFFIC IN ARMS)(?: Regulations?| REGULATIONS?)?/,
    },
    { shape: /^22 C(?:FR|\.F\.R\.)(?: parts?| §)? ?1(?:2\d|30)(?:\.\d{1,2})?/i },
    { shape: /^USML(?: Category| Cat\.?)? [XVI]{1,5}(?:\([a-z]\))?/i },
  ],
  context: { words: ['export', 'export controlled', 'technical data', 'munitions', 'arms'] },
  examples: {
    match: [
      { text: 'This drawing is ITAR-controlled.', value: 'ITAR-controlled' },
      'International Traffic in Arms Regulations',
      { text: 'subject to 22 CFR 120.6', value: '22 CFR 120.6' },
      'USML Category XI(b)',
    ],
    not: ['GUITAR', 'itar', '22 CFR 240', 'USML editor', 'ITARIAN'],
  },
});
