import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { shape, viaBytes, viaStream } from '../extraction.fixture.ts';

const utf8 = (text: string) => Buffer.from(text, 'latin1').toString('utf8');
const card = (...lines: string[]) => ['BEGIN:VCARD', ...lines, 'END:VCARD', ''].join('\r\n');
const read = (content: string) => utf8(viaBytes('x', Buffer.from(content)).parts[0]!.text);
/** What becomes of the lines in a card. */
const seen = (...lines: string[]) =>
  read(card(...lines)).slice('BEGIN:VCARD\r\n'.length, -'END:VCARD\r\n'.length);

describe('calendars and contacts', () => {
  it('folded lines are joined, and later lines keep their numbers', () => {
    expect(seen('NOTE:card 4111 11', ' 11 1111 1', '\t111', 'TEL:5')).toBe(
      'NOTE:card 4111 1111 1111 1111\r\n\n\nTEL:5\r\n',
    );
    expect(read('BEGIN:VCARD\nNOTE:a\n b\nX:1\n c')).toBe('BEGIN:VCARD\nNOTE:ab\n\nX:1c');
  });

  it('a character that was divided by a fold is whole', () => {
    const [first, second] = [Buffer.from('é').subarray(0, 1), Buffer.from('é').subarray(1)];
    const bytes = Buffer.concat([Buffer.from('BEGIN:VCARD\r\nN:Ren'), first, Buffer.from('\r\n '), second]);
    expect(viaBytes('x', bytes).parts[0]!.text.endsWith(Buffer.from('René').toString('latin1'))).toBe(true);
  });

  it('values are unescaped', () => {
    expect(seen('ADR:1 Main St\\, Apt 4\\; x\\nann@x.de\\N\\\\server \\q')).toBe(
      'ADR:1 Main St, Apt 4; x ann@x.de \\server \\q\r\n',
    );
  });

  it('quoted-printable is decoded where it is declared', () => {
    expect(
      seen('NOTE;ENCODING=QUOTED-PRINTABLE;CHARSET=UTF-8:Stra=C3=9Fe=0D=0A4111=', '1111 =zz', 'X:a=41'),
    ).toBe('NOTE;ENCODING=QUOTED-PRINTABLE;CHARSET=UTF-8:Straße  41111111 =zz\r\n\nX:a=41\r\n');
    expect(seen('NOTE;QUOTED-PRINTABLE:a=3Db')).toBe('NOTE;QUOTED-PRINTABLE:a=b\r\n');
  });

  it('pictures stay as they are', () => {
    for (const head of ['PHOTO;ENCODING=b;TYPE=JPEG:', 'PHOTO;TYPE=JPEG;ENCODING=BASE64:', 'LOGO;BASE64:']) {
      const lines = [`${head}AAAA`, ' BBBB\\n', ' CC=='];
      expect(seen(...lines)).toBe(`${lines.join('\r\n')}\r\n`);
    }
  });

  it('every byte is mapped to its position in the object', () => {
    const content = card('TEL:1', 'NOTE:card 41', ' 11 x\\, ann@x.de', 'EMAIL:bob@y.de');
    const { parts, result } = viaBytes('x', Buffer.from(content));
    expect(result).toEqual({ state: 'read', format: 'vcf' });
    const originOf = (found: string) => parts[0]!.part.sourceOffset(parts[0]!.text.indexOf(found));
    expect(originOf('4111 x')).toBe(content.indexOf('41\r\n'));
    expect(originOf('11 x')).toBe(content.indexOf('11 x'));
    expect(originOf(', ann')).toBe(content.indexOf(', ann'));
    for (const value of ['TEL', 'ann@', 'bob@', 'END']) expect(originOf(value)).toBe(content.indexOf(value));
  });

  it.each([
    ['EMAIL;TYPE=work:', 'ann@x.de', 'EMAIL'],
    ['item1.EMAIL:', 'ann@x.de', 'EMAIL'],
    ['ATTENDEE;CN="Ann: Smith";ROLE=x:mailto:', 'ann@x.de', 'ATTENDEE'],
    ['ATTENDEE;CN="Ann', 'Smith', 'ATTENDEE'],
    ['DESCRIPTION:see below\\nLogin password: ', 'hunter2', 'see below Login password'],
    ['DESCRIPTION:the code is ', '1234', 'DESCRIPTION'],
    ['N:Smith;', 'Ann', 'N'],
    ['X-SOCIALPROFILE;type=x:https://', 'x.de', 'X-SOCIALPROFILE'],
    ['', 'words', null],
  ])('%j names what follows', (before, value, name) => {
    const { parts } = viaBytes('x', Buffer.from(card('TEL:5', `${before}${value}`)));
    const window = Buffer.from(parts[0]!.text, 'latin1');
    expect(parts[0]!.part.fieldAt(window, window.indexOf(value))).toBe(name);
  });

  it('are the same for any chunking and character width', async () => {
    const piece = fc.constantFrom(
      ...[
        'NOTE',
        ';ENCODING=QUOTED-PRINTABLE',
        ';ENCODING=b',
        ':',
        'é',
        '=',
        '=41',
        '=C3',
        '\\',
        '\\n',
        '\\,',
      ],
      ...['\r\n', '\n', '\r', ' ', '\t', 'a', '1', '=\r\n', '\r\n ', '\n\t'],
    );
    await fc.assert(
      fc.asyncProperty(
        fc.array(piece, { maxLength: 40, size: 'max' }),
        fc.array(fc.integer({ min: 1, max: 7 }), { minLength: 1, maxLength: 4 }),
        fc.constantFrom('', 'a\n'),
        async (pieces, sizes, end) => {
          const content = `BEGIN:VCARD\r\n${pieces.join('')}${end}`;
          const whole = viaBytes('x', Buffer.from(content));
          const cut = await viaStream('x', Buffer.from(content), sizes);
          expect(shape(cut)).toEqual(shape(whole));
          const [one, other] = [whole.parts[0]!, cut.parts[0]!];
          for (let at = 0; at <= one.text.length; at++)
            expect(other.part.sourceOffset(at)).toBe(one.part.sourceOffset(at));
          if (content.endsWith('a\n')) expect(lines(one.text)).toBe(lines(content));
          const wide = Buffer.from(`\ufeff${content}`, 'utf16le');
          expect((await viaStream('x', wide, sizes)).parts[0]!.text).toBe(one.text);
        },
      ),
      { numRuns: 300 },
    );
  });

  it('a line of many folds is read in one go', () => {
    const folds = 60_000;
    const content = card(`NOTE:${'x\r\n '.repeat(folds)}`, 'TEL:5');
    const text = read(content);
    expect(text).toContain(`NOTE:${'x'.repeat(folds)}`);
    expect(lines(text)).toBe(lines(content));
  });
});

function lines(text: string): number {
  return text.split('\n').length;
}
