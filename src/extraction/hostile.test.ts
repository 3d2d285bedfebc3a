import { afterAll, describe, expect, it } from 'vitest';
import { IsolatedReaders } from './isolation/isolated-readers.ts';
import { attempt, LIMITS } from './samples/attempt.fixture.ts';
import { type Case, cut, spoiled, type Tried, tryCase } from './samples/case.fixture.ts';
import { SAMPLES } from './samples/samples.fixture.ts';

const SEED = 1;
const CUTS = 40;
const CHANGES = 60;
const TEST_TIMEOUT_MS = 120_000;
/** Shorter, it is nothing or something else. */
const MIN_LENGTH = 16;

const documents = new IsolatedReaders();
const options = { documents, limits: LIMITS, options: { ocr: false } };
const before = process.memoryUsage.rss();
afterAll(() => documents.close());

/** The defects found, with the cases that triggered them. */
async function defectsOf(
  cases: readonly Case[],
  look: (tried: Tried, one: Case) => string | null = () => null,
): Promise<string[]> {
  const defects: string[] = [];
  for (const one of cases) {
    const tried = await tryCase(one, options);
    const defect = tried.defect ?? look(tried, one);
    if (defect !== null) defects.push(defect);
  }
  return defects;
}

const textOf = (parts: Tried['parts']) => parts.map(({ name, text }) => `${name}: ${text}`).join('\n');

describe('a damaged file ends with a result', () => {
  it.each(SAMPLES)(
    'when it is truncated anywhere, and reports what is missing: $format',
    async (sample) => {
      const { bytes, name, reason, endless = reason !== undefined } = sample;
      const whole = textOf((await attempt(name, bytes, options)).parts);
      const lengths = Array.from({ length: CUTS }, (_, i) => Math.floor((i * bytes.length) / CUTS));
      const defects = await defectsOf(
        lengths.map((length) => cut(sample, length)),
        ({ outcome, parts }, one) => {
          const silent = outcome === 'read' && !endless && one.bytes.length >= MIN_LENGTH;
          return silent && textOf(parts) !== whole
            ? `${one.label}: nothing is said of what is missing`
            : null;
        },
      );
      expect(defects).toEqual([]);
    },
    TEST_TIMEOUT_MS,
  );

  it.each(SAMPLES)(
    'when it is changed anywhere: $format',
    async (sample) => {
      const cases = Array.from({ length: CHANGES }, (_, i) => spoiled(sample, SEED, i));
      expect(await defectsOf(cases)).toEqual([]);
    },
    TEST_TIMEOUT_MS,
  );

  it('and costs no memory that stays', () => {
    expect(process.memoryUsage.rss() - before).toBeLessThan(600_000_000);
  });
});
