import type { Detector } from '../../detector.ts';
import { COMPACT, formattedId } from '../../families/formatted-id.ts';

const OFFICE = /^(?:FA|F\d|N\d|M\d|W\d|W9|W5|H[A-Z0-9]|S[A-Z0-9]|D[A-Z])/;

function department(piid: string): boolean {
  return OFFICE.test(piid);
}

/**
 * Office, year, kind of instrument, serial number. The first letters are the service: F Air Force, N Navy, M
 * Marines, W Army, H and S agencies.
 */
export const dodContract: Detector = formattedId({
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
  plausible: department,
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
});
