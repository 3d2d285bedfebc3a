import { bech32Sum } from '../../../checks/bech32.ts';
import type { Detector } from '../../../detector.ts';
import { issuedToken } from '../../../families/secrets/issued-token.ts';

const PREFIX = 'AGE-SECRET-KEY-1';
const CHECKSUM_LENGTH = 6;
const data = ['q7lw2nzpr9sxv4tk', 'm0cyh8jdf6guet3a', 'n5e2xzr8qv4wk7ms', 'p9qc'].join('');

/** A key of the age tool, in bech32. */
export const ageSecretKey: Detector = issuedToken({
  id: 'AGE_SECRET_KEY',
  title: 'age secret key',
  risk: 10,
  prefixes: [PREFIX],
  length: 58,
  alphabet: 'AZ09',
  checksum: checksumMatches,
  sample: randomKey(),
  examples: {
    match: [{ text: `# created: 2024\n${PREFIX}${randomKey()}\n`, value: PREFIX + randomKey() }],
    not: [`AGE-PUBLIC-KEY-1${randomKey()}`],
  },
});

function checksumMatches(body: string): boolean {
  const text = body.toLowerCase();
  return text.slice(-CHECKSUM_LENGTH) === bech32Sum('age-secret-key-', text.slice(0, -CHECKSUM_LENGTH));
}

function randomKey(): string {
  return (data + bech32Sum('age-secret-key-', data)).toUpperCase();
}
