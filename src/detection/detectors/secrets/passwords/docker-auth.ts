import { byteSet, isAlnum, runEnd, textOf } from '../../../bytes.ts';
import { basicCredentials } from '../../../checks/basic-credentials.ts';
import { acceptMatch, type Detector, type Match, rejectMatch } from '../../../detector.ts';
import { hasText } from '../../../families/secrets/issued-token.ts';
import { JSON_NAME } from '../../../families/shared-prefilters.ts';
import { maskSecret } from '../../../masks.ts';
import { REASON } from '../../../reasons.ts';

const ENTRY = /^"auth":\s{0,4}"([A-Za-z0-9+/]{8,400}={0,2})"/;

/** `{"auths":` in base64. */
const ENCODED = 'eyJhdXRocyI6';
const BASE64 = byteSet('azAZ09++//==');
const MAX_LENGTH = 2000;

/** The login of a registry in `.dockerconfigjson`, which Kubernetes stores in base64. */
export const dockerAuth: Detector = {
  id: 'DOCKER_AUTH',
  title: 'Login of a container registry',
  category: 'credential',
  strength: 'format',
  regulations: ['soc2'],
  risk: 9,
  prefilters: [{ pattern: JSON_NAME }, { pattern: String.raw`\beyJhdXRocyI6` }],
  confidence: 0.9,
  verify(bytes, at, match) {
    if (hasText(bytes, at, ENCODED)) return inBase64(bytes, at, match);
    if (!hasText(bytes, at, '"auth"')) return rejectMatch(match, 'name');
    const entry = ENTRY.exec(textOf(bytes, at, at + 424));
    if (entry === null) return rejectMatch(match, 'form');
    const said = basicCredentials(entry[1]!);
    if (said === 'none') return rejectMatch(match, 'user and password');
    if (said === 'published') match.confidence = 0.55;
    const end = at + entry[0].length - 1;
    const reasons = REASON.structure | (said === 'published' ? REASON.testValue : 0);
    return acceptMatch(match, end - entry[1]!.length, end, reasons);
  },
  mask: (value) => maskSecret(value),
  examples: {
    match: [
      { text: `{"auths":{"ghcr.io":{"auth":"${pair('jane:hunter22')}"}}}`, value: pair('jane:hunter22') },
      { text: `  "auth": "${pair('svc-pull:tr0ub4dor&3')}"`, value: pair('svc-pull:tr0ub4dor&3') },
      encoded(pair('jane:hunter22')),
      { text: `"auth":  "${pair('a:9kQz-77-xW')}"`, value: pair('a:9kQz-77-xW') },
    ],
    not: [
      '"auth": "oauth2"',
      `"auth": "${pair('no colon in here')}"`,
      '"auth": ""',
      encoded('oauth2'),
      '"auth": "required0"',
    ],
  },
};

function inBase64(bytes: Buffer, at: number, match: Match): boolean {
  const end = runEnd(bytes, at, MAX_LENGTH, BASE64);
  const text = Buffer.from(textOf(bytes, at, end), 'base64').toString('latin1');
  const login = /"auth":\s{0,4}"([A-Za-z0-9+/]{8,400}={0,2})"/.exec(text)?.[1];
  if (isAlnum(bytes[at - 1]!) || login === undefined || basicCredentials(login) !== 'real')
    return rejectMatch(match, 'user and password');
  return acceptMatch(match, at, end, REASON.structure);
}

function pair(text: string): string {
  return Buffer.from(text).toString('base64');
}

function encoded(auth: string): string {
  return Buffer.from(`{"auths":{"ghcr.io":{"auth":"${auth}"}}}`).toString('base64');
}
