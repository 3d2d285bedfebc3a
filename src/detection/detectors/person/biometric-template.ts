import { byteSet, runEnd, textOf } from '../../bytes.ts';
import { entropy } from '../../checks/entropy.ts';
import { acceptMatch, type Detector, rejectMatch } from '../../detector.ts';
import { maskSecret } from '../../masks.ts';
import { REASON } from '../../reasons.ts';

const BODY = byteSet('azAZ09++//__--');
const MIN_LENGTH = 40;
const MAX_LENGTH = 4000;
const EQUALS = 0x3d;
const MIN_ENTROPY = 3.2;
const LABEL =
  /(?:biometric[ _-]?(?:template|data|hash|record)?|(?:finger|face|facial|iris|palm)[ _-]?(?:print)?[ _-]?(?:template|encoding|embedding))["']?[ \t]{0,3}$/i;
const LEAD = byteSet('  \t\t""\'\'==>>');

/** Fingerprints and faces as stored by readers: long random data that only a label identifies. */
export const biometricTemplate: Detector = {
  id: 'BIOMETRIC_TEMPLATE',
  title: 'Biometric template',
  category: 'direct_identifier',
  strength: 'context',
  regulations: ['gdpr', 'ccpa', 'hipaa'],
  risk: 9,
  prefilters: [
    {
      assigned: [
        'biometric',
        'template',
        'encoding',
        'embedding',
        'metric_data',
        'metric data',
        'metric-data',
        'metricdata',
        'c_hash',
        'c-hash',
        'c hash',
        'metrichash',
        'record',
      ],
    },
  ],
  confidence: 0.7,
  verify(bytes, at, match) {
    // Most names that end like its own have something short.
    const start = runEnd(bytes, at + 1, 6, LEAD);
    if (runEnd(bytes, start, MIN_LENGTH, BODY) < start + MIN_LENGTH) return rejectMatch(match, 'too short');
    if (!LABEL.test(textOf(bytes, at - 40, at))) return rejectMatch(match, 'label');
    let end = runEnd(bytes, start, MAX_LENGTH, BODY);
    match.entropy = entropy(textOf(bytes, start, Math.min(end, start + 256)));
    if (match.entropy < MIN_ENTROPY) return rejectMatch(match, 'entropy');
    while (bytes[end] === EQUALS && end < start + MAX_LENGTH + 2) end++;
    return acceptMatch(match, start, end, REASON.pattern | REASON.contextWord | REASON.entropy);
  },
  mask: (value) => maskSecret(value),
  examples: {
    match: [
      { text: `fingerprint_template: ${sample(1)}`, value: sample(1) },
      { text: `"faceTemplate": "${sample(2)}"`, value: sample(2) },
      { text: `biometric_template=${sample(3)}`, value: sample(3) },
    ],
    not: [sample(1), `fingerprint: ${sample(1)}`, 'biometric_template: none', `biometric: ${'a'.repeat(60)}`],
  },
};

/** A deterministic pseudo-random sample. */
function sample(seed: number): string {
  return Buffer.from(
    Array.from({ length: 48 }, (_, n) => (n * n * 37 + n * seed * 11 + seed * 53) & 255),
  ).toString('base64');
}
