import { describe, expect, it } from 'vitest';
import type { Example } from '../detector.ts';
import { createScanner } from '../scanner.ts';
import { catalogue } from './catalogue.ts';

const scanner = createScanner(catalogue);

/** What the whole catalogue finds in an example: id and value of each span. */
function findings(example: Example): { id: string; value: string }[] {
  const { text, field } = typeof example === 'string' ? { text: example, field: undefined } : example;
  scanner.begin({ fieldAt: () => field ?? null });
  scanner.push(Buffer.from(text));
  const spans = scanner.end();
  return Array.from({ length: spans.count }, (_, n) => {
    const at = spans.at[n]!;
    const value = Buffer.from(spans.window.subarray(at, at + spans.end[n]! - spans.start[n]!)).toString();
    return { id: catalogue[spans.detector[n]!]!.id, value };
  });
}

function textOf(example: Example): string {
  return typeof example === 'string' ? example : example.text;
}

describe('the catalogue', () => {
  it('names every detector once', () => {
    expect(new Set(catalogue.map(({ id }) => id)).size).toBe(catalogue.length);
  });

  it.each(catalogue.map((detector) => [detector.id, detector] as const))(
    '%s brings three examples of each sort',
    (_, d) => {
      expect(d.examples.match.length).toBeGreaterThanOrEqual(3);
      expect(d.examples.not.length).toBeGreaterThanOrEqual(3);
      expect(d.title).not.toBe('');
      expect(d.anchors.length).toBeGreaterThan(0);
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

    it.each(detector.examples.not.map((e) => [textOf(e), e] as const))(
      'finds nothing of its kind in %j',
      (_, e) => {
        expect(findings(e).filter(({ id }) => id === detector.id)).toEqual([]);
      },
    );
  });
}
