import { textOf } from '../../../bytes.ts';
import { entropy } from '../../../checks/entropy.ts';
import { isFiller } from '../../../checks/placeholder.ts';
import { acceptMatch, type Detector, rejectMatch } from '../../../detector.ts';
import { assignsKey, parseAssignment } from '../../../families/secrets/assignment.ts';
import { maskSecret } from '../../../masks.ts';
import { REASON } from '../../../reasons.ts';

const KEY = /^[A-Za-z0-9+/]{42}[AEIMQUYcgkosw048]=/;
const LENGTH = 44;
const NAME = /(?:^|[_.-])(?:private|wireguard|wg|preshared)[_.-]?key$/i;

/** Thirty-two bytes for curve 25519: three low bits are clear, of the two high ones the second is set. One in 32 is so by chance. */
export const wireguardKey: Detector = {
  id: 'WIREGUARD_KEY',
  title: 'WireGuard private key',
  category: 'credential',
  strength: 'context',
  regulations: ['soc2'],
  risk: 9,
  prefilters: [{ assigned: ['key'] }],
  confidence: 0.9,
  verify(bytes, at, match) {
    const assigned = assignsKey(bytes, at, LENGTH) ? parseAssignment(bytes, at) : null;
    if (assigned === null || assigned.end - assigned.start !== LENGTH)
      return rejectMatch(match, 'assigned value');
    if (!NAME.test(assigned.name)) return rejectMatch(match, 'name');
    const text = textOf(bytes, assigned.start, assigned.end);
    if (!KEY.test(text)) return rejectMatch(match, 'form');
    const key = Buffer.from(text, 'base64');
    if ((key[0]! & 7) !== 0 || (key[31]! & 0xc0) !== 0x40) return rejectMatch(match, 'bits of the curve');
    match.entropy = entropy(text);
    if (isFiller(text) || match.entropy < 4) return rejectMatch(match, 'placeholder');
    return acceptMatch(match, assigned.start, assigned.end, REASON.assignment | REASON.structure);
  },
  mask: (value) => maskSecret(value),
  examples: {
    match: [
      { text: `[Interface]\nPrivateKey = ${key(true)}\n`, value: key(true) },
      { text: `wg_private_key: "${key(true)}"`, value: key(true) },
      { text: `{"privateKey":"${key(true)}"}`, value: key(true) },
    ],
    not: [
      `PrivateKey = ${key(false)}`,
      `PublicKey = ${key(true)}`,
      key(true),
      `PrivateKey = ${key(true).slice(1)}`,
    ],
  },
};

/** Made up, with or without the bits that the curve wants. */
function key(proper: boolean): string {
  const bytes = Buffer.from(Array.from({ length: 32 }, (_, i) => (i * 89 + 41) & 0xff));
  bytes[0] = proper ? 0x50 : 0x57;
  bytes[31] = 0x4b;
  return bytes.toString('base64');
}
