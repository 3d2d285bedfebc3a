import type { Detector } from '../../detector.ts';
import { issuedToken } from '../../families/issued-token.ts';
import { syntheticSecret } from '../../families/synthetic-secret.ts';

export const dopplerToken: Detector = issuedToken({
  id: 'DOPPLER_TOKEN',
  title: 'Doppler token',
  prefixes: [
    { text: 'dp.st.', length: [40, 80] },
    { text: 'dp.pt.', length: [40, 44] },
    { text: 'dp.ct.', length: [40, 44] },
    { text: 'dp.sa.', length: [40, 44] },
    { text: 'dp.scim.', length: [40, 44] },
    { text: 'dp.audit.', length: [40, 44] },
  ],
  alphabet: 'azAZ09..__--',
  shape: /^(?:[a-z0-9_-]{2,35}\.)?[A-Za-z0-9]{40,44}$/,
  sample: `production.${syntheticSecret(43, 'azAZ09')}`,
  examples: {
    match: [`dp.pt.${syntheticSecret(43, 'azAZ09')}`, `dp.scim.${syntheticSecret(40, 'azAZ09')}`],
    not: [],
  },
});
