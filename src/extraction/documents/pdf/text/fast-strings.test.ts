import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { pdfLibrary } from '../pdfjs/library.ts';
import type { LibraryInternals } from '../pdfjs/library-internals.ts';

const insides = (await pdfLibrary()) as unknown as LibraryInternals;

/** What is read, and where it ends. */
function readBy(Stream: LibraryInternals['Stream'], bytes: Uint8Array): readonly unknown[] {
  const lexer = new insides.Lexer(new Stream(bytes, 0, bytes.length));
  return [lexer.getString(), lexer.currentChar, lexer.stream.pos];
}

/** The library reads those of other streams itself. */
class OtherStream extends insides.Stream {}

describe('a string of a PDF document', () => {
  it('is read as the library reads it', () => {
    const byte = fc.constantFrom(...Buffer.from('()()\\\\\\abn rtf0178\r\n\xe4', 'latin1'));
    fc.assert(
      fc.property(fc.array(byte, { maxLength: 60 }), (rest) => {
        const bytes = Uint8Array.from([0x28, ...rest]);
        expect(readBy(insides.Stream, bytes)).toEqual(readBy(OtherStream, bytes));
      }),
      { numRuns: 3000 },
    );
  });

  it.each([
    ['brackets inside', '(a (b) c) d', 'a (b) c'],
    ['escapes', '(\\(\\101\\n\\\\\\8) d', '(A\n\\8'],
    ['a line that is broken', '(one \\\r\ntwo) d', 'one two'],
    ['no end', '(one two', 'one two'],
    ['very many characters', `(${'x'.repeat(1000)}) d`, 'x'.repeat(1000)],
  ])('may have %s', (_, source, text) => {
    expect(readBy(insides.Stream, Buffer.from(source))[0]).toBe(text);
  });
});
