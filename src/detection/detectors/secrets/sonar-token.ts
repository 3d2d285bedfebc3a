import type { Detector } from '../../detector.ts';
import { issuedToken } from '../../families/issued-token.ts';

export const sonarToken: Detector = issuedToken({
  id: 'SONAR_TOKEN',
  title: 'SonarQube token',
  prefixes: ['squ_', 'sqp_', 'sqa_'].map((text) => ({ text, length: [40, 40] })),
  alphabet: '09af',
});
