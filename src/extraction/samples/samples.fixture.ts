/** A good sample of every format that is read. */

import { compressedSamples } from './compressed-samples.fixture.ts';
import { dataSamples } from './data-samples.fixture.ts';
import { legacySamples } from './legacy-samples.fixture.ts';
import { officeSamples } from './office-samples.fixture.ts';
import { pageSamples } from './page-samples.fixture.ts';
import type { Sample } from './sample.fixture.ts';
import { textSamples } from './text-samples.fixture.ts';

export const SAMPLES: readonly Sample[] = [
  ...textSamples,
  ...compressedSamples,
  ...officeSamples,
  ...legacySamples,
  ...pageSamples,
  ...dataSamples,
];
