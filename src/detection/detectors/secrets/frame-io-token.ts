import type { Detector } from '../../detector.ts';
import { issuedToken } from '../../families/issued-token.ts';

export const frameIoToken: Detector = issuedToken({
  id: 'FRAME_IO_TOKEN',
  title: 'Frame.io token',
  prefixes: [{ text: 'fio-u-', length: [64, 64] }],
  alphabet: 'azAZ09__--',
});
