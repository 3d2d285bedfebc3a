import type { Detector } from '../../detector.ts';
import { formattedId } from '../../families/formatted-id.ts';

const UUID = '[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}';

/** Advertising ids are UUIDs, Android ids sixteen hex digits, serial numbers anything, so a label is required. */
export const deviceId: Detector = formattedId({
  id: 'DEVICE_ID',
  title: 'Device or advertising identifier',
  category: 'quasi_identifier',
  regulations: ['gdpr', 'ccpa', 'hipaa'],
  risk: 4,
  confidence: 0.7,
  forms: [
    { pattern: UUID },
    { pattern: '[0-9a-fA-F]{16}' },
    { pattern: '[0-9a-fA-F]{40}' },
    { pattern: '[A-Z0-9]{8,14}' },
  ],
  context: {
    words: [
      ...[
        'idfa',
        'idfv',
        'gaid',
        'aaid',
        'advertising id',
        'advertising identifier',
        'ad id',
        'adid',
        'udid',
      ],
      ...[
        'device id',
        'device identifier',
        'device uuid',
        'android id',
        'device serial',
        'serial number',
        'hardware id',
      ],
    ],
    avoid: ['product', 'batch', 'part', 'invoice'],
  },
  plausible: (plain) =>
    /\d.*\d.*\d/.test(plain) &&
    !/^(.)\1+$/.test(plain) &&
    !/^\d+$/.test(plain) &&
    !/^(?:0+|1234.*)$/.test(plain),
  examples: {
    match: [
      { text: 'IDFA: 6D92078A-8246-4BA4-AE5B-76104861E7DC', value: '6D92078A-8246-4BA4-AE5B-76104861E7DC' },
      { text: 'android_id=9774d56d682e549c', value: '9774d56d682e549c' },
      { text: 'Serial number: C02XK0AAJGH5', value: 'C02XK0AAJGH5' },
      { text: 'cdda802e-fb9c-47ad-9866-0794d394c912', field: 'gaid' },
    ],
    not: [
      '6D92078A-8246-4BA4-AE5B-76104861E7DC',
      'idfa: 00000000-0000-0000-0000-000000000000',
      'device id: unknown',
      { text: 'cdda802e-fb9c-47ad-9866-0794d394c912', field: 'request_id' },
    ],
  },
});
