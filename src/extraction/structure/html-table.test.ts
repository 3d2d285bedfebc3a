import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { htmlName } from './markup.ts';

describe('heads of tables of HTML', () => {
  it('are found correctly for any tags', () => {
    const part = fc.constantFrom(
      ...[
        '<table>',
        '</table>',
        '<tr>',
        '<tr',
        '</tr>',
        '<td>',
        '<td colspan=9',
        '<td colspan="999">',
        '</td>',
      ],
      ...['<th>', '<th colspan=0>', '</th>', '<p>', 'Name', 'x 1', '>', '<', '\n', 'ж'],
    );
    fc.assert(
      fc.property(fc.array(part, { maxLength: 60 }), (parts) => {
        const bytes = Buffer.from(parts.join(''));
        for (let at = 0; at <= bytes.length; at++) {
          const name = htmlName(bytes, at);
          expect(name === null || (name.length > 0 && name.length <= 64)).toBe(true);
        }
      }),
      { numRuns: 300 },
    );
  });

  it('name the cells of a row that is long, and none of a head out of reach', () => {
    const head = `<table><tr>${Array.from({ length: 50 }, (_, i) => `<th>c${i}</th>`).join('')}</tr>`;
    const row = `<tr>${'<td>x</td>'.repeat(49)}<td>`;
    const near = Buffer.from(head + row);
    expect(htmlName(near, near.length)).toBe('c49');
    const far = Buffer.from(`${head}${'<tr><td>some text</td></tr>'.repeat(1000)}${row}`);
    expect(htmlName(far, far.length)).toBe('td');
  });

  it('are not named by a part of a head', () => {
    const token = 'AKIAQZXWVCANARYLMNPQRSTUVWXYZ';
    for (let before = 4020; before < 4100; before++) {
      const head = `<table><tr><th title="${'x'.repeat(before - 40)}">a</th><th>${token}</th></tr>`;
      const page = Buffer.from(`${head}${' '.repeat(100)}<tr><td>x</td><td>`);
      expect(['td', token]).toContain(htmlName(page, page.length));
    }
  });
});
