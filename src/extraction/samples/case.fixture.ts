/** One corrupted sample: mutated as determined by a seed and a number, or truncated. */
import type { ExtractionOptions } from '../extract.ts';
import { type Attempt, attempt, isReaderFault } from './attempt.fixture.ts';
import { mutated } from './mutate.fixture.ts';
import type { Sample } from './sample.fixture.ts';
import { SeededRandom } from './seeded-random.fixture.ts';

export interface Case {
  readonly sample: Sample;
  /** How to get it again. */
  readonly label: string;
  readonly bytes: Uint8Array;
  readonly random: SeededRandom;
}

export function spoiled(sample: Sample, seed: number, number: number): Case {
  const label = `${sample.format}, seed ${seed}, case ${number}`;
  const random = new SeededRandom(seed, `${sample.format} ${number}`);
  const deeper = random.below(2) === 0 ? sample.deeper?.(random) : undefined;
  const bytes = deeper ?? mutated(sample.bytes, random);
  return { sample, label, bytes, random };
}

export function cut(sample: Sample, length: number): Case {
  const label = `${sample.format}, cut to ${length}`;
  return { sample, label, bytes: sample.bytes.subarray(0, length), random: new SeededRandom(length, label) };
}

/** Maximum text of a case made of small files: more would be fabricated. */
const MAX_TEXT = 60_000_000;

/** Does not throw: an unexpected error is returned as a defect, with the case that triggered it. */
export async function tryCase(
  { sample, label, bytes, random }: Case,
  options: ExtractionOptions,
): Promise<Tried> {
  const began = performance.now();
  try {
    const tried = await attempt(sample.name, bytes, options, random);
    const ms = performance.now() - began;
    if (isReaderFault(tried)) return { ...tried, ms, defect: `${label}: ${tried.reason}` };
    return { ...tried, ms, defect: tried.length > MAX_TEXT ? `${label}: too much text` : null };
  } catch (error) {
    const what = error instanceof Error ? error.stack : String(error);
    const ms = performance.now() - began;
    return { outcome: 'thrown', reason: null, length: 0, parts: [], ms, defect: `${label}: ${what}` };
  }
}

export interface Tried extends Omit<Attempt, 'outcome'> {
  readonly outcome: Attempt['outcome'] | 'thrown';
  readonly ms: number;
  readonly defect: string | null;
}
