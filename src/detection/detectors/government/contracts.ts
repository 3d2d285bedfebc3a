import { ueiChecks } from '../../checks/national/companies.ts';
import type { Detector } from '../../detector.ts';
import { COMPACT, formattedId } from '../../families/ids/formatted-id.ts';

const OFFICE = /^(?:FA|F\d|N\d|M\d|W\d|W9|W5|H[A-Z0-9]|S[A-Z0-9]|D[A-Z])/;

/** Contracts and contractors of the US government. */
export const contracts: readonly Detector[] = [
  // Five characters, the first and the last a digit, never I or O.
  formattedId({
    id: 'CAGE_CODE',
    title: 'CAGE code',
    category: 'government',
    country: 'US',
    regulations: [],
    risk: 3,
    confidence: 0.8,
    forms: [{ pattern: String.raw`\d[0-9A-HJ-NP-Z]{3}\d` }],
    context: { words: ['cage code', 'ncage', 'cage no', 'cage number'] },
    examples: {
      match: [
        { text: 'CAGE code: 1A2B3', value: '1A2B3' },
        { text: 'CAGE code 81755', value: '81755' },
        { text: '0Z7K0', field: 'cage_code' },
      ],
      not: [
        '1A2B3',
        'CAGE code A12B3',
        'CAGE code 1A2B34',
        'CAGE code 1O2B3',
        'no cage 12345',
        'in a cage of steel',
      ],
    },
  }),
  // Office, year, kind of instrument, serial number. The first letters are the service: F Air Force, N Navy, M
  // Marines, W Army, H and S agencies.
  formattedId({
    id: 'DOD_CONTRACT',
    title: 'US defense contract number',
    category: 'government',
    country: 'US',
    regulations: ['cui'],
    risk: 4,
    confidence: 0.8,
    forms: [
      { pattern: String.raw`[A-Z][A-Z0-9]\d{4}-\d{2}-[A-Z]-[A-Z0-9]{4}`, free: true },
      { pattern: String.raw`[A-Z][A-Z0-9]{5}-\d{2}-[A-Z]-[A-Z0-9]{4}`, begins: COMPACT },
      { pattern: String.raw`[A-Z][A-Z0-9]{5}\d{2}[A-HJ-NP-Z][A-Z0-9]{4}`, begins: COMPACT },
    ],
    plausible: isDefenseOffice,
    context: {
      words: [
        'contract',
        'contract no',
        'contract number',
        'piid',
        'award',
        'award number',
        'procurement instrument',
        'delivery order',
        'task order',
      ],
    },
    examples: {
      match: [
        'N00024-15-C-2114',
        { text: 'Contract No. W912DY-20-C-0012', value: 'W912DY-20-C-0012' },
        { text: 'FA865019C1234', field: 'piid' },
        { text: 'award FA8650-19-C-1234', value: 'FA8650-19-C-1234' },
      ],
      not: ['N00024-15-C-211', 'X00024-15-C-2114', 'FA865019C1234', 'AN00024-15-C-2114', 'N00024-15-C-21145'],
    },
  }),
  formattedId({
    id: 'DUNS',
    title: 'D-U-N-S number',
    category: 'government',
    country: 'US',
    regulations: [],
    risk: 3,
    forms: [{ pattern: String.raw`\d{2}-\d{3}-\d{4}` }, { pattern: String.raw`\d{9}` }],
    context: {
      words: ['duns', 'duns number', 'duns no', 'd u n s', 'dun and bradstreet', 'dun & bradstreet'],
    },
    examples: {
      match: [
        { text: 'DUNS: 15-048-3782', value: '15-048-3782' },
        { text: 'DUNS number 804735132', value: '804735132' },
        { text: 'DUNS 081466849', value: '081466849' },
        { text: '081466849', field: 'duns' },
      ],
      not: ['15-048-3782', '804735132', 'DUNS 80473513', 'DUNS 8047351321'],
    },
  }),
  formattedId({
    id: 'GSA_CONTRACT',
    title: 'US GSA contract number',
    category: 'government',
    country: 'US',
    regulations: [],
    risk: 3,
    strength: 'prefix',
    confidence: 0.9,
    forms: [
      { pattern: String.raw`GS-?\d{2}[FKTPQSNR]-?\d{3,4}[A-Z]{1,2}`, free: true },
      { pattern: String.raw`47Q[A-Z]{3}\d{2}[ACDFGPT][A-Z0-9]{4}`, free: true },
    ],
    context: { words: ['gsa', 'contract', 'schedule', 'contract no', 'gsa schedule', 'piid'] },
    examples: {
      match: [
        'GS-35F-0119Y',
        { text: 'GSA schedule GS-00F-123CA', value: 'GS-00F-123CA' },
        { text: 'contract 47QTCA19D00L4', value: '47QTCA19D00L4' },
        { text: 'GS35F0119Y', field: 'gsa_contract' },
      ],
      not: ['GS-35X-0119Y', 'GS-35F-0119', '47QTCA19D00L', 'XGS-35F-0119Y', '47QTCA1900L4'],
    },
  }),
  formattedId({
    id: 'UEI',
    title: 'US unique entity id (SAM)',
    category: 'government',
    country: 'US',
    regulations: [],
    risk: 3,
    forms: [{ pattern: String.raw`[1-9A-HJ-NP-Z][0-9A-HJ-NP-Z]{10}\d`, begins: COMPACT }],
    check: ueiChecks,
    context: { words: ['uei', 'unique entity', 'unique entity id', 'unique entity identifier', 'sam uei'] },
    examples: {
      match: [
        { text: 'UEI: VN1AJFAD19J9', value: 'VN1AJFAD19J9' },
        { text: 'Unique Entity ID ZQGGHJH74DW7', value: 'ZQGGHJH74DW7' },
        { text: 'T53MCMLTWK59', field: 'uei' },
      ],
      not: ['VN1AJFAD19J9', 'UEI VN1AJFAD19J8', 'UEI 0N1AJFAD19J9', 'UEI VN1AJFAD19J', 'UEI VN1OJFAD19J9'],
    },
  }),
];

function isDefenseOffice(piid: string): boolean {
  return OFFICE.test(piid);
}
