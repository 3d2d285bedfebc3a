import type { Detector } from '../../detector.ts';
import { issuedToken } from '../../families/issued-token.ts';

export const alibabaAccessKey: Detector = issuedToken({
  id: 'ALIBABA_ACCESS_KEY',
  title: 'Alibaba Cloud access key id',
  risk: 8,
  prefixes: [{ text: 'LTAI', length: [12, 20] }],
  alphabet: 'azAZ09',
});
