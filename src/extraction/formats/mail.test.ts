import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { shape, viaBytes, viaStream } from '../extraction.fixture.ts';
import { DEFAULT_LIMITS } from '../limits.ts';

const crlf = (...lines: string[]) => Buffer.from(lines.join('\r\n'));
const head = ['From: ann@example.com', 'To: bob@example.com', 'Subject: x'];
const texts = (mail: Buffer) => viaBytes('a.eml', mail).parts.map(({ name, text }) => [name, text]);
const multipart = (...parts: string[][]) =>
  crlf(
    ...head,
    'Content-Type: multipart/mixed; boundary="b 1"',
    '',
    ...parts.flatMap((part) => ['--b 1', ...part]),
    '--b 1--',
    '',
  );

describe('a mail of one part', () => {
  const mail = crlf(...head, '', 'first line', '--no delimiter', 'ssn: 123-45-6789', '');

  it('is its headers and its body, byte for byte in place', () => {
    const { reading, parts } = viaBytes('a.eml', mail);
    expect(reading).toEqual({ state: 'read', format: 'eml' });
    expect(parts.map(({ name }) => name)).toEqual(['headers', 'body']);
    expect(parts[0]?.text).toBe(`${head.join('\r\n')}\r\n`);
    expect(parts[1]?.text).toBe('first line\r\n--no delimiter\r\nssn: 123-45-6789\r\n');
    expect(parts[0]?.part.origin(5)).toBe(5);
    const at = parts[1]!.text.indexOf('123-45');
    expect(parts[1]?.part.origin(at)).toBe(mail.indexOf('123-45'));
  });

  it('a header names the value on its line and on the folded ones', () => {
    const { parts } = viaBytes(
      'a.eml',
      crlf('From: ann@example.com', 'To: bob@example.com,', '\tcat@example.com', '', 'x'),
    );
    const window = Buffer.from(parts[0]!.text);
    const fieldOf = (value: string) => parts[0]?.part.fieldAt(window, window.indexOf(value));
    expect(['ann@', 'bob@', 'cat@'].map(fieldOf)).toEqual(['From', 'To', 'To']);
  });

  it('without a body it has an empty one', () => {
    expect(texts(crlf(...head))).toEqual([
      ['headers', head.join('\r\n')],
      ['body', ''],
    ]);
  });

  it('quoted-printable is decoded', () => {
    const mail = crlf(
      ...head,
      'Content-Transfer-Encoding: Quoted-Printable',
      '',
      'Stra=C3=9Fe, a =3D b,=20',
      'soft=',
      ' break=  ',
      ' and =ZZ =4',
      '',
    );
    expect(texts(mail)[1]).toEqual([
      'body',
      Buffer.from('Straße, a = b, \r\nsoft break and =ZZ =4\r\n').toString('latin1'),
    ]);
  });

  it('base64 is decoded whatever stands between', () => {
    const mail = crlf(...head, 'Content-Transfer-Encoding: base64', '', 'aGVsbG8g', ' d29y bGQ=', '');
    expect(texts(mail)[1]).toEqual(['body', 'hello world']);
  });

  it('UTF-16 in base64 is narrowed', () => {
    const data = Buffer.from('\ufeffStraße', 'utf16le').toString('base64');
    const mail = crlf(
      ...head,
      'Content-Type: text/plain; charset=utf-16',
      'Content-Transfer-Encoding: base64',
      '',
      data,
    );
    expect(texts(mail)[1]).toEqual(['body', Buffer.from('Straße').toString('latin1')]);
  });
});

describe('headers', () => {
  it('encoded words are decoded and joined', () => {
    const [headers] = texts(
      crlf(
        'Subject: =?iso-8859-1?Q?Stra=DFe_5?= =?UTF-8?B?4oKs?=',
        ' =?utf-8?q?_?= x =?nonsense?q?a?=',
        '',
        '',
      ),
    );
    expect(headers?.[1]).toBe(Buffer.from('Subject: Straße 5€  x =?nonsense?q?a?=\r\n').toString('latin1'));
  });

  it('file names are found in all their spellings', () => {
    const nameOf = (...lines: string[]) => texts(multipart([...lines, '', 'text']))[1]?.[0];
    expect(nameOf('Content-Disposition: attachment; filename="a b.txt"')).toBe('attachment a b.txt');
    expect(nameOf('Content-Type: text/plain; name=c.txt')).toBe('attachment c.txt');
    expect(nameOf("Content-Disposition: attachment; filename*=UTF-8''%C3%A4.txt")).toBe('attachment ä.txt');
    expect(nameOf('Content-Disposition: attachment;', ' filename*0="long-"; filename*1="name.txt"')).toBe(
      'attachment long-name.txt',
    );
    expect(nameOf('Content-Disposition: attachment')).toBe('attachment text/plain');
  });
});

