import type { Detector } from '../../detector.ts';
import { issuedToken } from '../../families/issued-token.ts';
import { syntheticSecret } from '../../families/synthetic-secret.ts';

export const langsmithKey: Detector = issuedToken({
  id: 'LANGSMITH_KEY',
  title: 'LangSmith API key',
  prefixes: [
    { text: 'lsv2_pt_', length: [43, 43] },
    { text: 'lsv2_sk_', length: [43, 43] },
  ],
  alphabet: '09af__',
  shape: /^[0-9a-f]{32}_[0-9a-f]{10}$/,
  sample: `${syntheticSecret(32, '09af')}_${syntheticSecret(10, '09af')}`,
});
