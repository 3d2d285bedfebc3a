import type { Detector } from '../../detector.ts';
import { marking } from '../../families/marking.ts';

/** Restrictions on distribution, at any level: banners of controlled unclassified information, and the controls by themselves. */
export const disseminationControl: Detector = marking({
  id: 'DISSEMINATION_CONTROL',
  title: 'Dissemination control',
  country: 'US',
  regulations: ['cui'],
  risk: 7,
  confidence: 0.85,
  begins: [
    String.raw`\b(?:UNCL|NOFO|ORCO|PROP|RELI|LIMD|IMCO|EXDI|NODI|FOUO|CONT|SENS)`,
    String.raw`\b(?:FOR OFFI|LAW ENFO|For Offi|REL TO [A-Z])`,
    String.raw`\bControlled`,
    String.raw`\bCUI\b`,
    'CUI//[A-Z]',
    'U//[A-Z]',
    String.raw`\((?:CUI|U)//`,
  ],
  forms: [
    { shape: /^(?:CUI|UNCLASSIFIED|U)\/\/[A-Z][A-Z0-9 ,/-]{1,60}[A-Z0-9]/ },
    { shape: /^\((?:CUI|U)\/\/[A-Z][A-Z0-9 ,/-]{1,60}[A-Z0-9]\)/ },
    { shape: /^REL TO [A-Z]{3,4}(?:, ?[A-Z]{3,4}){0,12}/ },
    { shape: /^(?:NOFORN|ORCON-USGOV|ORCON|PROPIN|RELIDO|LIMDIS|IMCON|EXDIS|NODIS|FOUO)/ },
    { shape: /^(?:FOR OFFICIAL USE ONLY|For Official Use Only)/ },
    { shape: /^(?:CONTROLLED UNCLASSIFIED INFORMATION|Controlled Unclassified Information)/ },
    { shape: /^(?:LAW ENFORCEMENT SENSITIVE|SENSITIVE SECURITY INFORMATION)/ },
    { shape: /^CUI/, labelled: true },
  ],
  context: {
    words: [
      'classification',
      'controlled by',
      'cui category',
      'distribution',
      'dissemination',
      'marking',
      'handling',
    ],
  },
  examples: {
    match: [
      'CUI//SP-PRVCY',
      { text: 'This page is FOR OFFICIAL USE ONLY.', value: 'FOR OFFICIAL USE ONLY' },
      'REL TO USA, FVEY',
      { text: 'marked NOFORN by the office', value: 'NOFORN' },
      { text: '(U//FOUO) The list is kept by the desk.', value: '(U//FOUO)' },
      { text: 'CUI', field: 'handling' },
    ],
    not: ['noforn', 'NOFORNX', 'RELATED TO USA', 'CUI', 'http://cui//x', 'for official use'],
  },
});
