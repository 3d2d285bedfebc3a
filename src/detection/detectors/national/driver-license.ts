import type { Detector } from '../../detector.ts';
import { COMPACT, formattedId } from '../../families/formatted-id.ts';

/**
 * By state: California a letter and seven digits, Florida, Illinois, Wisconsin and Ontario with dashes, New Jersey
 * with blanks, Washington WDL, New Hampshire and Iowa with letters inside; India too.
 */
export const driverLicense: Detector = formattedId({
  id: 'DRIVER_LICENSE',
  title: "Driver's licence number",
  category: 'direct_identifier',
  regulations: ['gdpr', 'ccpa'],
  risk: 7,
  forms: [
    { pattern: String.raw`[A-Z]\d{3}(?:-\d{2,4}){2,4}(?:-\d)?`, begins: String.raw`[A-Z]\d{3}[ -]\d` },
    { pattern: String.raw`[A-Z]\d{4}[ -]\d{5}[ -]\d{5}` },
    { pattern: String.raw`[A-Z]\d{2}-\d{2,3}-\d{3,4}`, begins: String.raw`[A-Z]\d{2}-\d{2}` },
    { pattern: String.raw`[A-Z]{3}-\d{2}-\d{4}`, begins: '[A-Z]{3}[ -][A-Z0-9]' },
    { pattern: String.raw`\d{2}-\d{3}-\d{4}` },
    { pattern: String.raw`\d{4}-\d{2}-\d{4}` },
    { pattern: String.raw`\d{3} \d{3} \d{3}` },
    { pattern: String.raw`[A-Z]{2}\d{2} \d{11}` },
    { pattern: String.raw`[A-Z]{2}[ -]\d{2} ?\d{11}`, begins: '[A-Z]{2}[ -][A-Z0-9]' },
    {
      pattern: String.raw`(?:WDL[A-Z0-9]{9}|NHL\d{8}|\d{2}[A-Z]{3}\d{5}|\d{3}[A-Z]{1,2}\d{4,6}|[A-Z]{2}\d{6}[A-Z]|\d{7}A)`,
      begins: COMPACT,
    },
    { pattern: String.raw`[A-Z]{2}\d{13}`, begins: COMPACT },
    { pattern: String.raw`[A-Z]{1,2}\d{5,14}`, begins: COMPACT },
    { pattern: String.raw`\d{7,13}` },
  ],
  context: {
    words: [
      'driver license',
      'drivers license',
      "driver's license",
      'driver licence',
      'drivers licence',
      "driver's licence",
      'driving license',
      'driving licence',
      'driving permit',
      'license number',
      'licence number',
      'license no',
      'licence no',
      'dl',
      'dln',
      'permis de conduire',
      'licencia de conducir',
      'führerschein',
    ],
    avoid: ['software', 'license key', 'product', 'serial', 'order'],
  },
  examples: {
    match: [
      { text: "Driver's license: D1234562", value: 'D1234562' },
      { text: 'DL# S514-778-616-020', value: 'S514-778-616-020' },
      { text: '12345678', field: 'drivers_license' },
      { text: 'driving licence MH12 20110012345', value: 'MH12 20110012345' },
      { text: 'DL B1234-56789-01234', value: 'B1234-56789-01234' },
      { text: "driver's license WDLABCD456DG", value: 'WDLABCD456DG' },
      { text: 'driver license NHL12345678', value: 'NHL12345678' },
    ],
    not: [
      'D1234562',
      '12345678',
      "driver's license expires soon",
      'dl 123456',
      'MH12 20110012345',
      'license number pending',
    ],
  },
});