describe('a mail of several parts', () => {
  it('each text is a part of its own, without the delimiters and their line breaks', () => {
    const mail = multipart(
      ['', 'plain'],
      ['Content-Type: text/html', '', '<b>html</b>'],
      [
        'Content-Type: text/csv; name="people.csv"',
        'Content-Transfer-Encoding: base64',
        '',
        Buffer.from('name,id\nann,1\n').toString('base64'),
      ],
    );
    const { reading, parts } = viaBytes('a.eml', mail);
    expect(reading).toEqual({ state: 'read', format: 'eml' });
    expect(parts.slice(1).map(({ name, format, text }) => [name, format, text])).toEqual([
      ['body', 'text', 'plain'],
      ['body html', 'html', '<b>html</b>'],
      ['attachment people.csv', 'csv', 'name,id\nann,1\n'],
    ]);
    expect(parts[2]?.part.origin(3)).toBe(mail.indexOf('html</b>'));
    expect(parts[3]?.part.origin(3)).toBe(3);
  });

  it('an attachment that is no text makes the reading partial', async () => {
    const pdf = [
      'Content-Type: text/plain; name=a.txt',
      'Content-Transfer-Encoding: base64',
      '',
      Buffer.from('%PDF-1.4').toString('base64'),
    ];
    const mail = multipart(pdf, ['', 'after']);
    const expected = {
      state: 'partial',
      reason: 'unsupported attachment: PDF document',
      format: 'eml',
      stable: true,
    };
    expect(viaBytes('a.eml', mail).reading).toEqual(expected);
    expect(texts(mail).slice(1)).toEqual([['body', 'after']]);
    expect((await viaStream('a.eml', mail, [1])).reading).toEqual(expected);
  });

  it('a mail within a mail is read with its headers', () => {
    const inner = [
      ...head,
      'Content-Type: multipart/alternative; boundary=i',
      '',
      '--i',
      '',
      'inner',
      '--i--',
    ];
    expect(texts(multipart(['Content-Type: message/rfc822', '', ...inner], ['', 'outer'])).slice(1)).toEqual([
      ['message headers', `${inner.slice(0, 4).join('\r\n')}\r\n`],
      ['message body', 'inner'],
      ['body', 'outer'],
    ]);
  });

  it('what stands around the parts is read too', () => {
    const mail = crlf(
      ...head,
      'Content-Type: multipart/mixed; boundary=b',
      '',
      'before',
      '--b',
      '',
      'in',
      '--b--',
      '',
      'after',
      'all',
      '',
    );
    expect(texts(mail).slice(1)).toEqual([
      ['text between parts', 'before'],
      ['body', 'in'],
      ['text between parts', 'after\r\nall\r\n'],
    ]);
  });

  it('an outer delimiter ends inner parts that were left open', () => {
    const mail = multipart(
      ['Content-Type: multipart/alternative; boundary=i', '', '--i', '', 'inner'],
      ['', 'outer'],
    );
    expect(viaBytes('a.eml', mail).reading?.state).toBe('read');
    expect(texts(mail).slice(1)).toEqual([
      ['body', 'inner'],
      ['body', 'outer'],
    ]);
  });

  it('one that ends too early is partial', () => {
    const mail = multipart(['', 'plain text']);
    expect(viaBytes('a.eml', mail.subarray(0, -12)).reading).toMatchObject({
      state: 'partial',
      reason: 'corrupt: truncated mail',
    });
  });

  it('depth and number of parts are limited', async () => {
    const deep: string[] = [];
    for (let i = 0; i < 30; i++) deep.push(`Content-Type: multipart/mixed; boundary=b${i}`, '', `--b${i}`);
    expect(viaBytes('a.eml', crlf(...head, ...deep, '', 'x')).reading).toMatchObject({
      reason: 'limit: mail depth',
    });
    const many = multipart(['', 'one'], ['', 'two'], ['', 'three']);
    const { reading, parts } = await viaStream('a.eml', many, [9], { ...DEFAULT_LIMITS, mailParts: 2 });
    expect(reading).toMatchObject({ state: 'partial', reason: 'limit: mail parts' });
    expect(parts.map(({ text }) => text).slice(1)).toEqual(['one', 'two']);
  });
});

it('long bodies and long lines are the same however they arrive', async () => {
  const long = `${'x'.repeat(150_000)}\r\n--b 1 almost\r\n${'some words\r\n'.repeat(20_000)}`;
  const wrapped = Buffer.from(long).toString('base64').replace(/.{76}/g, '$&\r\n');
  const mail = multipart(['', long], ['Content-Transfer-Encoding: base64', '', wrapped]);
  const whole = shape(viaBytes('a.eml', mail));
  expect(whole.parts.slice(1).map(({ text }) => text === long)).toEqual([true, true]);
  for (const size of [1000, 65_536, 99_991])
    expect(shape(await viaStream('a.eml', mail, [size])).parts).toEqual(whole.parts);
});

it('no header makes it throw', () => {
  const piece = fc.constantFrom(
    'Content-Type: ',
    'multipart/x',
    '; boundary=',
    '"',
    '=?',
    '?q?',
    '?=',
    '*',
    "''%",
    '\r\n',
    '\n',
    ' ',
    'a',
    '--',
    ':',
    ';',
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 30 }), (pieces) => {
      expect(viaBytes('a.eml', Buffer.from(`A: b\n${pieces.join('')}`)).reading).not.toBeNull();
    }),
    { numRuns: 300 },
  );
});
