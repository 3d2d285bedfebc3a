import { afterAll, describe, expect, it } from 'vitest';
import { IsolatedReaders } from '../isolation/isolated-readers.ts';
import { attempt, LIMITS } from './attempt.fixture.ts';
import { SAMPLES } from './samples.fixture.ts';

const documents = new IsolatedReaders();
afterAll(() => documents.close());

describe('a good sample of every format', () => {
  it.each(SAMPLES)('is read to its end: $format', async ({ name, bytes, marker, reason = null }) => {
    const options = { documents, limits: LIMITS, options: { ocr: false } };
    const { parts, ...seen } = await attempt(name, bytes, options);
    expect(seen).toMatchObject({ outcome: reason === null ? 'read' : 'partial', reason });
    expect(parts.map(({ text }) => text).join('\n')).toContain(marker);
  });
});
