import { textOf } from '../../bytes.ts';
import { entropy } from '../../checks/entropy.ts';
import { acceptMatch, type Detector, rejectMatch } from '../../detector.ts';
import { assignsKey, parseAssignment } from '../../families/secrets/assignment.ts';
import { maskSecret } from '../../masks.ts';
import { REASON } from '../../reasons.ts';

const NAME = /(?:aws|amazon|s3|iam).*(?:secret|key)|secret[_.-]?(?:access[_.-]?)?key/i;
const LENGTH = 40;
const BODY = /^[A-Za-z0-9+/]+$/;
const HEX = /^[0-9a-f]+$/i;

export const awsSecretKey: Detector = {
  id: 'AWS_SECRET_KEY',
  title: 'AWS secret access key',
  category: 'credential',
  strength: 'context',
  regulations: ['soc2'],
  risk: 10,
  prefilters: [{ assigned: ['key', 'ret'] }],
  confidence: 0.95,
  verify(bytes, at, match) {
    const assigned = assignsKey(bytes, at, LENGTH) ? parseAssignment(bytes, at) : null;
    if (assigned === null || assigned.end - assigned.start !== LENGTH)
      return rejectMatch(match, 'assigned value');
    if (!NAME.test(assigned.name)) return rejectMatch(match, 'name');
    const value = textOf(bytes, assigned.start, assigned.end);
    if (!BODY.test(value) || HEX.test(value)) return rejectMatch(match, 'form');
    match.entropy = entropy(value);
    if (match.entropy < 4) return rejectMatch(match, 'entropy');
    const example = value.endsWith('EXAMPLEKEY');
    if (example) match.confidence = 0.55;
    const reasons = REASON.structure | REASON.assignment | REASON.entropy;
    return acceptMatch(match, assigned.start, assigned.end, reasons | (example ? REASON.testValue : 0));
  },
  mask: (value) => maskSecret(value),
  examples: {
    match: [
      { text: `aws_secret_access_key = ${secret()}`, value: secret() },
      { text: `"SecretAccessKey": "${secret()}"`, value: secret() },
      { text: `AWS_SECRET_KEY='${secret()}'`, value: secret() },
      { text: `  secret_key = "${secret()}"`, value: secret() },
    ],
    not: [
      `checksum = ${secret()}`,
      'aws_secret_access_key = da39a3ee5e6b4b0d3255bfef95601890afd80709',
      `aws_secret_access_key = ${secret().slice(1)}`,
      'aws_secret_access_key = \u0024{AWS_SECRET_ACCESS_KEY}',
    ],
  },
};

/** Made up, and in pieces, so that no other scanner stumbles over this file. */
function secret(): string {
  return ['q7Lw/2nZp', 'R9sXv+4tK', 'mB1cYh8Jd', 'F6gUeT3aNoP5i'].join('');
}
