import type { Detector } from '../../detector.ts';
import { issuedToken } from '../../families/issued-token.ts';

export const tencentCloudKey: Detector = issuedToken({
  id: 'TENCENT_CLOUD_KEY',
  title: 'Tencent Cloud secret id',
  risk: 8,
  prefixes: [{ text: 'AKID', length: [32, 32] }],
  alphabet: 'azAZ09',
});
