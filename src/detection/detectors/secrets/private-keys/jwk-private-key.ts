import { textOf } from '../../../bytes.ts';
import { isFiller } from '../../../checks/placeholder.ts';
import { acceptMatch, type Detector, rejectMatch } from '../../../detector.ts';
import { syntheticSecret } from '../../../families/secrets/synthetic-secret.ts';
import { JSON_NAME } from '../../../families/shared-prefilters.ts';
import { maskSecret } from '../../../masks.ts';
import { REASON } from '../../../reasons.ts';

const TYPE = /^"kty":\s{0,4}"(RSA|EC|OKP|oct)"/;
const PRIVATE = /"d"\s{0,4}:\s{0,4}"([A-Za-z0-9_-]{40,700})"/;
const SHARED = /"k"\s{0,4}:\s{0,4}"([A-Za-z0-9_-]{20,200})"/;
const BACK = 160;
const AHEAD = 800;

/** RFC 7517: a key as JSON. The private part is "d", that of a shared key "k". */
export const jwkPrivateKey: Detector = {
  id: 'JWK_PRIVATE_KEY',
  title: 'Private key as JSON (JWK)',
  category: 'credential',
  strength: 'format',
  regulations: ['soc2'],
  risk: 10,
  prefilters: [{ pattern: JSON_NAME }],
  confidence: 0.95,
  verify(bytes, at, match) {
    const type = TYPE.exec(textOf(bytes, at, at + 24))?.[1];
    if (type === undefined) return rejectMatch(match, 'kind of key');
    const before = textOf(bytes, at - BACK, at);
    const from = before.lastIndexOf('{');
    const object = before.slice(Math.max(0, from)) + textOf(bytes, at, at + AHEAD);
    const key = (type === 'oct' ? SHARED : PRIVATE).exec(object.split('}', 1)[0]!);
    if (key === null) return rejectMatch(match, 'private part');
    if (isFiller(key[1]!)) return rejectMatch(match, 'placeholder');
    const start = at - BACK + Math.max(0, from) + key.index + key[0].indexOf(key[1]!);
    return acceptMatch(match, start, start + key[1]!.length, REASON.structure | REASON.pattern);
  },
  mask: (value) => maskSecret(value),
  examples: {
    match: [
      { text: `{"kty":"EC","crv":"P-256","x":"x","y":"y","d":"${part()}"}`, value: part() },
      { text: `{"d": "${part()}", "kty": "OKP", "crv": "Ed25519"}`, value: part() },
      { text: `{"keys":[{"kty":"oct","k":"${part()}"}]}`, value: part() },
    ],
    not: [
      `{"kty":"EC","crv":"P-256","x":"${part()}","y":"${part()}"}`,
      `{"keys":[{"kty":"RSA","n":"${part()}"},{"d":"${part()}"}]}`,
      '{"kty":"RSA","d":"..."}',
    ],
  },
};

function part(): string {
  return syntheticSecret(43, 'azAZ09');
}
