import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DEFAULT_LIMITS } from '../../budget/limits.ts';
import { shape, viaBytes, viaStream } from '../../extraction.fixture.ts';
import { attached, crlf, HEAD, multipart, viaParser } from './mail.fixture.ts';
import { mailParser } from './mail.ts';

const head = HEAD;
const texts = (mail: Buffer) => viaBytes('a.eml', mail).parts.map(({ name, text }) => [name, text]);

describe('a mail of one part', () => {
  const mail = crlf(...head, '', 'first line', '--no delimiter', 'ssn: 123-45-6789', '');

  it('yields headers and body with their original offsets', () => {
    const { result, parts } = viaBytes('a.eml', mail);
    expect(result).toEqual({ state: 'read', format: 'eml' });
    expect(parts.map(({ name }) => name)).toEqual(['#headers', '#body']);
    expect(parts[0]?.text).toBe(`${head.join('\r\n')}\r\n`);
    expect(parts[1]?.text).toBe('first line\r\n--no delimiter\r\nssn: 123-45-6789\r\n');
    expect(parts[0]?.part.sourceOffset(5)).toBe(5);
    const at = parts[1]!.text.indexOf('123-45');
    expect(parts[1]?.part.sourceOffset(at)).toBe(mail.indexOf('123-45'));
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
      ['#headers', head.join('\r\n')],
      ['#body', ''],
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
      '#body',
      Buffer.from('Straße, a = b, \r\nsoft break and =ZZ =4\r\n').toString('latin1'),
    ]);
  });

  it('base64 is decoded with invalid characters in between', () => {
    const mail = crlf(...head, 'Content-Transfer-Encoding: base64', '', 'aGVsbG8g', ' d29y bGQ=', '');
    expect(texts(mail)[1]).toEqual(['#body', 'hello world']);
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
    expect(texts(mail)[1]).toEqual(['#body', Buffer.from('Straße').toString('latin1')]);
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
    const { result, parts } = viaBytes('a.eml', mail);
    expect(result).toEqual({ state: 'read', format: 'eml' });
    expect(parts.slice(1).map(({ name, format, text }) => [name, format, text])).toEqual([
      ['#body', 'text', 'plain'],
      ['#body html', 'html', '<b>html</b>'],
      ['attachment people.csv', 'csv', 'name,id\nann,1\n'],
    ]);
    expect(parts[2]?.part.sourceOffset(3)).toBe(mail.indexOf('html</b>'));
    expect(parts[3]?.part.sourceOffset(3)).toBe(3);
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
      ['#message headers', `${inner.slice(0, 4).join('\r\n')}\r\n`],
      ['#message body', 'inner'],
      ['#body', 'outer'],
    ]);
  });

  it('preamble and epilogue are read too', () => {
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
      ['#text between parts', 'before'],
      ['#body', 'in'],
      ['#text between parts', 'after\r\nall\r\n'],
    ]);
  });

  it('an outer delimiter ends inner parts that were left open', () => {
    const mail = multipart(
      ['Content-Type: multipart/alternative; boundary=i', '', '--i', '', 'inner'],
      ['', 'outer'],
    );
    expect(viaBytes('a.eml', mail).result?.state).toBe('read');
    expect(texts(mail).slice(1)).toEqual([
      ['#body', 'inner'],
      ['#body', 'outer'],
    ]);
  });

  it('one that ends too early is partial', () => {
    const mail = multipart(['', 'plain text']);
    expect(viaBytes('a.eml', mail.subarray(0, -12)).result).toMatchObject({
      state: 'partial',
      reason: 'corrupt: truncated mail',
    });
  });

  it('depth and number of parts are limited', async () => {
    const deep: string[] = [];
    for (let i = 0; i < 30; i++) deep.push(`Content-Type: multipart/mixed; boundary=b${i}`, '', `--b${i}`);
    expect(viaBytes('a.eml', crlf(...head, ...deep, '', 'x')).result).toMatchObject({
      reason: 'limit: mail depth',
    });
    const many = multipart(['', 'one'], ['', 'two'], ['', 'three']);
    const { result, parts } = await viaStream('a.eml', many, [9], { ...DEFAULT_LIMITS, mailParts: 2 });
    expect(result).toMatchObject({ state: 'partial', reason: 'limit: mail parts' });
    expect(parts.map(({ text }) => text).slice(1)).toEqual(['one', 'two']);
  });
});

