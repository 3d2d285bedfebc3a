import { DASH, SPACE, standsAlone, textOf } from '../bytes.ts';
import { nhsChecks } from '../checks/nhs.ts';
import { type Detector, found } from '../detector.ts';
import { maskMiddle } from '../masks.ts';
import { REASON } from '../reasons.ts';

export const nhsNumber: Detector = {
  id: 'NHS_NUMBER',
  title: 'UK NHS number',
  category: 'health_info',
  anchors: [
    { kind: 'token', made: ['d'], length: [3, 3], next: ' -', beyond: 'd', labelled: true },
    { kind: 'token', made: ['d'], length: [10, 10], labelled: true },
  ],
  confidence: 0.9,
  context: { words: ['nhs', 'nhs no', 'nhs number', 'patient', 'national health'] },
  verify(bytes, at, match) {
    const separator = bytes[at + 3]!;
    const spaced = separator === SPACE || separator === DASH;
    if (spaced && bytes[at + 7] !== separator) return false;
    const end = spaced ? at + 12 : at + 10;
    // One telephone number in eleven passes the check digit.
    if (!standsAlone(bytes, at, end) || !match.labelled(at)) return false;
    const written = textOf(bytes, at, end);
    if (!SHAPE.test(written) || !nhsChecks(written.replace(/\D/g, ''))) return false;
    return found(match, at, end, REASON.pattern | REASON.checksum);
  },
  mask: (value) => maskMiddle(value, 0, 2),
  examples: {
    match: [
      { text: 'NHS number 943 476 5919', value: '943 476 5919' },
      { text: 'NHS No: 943-476-5919', value: '943-476-5919' },
      { text: '9434765919', field: 'nhs_number' },
    ],
    not: ['943 476 5919', '9434765919', 'NHS number 943 476 5918', 'NHS number 943 476-5919'],
  },
};

const SHAPE = /^(?:\d{10}|\d{3} \d{3} \d{4}|\d{3}-\d{3}-\d{4})$/;
