import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { LOOKAHEAD_BYTES, LOOKBEHIND_BYTES } from '../../detector.ts';
import { assignsKey, parseAssignment } from './assignment.ts';

function at(text: string, separator: number): readonly [Buffer, number] {
  const bytes = Buffer.alloc(LOOKBEHIND_BYTES + text.length + LOOKAHEAD_BYTES);
  bytes.write(text, LOOKBEHIND_BYTES, 'latin1');
  return [bytes, LOOKBEHIND_BYTES + separator];
}

function assignedIn(text: string, separator: string): string | null {
  const [bytes, place] = at(text, text.indexOf(separator));
  const assigned = parseAssignment(bytes, place);
  return assigned && bytes.toString('latin1', assigned.start, assigned.end);
}

describe('an assignment', () => {
  it.each([
    ['KEY=abc', '=', 'abc'],
    ['"key": "abc"', ':', 'abc'],
    ['key := "abc"', ':', 'abc'],
    ["env['KEY'] = 'abc'", '=', 'abc'],
    ['{\\"key\\": \\"abc\\"}', ':', 'abc'],
    ['<key>abc</key>', '>', 'abc'],
    ['key => "abc"', '=', 'abc'],
  ])('in %s is read', (text, separator, value) => expect(assignedIn(text, separator)).toBe(value));

  it.each([
    ['key == abc', '='],
    ['std::key', ':'],
    ['key://abc', ':'],
    ['a >= b', '>'],
    ['= abc', '='],
  ])('is not in %s', (text, separator) => expect(assignedIn(text, separator)).toBeNull());
});

describe('the cheap test before an assignment is parsed', () => {
  const opening = fc.constantFrom('', ' ', '  ', '\t', '"', ' "', " '", ' \\"', '          ');
  const key = fc.string({
    unit: fc.constantFrom(...'abcXYZ0189+/_-.~'),
    minLength: 16,
    maxLength: 60,
  });
  const padding = fc.constantFrom('', '=', '==');

  it('never rejects a key', () => {
    fc.assert(
      fc.property(opening, key, padding, (before, body, after) => {
        const value = body + after;
        const [bytes, place] = at(`api_key=${before}${value}`, 7);
        expect(assignsKey(bytes, place, value.length)).toBe(true);
      }),
    );
  });

  it('rejects short values', () => {
    for (const text of ['api_key=abc', 'api_key: "abc", "other_key": "abcdefghijklmnopqrst"', 'api_key=']) {
      expect(assignsKey(...at(text, 7), 16)).toBe(false);
    }
  });
});
