import type { Detector } from '../../detector.ts';
import { issuedToken } from '../../families/issued-token.ts';

export const dropboxToken: Detector = issuedToken({
  id: 'DROPBOX_TOKEN',
  title: 'Dropbox token',
  prefixes: [{ text: 'sl.', length: [130, 1500] }],
  alphabet: 'azAZ09__--..',
});
