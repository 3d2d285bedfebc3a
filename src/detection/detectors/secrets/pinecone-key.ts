import type { Detector } from '../../detector.ts';
import { issuedToken } from '../../families/issued-token.ts';

export const pineconeKey: Detector = issuedToken({
  id: 'PINECONE_KEY',
  title: 'Pinecone API key',
  prefixes: [{ text: 'pcsk_', length: [60, 80] }],
  alphabet: 'azAZ09__',
});
