import { textOf } from '../../bytes.ts';
import { entropy, looksGenerated } from '../../checks/entropy.ts';
import { isPlaceholder } from '../../checks/placeholder.ts';
import { acceptMatch, type Detector, rejectMatch } from '../../detector.ts';
import { assignsKey, parseAssignment } from '../../families/secrets/assignment.ts';
import { maskSecret } from '../../masks.ts';
import { REASON } from '../../reasons.ts';

const NAME =
  /(?:api|access|auth|secret|private|client|app|application|service|account|encryption|signing|bearer|refresh|master|webhook|session)[ _.-]?(?:key|token|secret)$|(?:^|[_.-])(?:token|secret|apikey)$/i;
const MIN_LENGTH = 16;
const BODY = /^[A-Za-z0-9_\-+/=.~]{16,200}$/;

export const apiKey: Detector = {
  id: 'API_KEY',
  title: 'API key or token',
  category: 'credential',
  strength: 'heuristic',
  regulations: ['soc2'],
  risk: 8,
  prefilters: [{ assigned: ['key', 'ken', 'ret'] }],
  confidence: 0.75,
  verify(bytes, at, match) {
    const assigned = assignsKey(bytes, at, MIN_LENGTH) ? parseAssignment(bytes, at) : null;
    if (assigned === null) return rejectMatch(match, 'assigned value');
    if (!NAME.test(assigned.name)) return rejectMatch(match, 'name');
    const value = textOf(bytes, assigned.start, assigned.end);
    if (!BODY.test(value)) return rejectMatch(match, 'form');
    if (isPlaceholder(value)) return rejectMatch(match, 'placeholder');
    match.entropy = entropy(value);
    if (!looksGenerated(value)) return rejectMatch(match, 'entropy');
    return acceptMatch(
      match,
      assigned.start,
      assigned.end,
      REASON.pattern | REASON.assignment | REASON.entropy,
    );
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

/** Made up, and in pieces, so that no other scanner stumbles over this file. */
function sample(): string {
  return ['4f9aQ0c17e', 'Z2b84dK6f8', 'a3cX51'].join('');
}

function hexKey(): string {
  return ['shop', '8d5f77dd', '73577748', '872b0aa437'].join('');
}
