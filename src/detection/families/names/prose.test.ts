import { describe, expect, it } from 'vitest';
import { isProse, isWithinProse, namesSomething } from './prose.ts';

const MARGIN = 512;

/** The text padded with zeros as in a scanner's window, and the range of `value` in it. */
function at(text: string, value: string): [Buffer, number, number] {
  const bytes = Buffer.concat([Buffer.alloc(MARGIN), Buffer.from(text), Buffer.alloc(MARGIN)]);
  const start = bytes.indexOf(value);
  return [bytes, start, start + Buffer.byteLength(value)];
}

describe('a written sentence', () => {
  it.each([
    'Last summer Ingrid planted an apple tree',
    'it was Ingrid who came (as always) too late',
    'nobody but Ingrid; so they waited for her',
  ])('is known by its small words: %s', (text) => {
    expect(isProse(...at(text, 'Ingrid'))).toBe(true);
  });

  it.each([
    'Ingrid',
    'Ingrid Street',
    'const who = Ingrid and all the others of them',
    'we call save(Ingrid) and then go on with it',
    'the cell | Ingrid | is one of a whole table',
    'see `Ingrid` for what is written down there',
    '// they say that Ingrid is the name of a thing',
    'std::Ingrid is what they have in there',
    'one or two or three: Ingrid;',
  ])('is not this: %s', (text) => {
    expect(isProse(...at(text, 'Ingrid'))).toBe(false);
  });

  it('ends with its line', () => {
    expect(isProse(...at('there are so many words here\nIngrid\nand as many below it', 'Ingrid'))).toBe(
      false,
    );
  });

  it('does not begin with the timestamp of a log', () => {
    const log = '2024-05-06 the server has been started again';
    expect(isProse(...at(log, '2024-05-06'))).toBe(true);
    expect(isWithinProse(...at(log, '2024-05-06'))).toBe(false);
    expect(isWithinProse(...at(`we know that on ${log}`, '2024-05-06'))).toBe(true);
  });

  it('names something if it contains a capitalised word that does not begin it', () => {
    expect(namesSomething(...at('the mill was sold in 1984 to the town', '1984'))).toBe(false);
    expect(namesSomething(...at('The mill was sold in 1984. Nobody knew', '1984'))).toBe(false);
    expect(namesSomething(...at('the mill of Ingrid was sold in 1984', '1984'))).toBe(true);
    expect(namesSomething(...at('In 1984, Ingrid sold the mill', '1984'))).toBe(true);
  });
});
