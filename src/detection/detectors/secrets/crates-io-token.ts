import type { Detector } from '../../detector.ts';
import { issuedToken } from '../../families/issued-token.ts';

export const cratesIoToken: Detector = issuedToken({
  id: 'CRATES_IO_TOKEN',
  title: 'crates.io token',
  prefixes: [{ text: 'cio', length: [32, 32] }],
  alphabet: 'azAZ09',
});