describe('attachments that are no text', () => {
  const pdf = '%PDF-1.4 some page';

  it('are held under the names of their parts, what is text is read', () => {
    const mail = multipart(
      ['', 'before'],
      attached('a.pdf', pdf),
      attached('list.csv', 'id,name\n1,Ann\n'),
      attached(null, pdf, 'application/pdf'),
      ['', 'after'],
    );
    const { result, parts, attachments } = viaParser(mailParser, mail);
    expect(result).toEqual({ state: 'read', format: 'eml' });
    expect(parts.map(({ name }) => name)).toEqual(['#headers', '#body', 'attachment list.csv', '#body']);
    expect(attachments).toEqual([
      { name: 'attachment a.pdf', text: pdf },
      { name: 'attachment application/pdf', text: pdf },
    ]);
  });

  it('are classified by their content, not by their names', () => {
    expect(viaParser(mailParser, multipart(attached('a.txt', pdf, 'text/plain'))).attachments).toEqual([
      { name: 'attachment a.txt', text: pdf },
    ]);
  });

  it('a transfer-encoded mail is buffered, any other is read in place', () => {
    const inner = crlf(...HEAD, '', 'inner');
    const { parts, attachments } = viaParser(
      mailParser,
      multipart(
        attached('fwd.eml', inner, 'message/rfc822'),
        attached(null, inner, 'message/rfc822'),
        attached('saved.eml', inner),
        ['Content-Type: message/rfc822', '', 'Subject: in place', '', ...attached('a.pdf', pdf)],
      ),
    );
    expect(attachments.map(({ name, text }) => [name, text.length])).toEqual([
      ['attachment fwd.eml', inner.length],
      ['attachment message.eml', inner.length],
      ['attachment saved.eml', inner.length],
    ]);
    expect(parts.map(({ name }) => name)).toEqual(['#headers', '#message headers', '#message body']);
  });

  it('within a mail within the mail are called after it', () => {
    const inner = multipart(attached('a.pdf', pdf)).toString().replaceAll('b 1', 'b 2').split('\r\n');
    const mail = multipart(['Content-Type: message/rfc822', '', ...inner]);
    expect(viaParser(mailParser, mail).attachments).toEqual([
      { name: 'message attachment a.pdf', text: pdf },
    ]);
  });

  it('what a body quotes is text of the body', () => {
    const { parts, attachments } = viaParser(mailParser, multipart(['', ...HEAD, '', 'quoted']));
    expect(attachments).toEqual([]);
    expect(parts[1]).toMatchObject({ name: '#body', format: 'eml' });
  });

  it('a whole mail may be one', () => {
    const data = Buffer.from(pdf).toString('base64');
    const mail = crlf(
      ...HEAD,
      'Content-Type: application/pdf',
      'Content-Transfer-Encoding: base64',
      '',
      data,
    );
    expect(viaParser(mailParser, mail).attachments).toEqual([
      { name: 'attachment application/pdf', text: pdf },
    ]);
  });

  it('are buffered up to the limit, and release it when they are taken', () => {
    const long = `%PDF-${'x'.repeat(95)}`;
    const mail = multipart(attached('a.pdf', long), attached('b.pdf', long), attached('c.pdf', long));
    const limits = { ...DEFAULT_LIMITS, heldBytes: 150 };
    const atOnce = viaParser(mailParser, mail, [mail.length], limits);
    expect(atOnce.result).toMatchObject({ state: 'partial', reason: 'limit: attachment size' });
    expect(atOnce.attachments.map(({ text }) => text.length)).toEqual([100, 50]);
    const inTurn = viaParser(mailParser, mail, [10], limits);
    expect(inTurn.result).toEqual({ state: 'read', format: 'eml' });
    expect(inTurn.attachments.map(({ text }) => text.length)).toEqual([100, 100, 100]);
    const tooLong = viaParser(mailParser, mail, [10], { ...limits, heldBytes: 99 });
    expect(tooLong.result).toMatchObject({ reason: 'limit: attachment size' });
    expect(tooLong.attachments.map(({ text }) => text.length)).toEqual([99, 99, 99]);
  });

  it('are the same for any chunking', () => {
    const noise = Uint8Array.from({ length: 200_000 }, (_, i) => (i * i * 31) >> 5);
    noise.set(Buffer.from('%PDF-1.7'));
    const mail = multipart(['', 'text'], attached('long.pdf', noise), attached('b.zip', 'PK\x03\x04'), [
      '',
      'end',
    ]);
    const whole = viaParser(mailParser, mail);
    expect(whole.attachments[0]?.text).toBe(Buffer.from(noise).toString('latin1'));
    for (const sizes of [[1, 2, 3], [77], [65_536], [100_001]]) {
      const cut = viaParser(mailParser, mail, sizes);
      expect(cut.attachments).toEqual(whole.attachments);
      expect(shape(cut)).toEqual(shape(whole));
    }
  });
});

describe('hostile mails', () => {
  it('a hundred thousand parts are read as far as is allowed', () => {
    const mail = Buffer.from(multipart().toString().replace('--b 1', '--b 1\r\n\r\nx\r\n'.repeat(100_000)));
    const { result, parts } = viaParser(mailParser, mail, [65_536]);
    expect(result).toMatchObject({ state: 'partial', reason: 'limit: mail parts' });
    expect(parts).toHaveLength(1 + DEFAULT_LIMITS.mailParts);
  });

  it('an unterminated header is limited, and followed by a body', () => {
    const mail = Buffer.from(`${HEAD.join('\n')}\nX: ${'y'.repeat(3_000_000)}\n\nend`);
    const { result, parts } = viaParser(mailParser, mail, [65_536]);
    expect(result?.state).toBe('read');
    expect(parts.map(({ text }) => text.length).reduce((sum, one) => sum + one)).toBe(mail.length);
  });

  it('thousands of parameters are not all parsed', () => {
    const mail = crlf(...HEAD, `Content-Type: text/plain${';x="'.repeat(50_000)}`, '', 'body');
    expect(viaParser(mailParser, mail).parts[1]?.text).toBe('body');
  });

  it('mails in mails in mails end at the limit', () => {
    const deep = Array<string[]>(1000).fill(['Content-Type: message/rfc822', '']).flat();
    expect(viaParser(mailParser, crlf(...deep, 'x')).result).toMatchObject({ reason: 'limit: mail depth' });
  });
});

it('long bodies and long lines are the same for any chunking', async () => {
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
      expect(viaBytes('a.eml', Buffer.from(`A: b\n${pieces.join('')}`)).result).not.toBeNull();
    }),
    { numRuns: 300 },
  );
});
