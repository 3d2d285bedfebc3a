import { byteSet, isAlnum, runEnd, textOf } from '../bytes.ts';
import { type Detector, found } from '../detector.ts';
import { maskSecret } from '../masks.ts';
import { REASON } from '../reasons.ts';

const BASE32 = byteSet('AZ27');
const PREFIXES = ['AKIA', 'ASIA', 'ABIA', 'ACCA'];

export const awsAccessKey: Detector = {
  id: 'AWS_ACCESS_KEY',
  title: 'AWS access key id',
  category: 'credential',
  anchors: PREFIXES.map((text) => ({ kind: 'literal', text })),
  confidence: 0.95,
  verify(bytes, at, match) {
    if (isAlnum(bytes[at - 1]!) || !PREFIXES.includes(textOf(bytes, at, at + 4))) return false;
    const end = runEnd(bytes, at + 4, 17, BASE32);
    if (end !== at + 20 || isAlnum(bytes[end]!)) return false;
    const text = textOf(bytes, at, end);
    if (new Set(text.slice(4)).size < 5) return false;
    // AWS's own documentation ends its keys so.
    const example = text.endsWith('EXAMPLE');
    if (example) match.confidence = 0.55;
    return found(match, at, end, REASON.issuer | (example ? REASON.testValue : 0));
  },
  mask: (value) => maskSecret(value, PREFIXES),
  examples: {
    match: [
      `AKIA${'QYLPMN5HFIQR7XYA'}`,
      { text: `key=ASIA${'QYLPMN5HFIQR7XYA'};`, value: `ASIA${'QYLPMN5HFIQR7XYA'}` },
      `AKIA${'IOSFODNN7EXAMPLE'}`,
    ],
    not: [
      `AKIA${'QYLPMN5HFIQR7XY'}`,
      `AKIA${'QYLPMN5HFIQR7XYAA'}`,
      `XAKIA${'QYLPMN5HFIQR7XYA'}`,
      `AKIA${'XXXXXXXXXXXXXXXX'}`,
    ],
  },
};
