import { describe, expect, it } from 'vitest';
import { catalogue } from './catalogue.ts';
import { OPTIONAL } from './catalogue-info.ts';
import type { Example } from './detector.ts';
import { scanText } from './scan.fixture.ts';
import { createScanner } from './scanner.ts';

const scanner = createScanner(catalogue);

/** Id and value of each span that the whole catalogue finds in an example. */
function findings(example: Example): { id: string; value: string }[] {
  const { text, field } = typeof example === 'string' ? { text: example, field: undefined } : example;
  const context = { fieldAt: () => field ?? null };
  return scanText(scanner, text, { context }).map(({ detector, value }) => ({
    id: catalogue[detector]!.id,
    value: Buffer.from(value, 'latin1').toString(),
  }));
}

function textOf(example: Example): string {
  return typeof example === 'string' ? example : example.text;
}

describe('the catalogue', () => {
  it('lists the optional detectors consistently in both places', () => {
    const optional = catalogue.filter((detector) => detector.optional === true).map(({ id }) => id);
    expect(new Set(optional)).toEqual(OPTIONAL);
  });

  it('has unique detector ids', () => {
    expect(new Set(catalogue.map(({ id }) => id)).size).toBe(catalogue.length);
  });

  it.each(catalogue.map((detector) => [detector.id, detector] as const))(
    '%s has at least three positive and three negative examples',
    (_, d) => {
      expect(d.examples.match.length).toBeGreaterThanOrEqual(3);
      expect(d.examples.not.length).toBeGreaterThanOrEqual(3);
      expect(d.title).not.toBe('');
      expect(d.prefilters.length).toBeGreaterThan(0);
    },
  );
});

for (const detector of catalogue) {
  describe(detector.id, () => {
    it.each(detector.examples.match.map((e) => [textOf(e), e] as const))(
      'finds exactly the value in %j',
      (text, e) => {
        const value = (typeof e === 'string' ? e : e.value) ?? text;
        expect(findings(e)).toContainEqual({ id: detector.id, value });
        expect(findings(e).filter(({ id }) => id === detector.id)).toHaveLength(1);
      },
    );

    it.each(detector.examples.not.map((e) => [textOf(e), e] as const))('does not match %j', (_, e) => {
      expect(findings(e).filter(({ id }) => id === detector.id)).toEqual([]);
    });
  });
}
