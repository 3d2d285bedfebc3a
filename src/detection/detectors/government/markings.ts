import type { Detector } from '../../detector.ts';
import { marking } from '../../families/ids/marking.ts';

/** Classification and export control markings. */
export const markings: readonly Detector[] = [
  // A level alone is an ordinary word: it requires a label, unless it is the highest or names its alliance.
  marking({
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
  }),
  // Banner lines with their controls, and the marks of paragraphs. Those with a compartment are SCI_MARKING's.
  marking({
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
  }),
  // Restrictions on distribution, at any level: banners of controlled unclassified information, and the controls by themselves.
  marking({
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
  }),
  // Goods of two uses, 15 CFR 730–774: their classification numbers, with a label unless it is EAR99.
  marking({
    id: 'EAR',
    title: 'EAR control (ECCN)',
    country: 'US',
    regulations: ['itar'],
    risk: 5,
    confidence: 0.8,
    begins: [
      'EAR99',
      String.raw`\b\d[A-E]\d{3}`,
      String.raw`\bEXPO`,
      'Export Adm',
      String.raw`\b15 C(?:FR|\.F)`,
    ],
    forms: [
      { shape: /^EAR99/ },
      { shape: /^\d[A-E]\d{3}(?:\.[a-z](?:\.\d{1,2}(?:\.[a-z])?)?)?/, labelled: true },
      { shape: /^(?:Export Administration Regulations?|EXPORT ADMINISTRATION REGULATIONS?)/ },
      { shape: /^15 C(?:FR|\.F\.R\.)(?: parts?| §)? ?7(?:[3-6]\d|7[0-4])(?:\.\d{1,2})?/i },
    ],
    context: {
      words: ['eccn', 'export control classification', 'export classification', 'commerce control'],
    },
    examples: {
      match: [
        { text: 'ECCN: 5A002.a.1', value: '5A002.a.1' },
        'EAR99',
        { text: '3A001', field: 'eccn' },
        { text: 'under 15 CFR 740.17', value: '15 CFR 740.17' },
      ],
      not: ['5A002', 'YEAR99', 'ECCN 5F002', 'EAR995', '15 CFR 240', 'ECCN 5A0021'],
    },
  }),
  // Arms and their technical data, 22 CFR 120–130: statements, sections and categories of the munitions list.
  marking({
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
  }),
  // Compartments of intelligence: signals (SI), space (TK), human sources (HCS), and the sub-compartments after them.
  marking({
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
  }),
];
