import type { Detector } from '../../detector.ts';
import { marking } from '../../families/marking.ts';

/** Compartments of intelligence: signals (SI), space (TK), human sources (HCS), and the sub-compartments after them. */
export const sciMarking: Detector = marking({
  id: 'SCI_MARKING',
  title: 'Compartmented information marking (SCI)',
  country: 'US',
  regulations: ['cui'],
  risk: 10,
  confidence: 0.95,
  begins: [
    String.raw`\bTOP SECR`,
    String.raw`\b(?:SECR|CONF|SENS)`,
    String.raw`\bSensitive`,
    String.raw`\((?:TS|S|C)//`,
    'TS//[SHT]',
    'TS/SCI',
  ],
  forms: [
    {
      shape:
        /^(?:TOP SECRET|SECRET|CONFIDENTIAL)\/\/(?:SCI|SI|TK|HCS|KDK|COMINT|GAMMA|RSV)\b(?:[A-Z0-9 ,/-]{0,90}[A-Z0-9])?/,
    },
    { shape: /^\((?:TS|S|C)\/\/(?:SCI|SI|TK|HCS|KDK|RSV)\b[A-Z0-9 ,/-]{0,60}\)/ },
    { shape: /^TS\/\/(?:SCI|SI|TK|HCS)\b(?:[A-Z0-9 ,/-]{0,60}[A-Z0-9])?/ },
    { shape: /^TS\/SCI/ },
    { shape: /^(?:SENSITIVE COMPARTMENTED INFORMATION|Sensitive Compartmented Information)/ },
  ],
  context: { words: ['classification', 'classified', 'clearance', 'handle via'] },
  examples: {
    match: [
      'TOP SECRET//SI/TK//NOFORN',
      { text: '(TS//SI//NF) Two calls were heard.', value: '(TS//SI//NF)' },
      'TS/SCI',
      'TOP SECRET//HCS-P//ORCON',
    ],
    not: ['SECRET//NOFORN', 'ATS/SCIENCE', 'a compartment', 'TS//SIGNAL', '(TS)'],
  },
});
