import type { Detector } from '../../detector.ts';
import { markedKey } from '../../families/marked-key.ts';

export const terraformToken: Detector = markedKey({
  id: 'TERRAFORM_TOKEN',
  title: 'Terraform Cloud token',
  prefilter: String.raw`\.atlasv1\.`,
  marks: ['.atlasv1.'],
  before: { alphabet: 'azAZ09', length: 14 },
  after: { alphabet: 'azAZ09__--', length: [60, 70] },
});
