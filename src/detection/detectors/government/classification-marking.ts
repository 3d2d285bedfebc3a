import type { Detector } from '../../detector.ts';
import { marking } from '../../families/marking.ts';

/** Banner lines with their controls, and the marks of paragraphs. Those with a compartment are SCI_MARKING's. */
export const classificationMarking: Detector = marking({
  id: 'CLASSIFICATION_MARKING',
  title: 'Classification marking',
  country: 'US',
  regulations: ['cui', 'itar'],
  risk: 9,
  confidence: 0.9,
  begins: [
    String.raw`\bTOP SECR`,
    String.raw`\b(?:SECR|CONF)`,
    String.raw`\((?:TS|S|C)//`,
    String.raw`\((?:U|S|C|TS)\)`,
  ],
  forms: [
    {
      shape:
        /^(?:TOP SECRET|SECRET|CONFIDENTIAL)\/\/(?!SCI|SI|TK|HCS|KDK|COMINT|GAMMA|RSV)[A-Z][A-Z0-9 ,/-]{1,90}[A-Z0-9]/,
    },
    { shape: /^\((?:TS|S|C)\/\/(?!SCI|SI|TK|HCS|KDK|RSV)[A-Z][A-Z0-9 ,/-]{0,60}[A-Z0-9]\)/ },
    { shape: /^\((?:TS|U)\)/, opens: true },
    { shape: /^\([SC]\)/, opens: true, labelled: true },
  ],
  context: { words: ['classification', 'classified', 'classified by', 'derived from', 'declassify'] },
  examples: {
    match: [
      'SECRET//NOFORN',
      { text: '2. (S//NF) The aircraft left at dawn.', value: '(S//NF)' },
      { text: 'page 3\nTOP SECRET//ORCON/NOFORN\n', value: 'TOP SECRET//ORCON/NOFORN' },
      { text: '(U) This paragraph may be shared.', value: '(U)' },
      { text: '(C//REL TO USA, FVEY) The talks go on.', value: '(C//REL TO USA, FVEY)' },
    ],
    not: [
      'the secret//path of a URL',
      'f(S) and g(U)',
      'Copyright (C) 2026',
      '(C) 2026 Acme',
      'TOP SECRET//SI/TK//NOFORN',
      'TOPSECRET//NOFORNX',
    ],
  },
});
