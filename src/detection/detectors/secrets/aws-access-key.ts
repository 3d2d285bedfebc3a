import { byteSet, isAlnum, runEnd, textOf } from '../../bytes.ts';
import { acceptMatch, type Detector, rejectMatch } from '../../detector.ts';
import { maskSecret } from '../../masks.ts';
import { REASON } from '../../reasons.ts';

const BASE32 = byteSet('AZ27');
const PREFIXES = ['AKIA', 'ASIA', 'ABIA', 'ACCA'];

export const awsAccessKey: Detector = {
  id: 'AWS_ACCESS_KEY',
  title: 'AWS access key id',
  category: 'credential',
  strength: 'prefix',
  regulations: ['soc2'],
  risk: 8,
  prefilters: PREFIXES.map((text) => ({ pattern: `\\b${text}[A-Z2-7]{16}\\b` })),
  confidence: 0.95,
  verify(bytes, at, match) {
    if (!PREFIXES.includes(textOf(bytes, at, at + 4))) return rejectMatch(match, 'prefix');
    const end = runEnd(bytes, at + 4, 17, BASE32);
    if (end !== at + 20) return rejectMatch(match, 'length');
    if (isAlnum(bytes[at - 1]!) || isAlnum(bytes[end]!)) return rejectMatch(match, 'stands alone');
    const text = textOf(bytes, at, end);
    if (new Set(text.slice(4)).size < 5) return rejectMatch(match, 'placeholder');
    // AWS's own documentation ends its keys so.
    const example = text.endsWith('EXAMPLE');
    if (example) match.confidence = 0.55;
    return acceptMatch(match, at, end, REASON.issuer | (example ? REASON.testValue : 0));
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
