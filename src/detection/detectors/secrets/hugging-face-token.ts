import type { Detector } from '../../detector.ts';
import { issuedToken } from '../../families/issued-token.ts';

export const huggingFaceToken: Detector = issuedToken({
  id: 'HUGGING_FACE_TOKEN',
  title: 'Hugging Face token',
  prefixes: [
    { text: 'hf_', length: [34, 37] },
    { text: 'api_org_', length: [34, 34] },
  ],
  alphabet: 'azAZ09',
});
