import { textOf } from '../../bytes.ts';
import { entropy } from '../../checks/entropy.ts';
import { isFiller } from '../../checks/placeholder.ts';
import { acceptMatch, type Detector, rejectMatch } from '../../detector.ts';
import { assignsKey, parseAssignment } from '../../families/secrets/assignment.ts';
import { syntheticSecret } from '../../families/secrets/synthetic-secret.ts';
import { maskSecret } from '../../masks.ts';
import { REASON } from '../../reasons.ts';

const SECRET = /^[A-Za-z0-9_~.-]{3}[78]Q~[A-Za-z0-9_~.-]{31,34}$/;
const MIN_LENGTH = 37;

/** Of an Entra application: "Q~" is at the fifth position, after the version. */
export const azureClientSecret: Detector = {
  id: 'AZURE_CLIENT_SECRET',
  title: 'Azure client secret',
  category: 'credential',
  strength: 'prefix',
  regulations: ['soc2'],
  risk: 9,
  prefilters: [{ assigned: ['ret', 'ord', 'key'] }],
  confidence: 0.95,
  verify(bytes, at, match) {
    const assigned = assignsKey(bytes, at, MIN_LENGTH) ? parseAssignment(bytes, at) : null;
    if (assigned === null) return rejectMatch(match, 'assigned value');
    const text = textOf(bytes, assigned.start, assigned.end);
    if (!SECRET.test(text)) return rejectMatch(match, 'form');
    match.entropy = entropy(text);
    if (isFiller(text) || match.entropy < 3.5) return rejectMatch(match, 'placeholder');
    return acceptMatch(match, assigned.start, assigned.end, REASON.issuer | REASON.assignment);
  },
  mask: (value) => maskSecret(value),
  examples: {
    match: [
      { text: `ARM_CLIENT_SECRET=${secret()}`, value: secret() },
      { text: `client_secret="${secret()}"`, value: secret() },
      { text: `AZURE_CLIENT_SECRET: ${secret()}\n`, value: secret() },
    ],
    not: [
      secret(),
      `client_secret=${secret().slice(1)}`,
      `client_secret=a${secret()}`,
      `client_secret=${secret().replace('~', '-')}`,
      `client_secret=abc8Q~${'x'.repeat(34)}`,
    ],
  },
};

function secret(): string {
  return `${syntheticSecret(3, 'azAZ')}8Q~${syntheticSecret(34, 'azAZ09')}`;
}
