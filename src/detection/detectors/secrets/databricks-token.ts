import type { Detector } from '../../detector.ts';
import { issuedToken } from '../../families/issued-token.ts';
import { syntheticSecret } from '../../families/synthetic-secret.ts';

export const databricksToken: Detector = issuedToken({
  id: 'DATABRICKS_TOKEN',
  title: 'Databricks token',
  prefixes: [{ text: 'dapi', length: [32, 34] }],
  alphabet: '09af--',
  shape: /^[0-9a-f]{32}(?:-\d)?$/,
  sample: syntheticSecret(32, '09af'),
  examples: {
    match: [`dapi${syntheticSecret(32, '09af')}-2`],
    not: ['dapi-reference-of-the-service-layer1'],
  },
});
