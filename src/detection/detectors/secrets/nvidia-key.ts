import type { Detector } from '../../detector.ts';
import { issuedToken } from '../../families/issued-token.ts';

export const nvidiaKey: Detector = issuedToken({
  id: 'NVIDIA_KEY',
  title: 'NVIDIA API key',
  prefixes: [{ text: 'nvapi-', length: [60, 70] }],
  alphabet: 'azAZ09__--',
});
