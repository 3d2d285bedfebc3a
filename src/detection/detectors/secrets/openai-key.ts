import type { Detector } from '../../detector.ts';
import { issuedToken } from '../../families/issued-token.ts';
import { syntheticSecret } from '../../families/synthetic-secret.ts';

const MARK = ['T3Bl', 'bkFJ'].join('');

/** All of them contain “OpenAI” in base64. */
export const openaiKey: Detector = issuedToken({
  id: 'OPENAI_KEY',
  title: 'OpenAI API key',
  prefixes: [
    { text: 'sk-proj-', length: [40, 200] },
    { text: 'sk-svcacct-', length: [40, 200] },
    { text: 'sk-admin-', length: [40, 200] },
    { text: 'sk-', length: [48, 51], alphabet: 'azAZ09' },
  ],
  alphabet: 'azAZ09__--',
  shape: /T3BlbkFJ/,
  sample: syntheticSecret(74, 'azAZ09__--') + MARK + syntheticSecret(74, 'azAZ09__--'),
  examples: {
    match: [`sk-${syntheticSecret(20, 'azAZ09')}${MARK}${syntheticSecret(20, 'azAZ09')}`],
    not: [`sk-${syntheticSecret(48, 'azAZ09')}`],
  },
});
