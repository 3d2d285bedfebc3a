import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { jsonPath, ndjsonPath } from './json.ts';

const REACH = 1024;

function pathOf(text: string, value: string, find = jsonPath): string | null {
  const bytes = Buffer.from(text);
  return find(bytes, bytes.indexOf(value));
}

describe('the path in JSON', () => {
  const text = JSON.stringify(
    { customer: { name: 'Ann', tags: ['x', 'y: "z", {'], ids: [[{ ssn: '123' }]], n: -42 }, last: true },
    null,
    2,
  );

  it.each([
    ['Ann', 'customer.name'],
    ['x"', 'customer.tags[]'],
    ['z\\"', 'customer.tags[]'],
    ['123', 'customer.ids[][].ssn'],
    ['42', 'customer.n'],
    ['true', 'last'],
  ])('%s', (value, path) => {
    expect(pathOf(text, value)).toBe(path);
    expect(pathOf(JSON.stringify(JSON.parse(text)), value)).toBe(path);
  });

  it('a top-level array is shown by its brackets', () => {
    expect(pathOf('[{"a": "x"}, {"a": "y"}]', 'y')).toBe('[].a');
  });

  it('a single value without a container has no path', () => expect(pathOf('"x"', 'x')).toBeNull());

  it('a path that begins before the window is shown with dots', () => {
    expect(pathOf('z", "n": 1}, "address": {"city": "Ulm"', 'Ulm')).toBe('….address.city');
    const far = `{"a": {"pad": "${'x'.repeat(9000)}", "b": "here"}}`;
    expect(pathOf(far, 'here')).toBe('….b');
  });

  it('each line of ndjson is a document', () => {
    expect(pathOf('{"a":{"b":1}}\n{"c":{"d":"x"}}\n', 'x', ndjsonPath)).toBe('c.d');
  });

  it('keys that are values themselves are not shown', () => {
    expect(pathOf('{"ann@example.com": {"ssn": "1"}}', '1"')).toBe('*.ssn');
    expect(pathOf('{"123-45-6789": "x"}', 'x')).toBe('*');
  });

  it('is the same as that of a straightforward parser, for every string of any document', () => {
    const text = fc
      .array(fc.constantFrom('a', ' ', '"', '\\', ',', ':', '{', '}', '[', ']', '\n', 'é'), { maxLength: 5 })
      .map((c) => c.join(''));
    const key = fc.constantFrom('a', 'b', 'some key', 'c:', 'd"e', ',');
    const { value } = fc.letrec((tie) => ({
      value: fc.oneof(
        { maxDepth: 4 },
        text.map((t) => `@${t}`),
        fc.integer(),
        fc.boolean(),
        fc.array(tie('value'), { maxLength: 3 }),
        fc.dictionary(key, tie('value'), { maxKeys: 3 }),
      ),
    }));
    const root = fc.oneof(fc.array(value, { minLength: 1 }), fc.dictionary(key, value, { minKeys: 1 }));
    let compared = 0;
    fc.assert(
      fc.property(root, fc.constantFrom(0, 1, 2), (document, indent) => {
        // Each string gets a number, so that it can be found again in what was written.
        const paths: string[] = [];
        const numbered = number(document, '', paths);
        const bytes = Buffer.from(JSON.stringify(numbered, null, indent));
        for (const [i, path] of paths.entries()) {
          const at = bytes.indexOf(`#${i}@`);
          if (at > REACH) break; // farther than that the path is shown with dots
          expect(jsonPath(bytes, at)).toBe(path);
          compared++;
        }
      }),
      { numRuns: 500 },
    );
    expect(compared).toBeGreaterThan(200);
  });

  function number(value: unknown, path: string, paths: string[]): unknown {
    if (typeof value === 'string') return `#${paths.push(path) - 1}${value}`;
    if (Array.isArray(value)) return value.map((item) => number(item, `${path}[]`, paths));
    if (typeof value !== 'object' || value === null) return value;
    const entries = Object.entries(value).map(([k, v]) => [
      k,
      number(v, path === '' ? k : `${path}.${k}`, paths),
    ]);
    return Object.fromEntries(entries);
  }
});
