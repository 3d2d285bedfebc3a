import { textOf } from '../../../bytes.ts';
import { basicCredentials } from '../../../checks/basic-credentials.ts';
import { acceptMatch, type Detector, rejectMatch } from '../../../detector.ts';
import { hasText } from '../../../families/secrets/issued-token.ts';
import { JSON_NAME } from '../../../families/shared-prefilters.ts';
import { maskSecret } from '../../../masks.ts';
import { REASON } from '../../../reasons.ts';

const ENTRY = /^"auth":\s{0,4}"([A-Za-z0-9+/]{8,400}={0,2})"/;

/** The login of a registry in `.dockerconfigjson`. */
export const dockerAuth: Detector = {
  id: 'DOCKER_AUTH',
  title: 'Login of a container registry',
  category: 'credential',
  strength: 'format',
  regulations: ['soc2'],
  risk: 9,
  prefilters: [{ pattern: JSON_NAME }],
  confidence: 0.9,
  verify(bytes, at, match) {
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
      { text: `"auth":  "${pair('a:9kQz-77-xW')}"`, value: pair('a:9kQz-77-xW') },
    ],
    not: ['"auth": "oauth2"', `"auth": "${pair('no colon in here')}"`, '"auth": ""', '"auth": "required0"'],
  },
};

function pair(text: string): string {
  return Buffer.from(text).toString('base64');
}
