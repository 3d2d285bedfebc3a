import { textOf } from '../bytes.ts';
import { entropy } from '../checks/entropy.ts';
import { isPlaceholder } from '../checks/placeholder.ts';
import { type Detector, found } from '../detector.ts';
import { maskSecret } from '../masks.ts';
import { REASON } from '../reasons.ts';
import { readAssignment } from './assignment.ts';

const NAME =
  /(?:api|access|auth|secret|private|client|app|application|service|account|encryption|signing|bearer|refresh|master|webhook|session)[ _.-]?(?:key|token|secret)$|(?:^|[_.-])(?:token|secret|apikey)$/i;
const BODY = /^[A-Za-z0-9_\-+/=.~]{16,200}$/;
const HEX = /^[0-9a-f-]+$/i;
/** A name in front of a hexadecimal key. */
const PREFIX = /^[a-z]{2,12}[_-]?(?=[0-9a-f]{16,}$)/i;
/** Bits per character: words and paths stay below, random text lies above. Hex has four at most. */
const RANDOM = 3.5;
const RANDOM_HEX = 3;

export const apiKey: Detector = {
  id: 'API_KEY',
  title: 'API key or token',
  category: 'credential',
  anchors: [{ kind: 'assignment', tails: ['key', 'ken', 'ret'] }],
  confidence: 0.75,
  verify(bytes, at, match) {
    const assigned = readAssignment(bytes, at);
    if (assigned === null || assigned.end - assigned.start < 16 || !NAME.test(assigned.name)) return false;
    const value = textOf(bytes, assigned.start, assigned.end);
    if (!BODY.test(value) || isPlaceholder(value) || !random(value)) return false;
    return found(match, assigned.start, assigned.end, REASON.pattern | REASON.assignment | REASON.entropy);
  },
  mask: (value) => maskSecret(value),
  examples: {
    match: [
      { text: `api_key = "${sample()}"`, value: sample() },
      { text: `"clientSecret":"${sample()}"`, value: sample() },
      { text: `export AUTH_TOKEN=${sample()}\n`, value: sample() },
      { text: `X-Api-Key: ${sample()}`, value: sample() },
      { text: `api_key = "${hexKey()}"`, value: hexKey() },
    ],
    not: [
      'api_key = "your-api-key-goes-here"',
      'api_key = process.env.SERVICE_API_KEY_1',
      'api_key = "aaaaaaaaaaaaaaaaaaaa"',
      'primary_key = "4f9a0c17e2b84d6f8a3c"',
      'access_token: retrieveTheAccessToken',
      'api_key = "short1"',
    ],
  },
};

function random(value: string): boolean {
  if (!/\d/.test(value) || !/[a-z]/i.test(value)) return false;
  if (/^[a-z_$]\w*(?:\.[a-z_$]\w*)+$/i.test(value) && !/\d\w*\d/.test(value)) return false;
  const body = value.replace(PREFIX, '');
  return entropy(body) >= (HEX.test(body) ? RANDOM_HEX : RANDOM);
}

/** Made up, and in pieces, so that no other scanner stumbles over this file. */
function sample(): string {
  return ['4f9aQ0c17e', 'Z2b84dK6f8', 'a3cX51'].join('');
}

function hexKey(): string {
  return ['shop', '8d5f77dd', '73577748', '872b0aa437'].join('');
}
