import { byteSet, isAlnum, runEnd, textOf } from '../../../bytes.ts';
import { acceptMatch, type Detector, rejectMatch } from '../../../detector.ts';
import { syntheticSecret } from '../../../families/secrets/synthetic-secret.ts';
import { maskSecret } from '../../../masks.ts';
import { REASON } from '../../../reasons.ts';

const BASE64 = byteSet('azAZ09++//==');
const MIN_LENGTH = 120;
const MAX_LENGTH = 4000;

/** A PEM file encoded in base64 again: `client-key-data` of a kubeconfig, `tls.key` of a Kubernetes secret. */
export const base64PrivateKey: Detector = {
  id: 'BASE64_PRIVATE_KEY',
  title: 'Private key in base64',
  category: 'credential',
  strength: 'format',
  regulations: ['soc2'],
  risk: 10,
  prefilters: [{ pattern: String.raw`\bLS0tLS1CRUdJTi` }],
  confidence: 0.99,
  verify(bytes, at, match) {
    if (isAlnum(bytes[at - 1]!)) return rejectMatch(match, 'stands alone');
    const head = Buffer.from(textOf(bytes, at, at + 64), 'base64').toString('latin1');
    if (!/^-----BEGIN (?:[A-Z]+ ){0,2}PRIVATE KEY/.test(head)) return rejectMatch(match, 'kind of key');
    const end = runEnd(bytes, at, MAX_LENGTH, BASE64);
    if (end - at < MIN_LENGTH) return rejectMatch(match, 'length');
    return acceptMatch(match, at, end, REASON.structure | REASON.pattern);
  },
  mask: (value) => maskSecret(value),
  examples: {
    match: [
      pem('RSA PRIVATE KEY'),
      { text: `    client-key-data: ${pem('EC PRIVATE KEY')}\n`, value: pem('EC PRIVATE KEY') },
      { text: `"tls.key": "${pem('PRIVATE KEY')}"`, value: pem('PRIVATE KEY') },
    ],
    not: [
      pem('CERTIFICATE'),
      pem('PUBLIC KEY'),
      pem('RSA PRIVATE KEY').slice(0, 80),
      `x${pem('RSA PRIVATE KEY')}`,
    ],
  },
};

function pem(kind: string): string {
  const fence = '-'.repeat(5);
  const text = `${fence}BEGIN ${kind}${fence}\n${syntheticSecret(64, 'azAZ09')}\n${fence}END ${kind}${fence}\n`;
  return Buffer.from(text).toString('base64');
}
