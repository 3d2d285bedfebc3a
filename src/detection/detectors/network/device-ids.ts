import { luhn } from '../../checks/check-digits.ts';
import type { Detector } from '../../detector.ts';
import { formattedId } from '../../families/ids/formatted-id.ts';

const UUID = '[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}';

/** Numbers of devices and SIM cards. */
export const deviceIds: readonly Detector[] = [
  // Advertising ids are UUIDs, Android ids sixteen hex digits, serial numbers anything, so a label is required.
  formattedId({
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
        'idfa',
        'idfv',
        'gaid',
        'aaid',
        'advertising id',
        'advertising identifier',
        'ad id',
        'adid',
        'udid',
        'device id',
        'device identifier',
        'device uuid',
        'android id',
        'device serial',
        'serial number',
        'hardware id',
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
  }),
  // 89 for telecommunication, country, issuer, account, check digit of Luhn; some issuers leave the check digit out.
  formattedId({
    id: 'ICCID',
    title: 'ICCID of a SIM card',
    category: 'quasi_identifier',
    regulations: ['gdpr', 'ccpa', 'hipaa'],
    risk: 5,
    forms: [{ pattern: String.raw`89\d{17,18}` }, { pattern: String.raw`89\d{2} \d{4} \d{4} \d{4} \d{3,4}` }],
    context: { words: ['iccid', 'sim', 'sim card', 'sim number', 'sim no', 'esim', 'simcard'] },
    check: luhn,
    examples: {
      match: [
        { text: 'ICCID 8944501234567890124', value: '8944501234567890124' },
        { text: 'SIM card: 8901260852291234565', value: '8901260852291234565' },
        { text: '8944501234567890124', field: 'iccid' },
      ],
      not: ['8944501234567890124', 'ICCID 8944501234567890125', 'ICCID 7944501234567890124'],
    },
  }),
  // Type allocation code, serial number, check digit of Luhn. Cards have fifteen digits and that check too: only with its label.
  formattedId({
    id: 'IMEI',
    title: 'IMEI of a mobile phone',
    category: 'quasi_identifier',
    regulations: ['gdpr', 'ccpa', 'hipaa'],
    risk: 5,
    forms: [
      { pattern: String.raw`\d{15}` },
      { pattern: String.raw`\d{2}[- ]\d{6}[- ]\d{6}[- ]\d` },
      { pattern: String.raw`\d{6}[- ]\d{2}[- ]\d{6}[- ]\d` },
    ],
    context: { words: ['imei', 'imei number', 'imei no', 'imei1', 'imei2', 'handset', '06#', 'device imei'] },
    check: luhn,
    plausible: (plain) => !/^(\d)\1+$/.test(plain),
    examples: {
      match: [
        { text: 'IMEI: 490154203237518', value: '490154203237518' },
        { text: 'imei 49-015420-323751-8', value: '49-015420-323751-8' },
        { text: '490154203237518', field: 'device_imei' },
      ],
      not: ['490154203237518', 'IMEI: 490154203237519', 'IMEI: 000000000000000', 'IMEI: 4901542032375181'],
    },
  }),
  // Mobile country code (200 to 799), network code, subscriber: no check digit, so only with its label.
  formattedId({
    id: 'IMSI',
    title: 'IMSI of a mobile subscriber',
    category: 'quasi_identifier',
    regulations: ['gdpr', 'ccpa', 'hipaa'],
    risk: 5,
    forms: [{ pattern: String.raw`[2-7]\d{13,14}` }],
    context: { words: ['imsi', 'subscriber identity', 'mobile subscriber'] },
    plausible: (plain) => !/(\d)\1{7}/.test(plain),
    examples: {
      match: [
        { text: 'IMSI: 310150123456789', value: '310150123456789' },
        { text: 'imsi=262019876543210', value: '262019876543210' },
        { text: '234159087654321', field: 'imsi' },
      ],
      not: ['310150123456789', 'IMSI: 910150123456789', 'IMSI: 31015012345', 'IMSI: 310150000000000'],
    },
  }),
];
