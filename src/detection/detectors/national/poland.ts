import { dowodChecks, nipChecks, peselChecks, regonChecks } from '../../checks/national/central-europe.ts';
import type { Detector } from '../../detector.ts';
import { formattedId } from '../../families/ids/formatted-id.ts';

export const poland: readonly Detector[] = [
  formattedId({
    id: 'PL_ID_CARD',
    title: 'Polish identity card number',
    category: 'direct_identifier',
    country: 'PL',
    regulations: ['gdpr'],
    risk: 8,
    check: dowodChecks,
    forms: [{ pattern: String.raw`[A-Z]{3} ?\d{6}` }],
    context: { words: ['dowod', 'dowodu', 'dowód', 'seria i numer'] },
    examples: {
      match: [
        { text: 'Dowod osobisty: ABA300000', value: 'ABA300000' },
        { text: 'nr dowodu osobistego CZX 248291', value: 'CZX 248291' },
        { text: 'AXR503815', field: 'dowod_osobisty' },
      ],
      not: ['ABA300000', 'Dowod osobisty ABA300001', 'dowod AB3000000', 'dowod ABA3000001'],
    },
  }),
  formattedId({
    id: 'PL_NIP',
    title: 'Polish tax number (NIP)',
    category: 'direct_identifier',
    country: 'PL',
    regulations: ['gdpr'],
    risk: 5,
    check: nipChecks,
    forms: [
      { pattern: String.raw`\d{3}-\d{3}-\d\d-\d\d` },
      { pattern: String.raw`\d{3}-\d\d-\d\d-\d{3}` },
      { pattern: String.raw`[1-9]\d{9}` },
    ],
    context: { words: ['nip', 'identyfikacji podatkowej'] },
    examples: {
      match: [
        { text: 'NIP: 8567346215', value: '8567346215' },
        { text: 'NIP 123-456-32-18', value: '123-456-32-18' },
        { text: '5261040828', field: 'nip' },
      ],
      not: ['8567346215', '123-456-32-18', 'NIP 8567346216', 'NIP 85673462150'],
    },
  }),
  formattedId({
    id: 'PL_PESEL',
    title: 'Polish PESEL',
    category: 'direct_identifier',
    country: 'PL',
    regulations: ['gdpr'],
    risk: 9,
    check: peselChecks,
    forms: [{ pattern: String.raw`\d{11}` }],
    context: {
      words: ['pesel', 'numer ewidencyjny', 'national id', 'national identification', 'national identity'],
    },
    examples: {
      match: [
        { text: 'PESEL: 44051401359', value: '44051401359' },
        { text: 'nr PESEL 85072914835', value: '85072914835' },
        { text: '02281904721', field: 'pesel' },
      ],
      not: ['44051401359', 'PESEL 44051401358', 'PESEL 44023001358', 'PESEL 440514013590'],
    },
  }),
  formattedId({
    id: 'PL_REGON',
    title: 'Polish statistical number (REGON)',
    category: 'quasi_identifier',
    country: 'PL',
    regulations: ['gdpr'],
    risk: 3,
    check: regonChecks,
    forms: [{ pattern: String.raw`\d{9}` }, { pattern: String.raw`\d{14}` }],
    context: { words: ['regon'] },
    examples: {
      match: [
        { text: 'REGON: 192598184', value: '192598184' },
        { text: 'REGON 12345678512347', value: '12345678512347' },
        { text: '012736482', field: 'regon' },
      ],
      not: ['192598184', 'REGON 192598185', 'REGON 1925981840', 'REGON 12345678512348'],
    },
  }),
];
