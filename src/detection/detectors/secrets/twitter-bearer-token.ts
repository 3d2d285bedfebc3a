import type { Detector } from '../../detector.ts';
import { issuedToken } from '../../families/issued-token.ts';

export const twitterBearerToken: Detector = issuedToken({
  id: 'TWITTER_BEARER_TOKEN',
  title: 'X (Twitter) bearer token',
  prefixes: [{ text: 'AAAAAAAAAAAAAAAAAAAAA', length: [60, 110] }],
  alphabet: 'azAZ09%%',
});
