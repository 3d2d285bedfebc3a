import type { Detector } from '../detector.ts';
import { idTokens, labelledId } from './labelled-id.ts';

/** The states' shapes as one: digits, or letters and then digits; Florida and others write dashes. */
export const driverLicense: Detector = labelledId({
  id: 'DRIVER_LICENSE',
  title: "Driver's licence number",
  category: 'direct_identifier',
  confidence: 0.75,
  anchors: [
    ...idTokens([7, 13], [6, 18]),
    { kind: 'token', made: ['Ud'], length: [4, 4], next: '-', beyond: 'd' },
  ],
  shape: /^(?:\d{7,13}|[A-Z]{1,2}\d{5,14}|[A-Z]\d{3}(?:-\d{3,4}){2,3}(?:-\d)?|[A-Z]{5}\d{6}[A-Z0-9]{5,7})$/,
  context: {
    words: [
      "driver'?s? licen[cs]e",
      "driver'?s? licen[cs]e number",
      'driving licen[cs]e',
      'licen[cs]e number',
      'licen[cs]e no',
      'dl',
      'dln',
    ],
    avoid: ['software', 'license key', 'product'],
  },
  examples: {
    match: [
      { text: "Driver's license: D1234562", value: 'D1234562' },
      { text: 'DL# S514-778-616-020', value: 'S514-778-616-020' },
      { text: '12345678', field: 'drivers_license' },
    ],
    not: ['D1234562', '12345678', "driver's license expires soon", 'dl 123456'],
  },
});
