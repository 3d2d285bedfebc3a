import { bech32Sum } from '../../checks/bech32.ts';
import type { Detector } from '../../detector.ts';
import { issuedToken } from '../../families/issued-token.ts';

const PREFIX = 'AGE-SECRET-KEY-1';
const SUM = 6;
const data = ['q7lw2nzpr9sxv4tk', 'm0cyh8jdf6guet3a', 'n5e2xzr8qv4wk7ms', 'p9qc'].join('');

/** A key of the age tool, in bech32. */
export const ageSecretKey: Detector = issuedToken({
  id: 'AGE_SECRET_KEY',
  title: 'age secret key',
  risk: 10,
  prefixes: [{ text: PREFIX, length: [58, 58] }],
  alphabet: 'AZ09',
  checksum: sumChecks,
  sample: whole(),
  examples: {
    match: [{ text: `# created: 2024\n${PREFIX}${whole()}\n`, value: PREFIX + whole() }],
    not: [`AGE-PUBLIC-KEY-1${whole()}`],
  },
});

function sumChecks(body: string): boolean {
  const text = body.toLowerCase();
  return text.slice(-SUM) === bech32Sum('age-secret-key-', text.slice(0, -SUM));
}

function whole(): string {
  return (data + bech32Sum('age-secret-key-', data)).toUpperCase();
}
