import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DEFAULT_LIMITS } from '../../budget/limits.ts';
import { shape, viaBytes, viaStream } from '../../extraction.fixture.ts';
import { attached, HEAD, multipart, viaParser } from './mail.fixture.ts';
import { mboxParser } from './mbox.ts';

const FROM = 'From ann@example.com Mon Jan  1 10:00:00 2024';
const mail = (body: string, from = FROM) => [from, ...HEAD, '', body, '', ''].join('\n');
const box = (...mails: string[]) => Buffer.from(mails.join(''));
const names = (bytes: Buffer) => viaParser(mboxParser, bytes).parts.map(({ name }) => name);

describe('a mailbox', () => {
  it('is read mail by mail with the original offsets', () => {
    const bytes = box(mail('first'), mail('ssn: 123-45-6789'));
    const { result, parts } = viaBytes('Inbox', bytes);
    expect(result).toEqual({ state: 'read', format: 'mbox' });
    expect(parts.map(({ name, text }) => [name, text])).toEqual([
      ['#message 1 headers', `${[FROM, ...HEAD].join('\n')}\n`],
      ['#message 1 body', 'first\n\n'],
      ['#message 2 headers', `${[FROM, ...HEAD].join('\n')}\n`],
      ['#message 2 body', 'ssn: 123-45-6789\n\n'],
    ]);
    expect(parts[3]!.part.sourceOffset(5)).toBe(bytes.indexOf('123-45'));
    expect(parts[2]!.part.sourceOffset(0)).toBe(bytes.lastIndexOf(FROM));
  });

  it.each([
    FROM,
    'From - Mon Jan 01 10:00:00 2024',
    'From ',
    'From -',
    'From ann at example.com  Mon Jan  1 10:00:00 2024',
    'From 1799@xxx Mon Jan 01 10:00:00 +0000 2024',
  ])('%j begins a mail', (from) => {
    expect(names(box(mail('a'), mail('b', from)))).toHaveLength(4);
    expect(
      names(Buffer.from(box(mail('a'), mail('b', from)).toString().replaceAll('\n', '\r\n'))),
    ).toHaveLength(4);
  });

  it.each([
    'one\nFrom ann Mon 10:00\nX: not behind an empty line',
    'one\n\nFrom here on we\nNote: no date',
    'one\n\nFrom 10:00 on\nno header line',
    'one\n\n>From ann Mon 10:00\nX: escaped',
    `one\n\nFrom 10:00${' on'.repeat(1000)}\nX: too long a line`,
  ])('a sentence that begins so does not: %j', (body) => {
    expect(names(box(mail(body), mail('b')))).toHaveLength(4);
  });

  it('attachments are held under the number of their mail', () => {
    const part = multipart(attached('a.pdf', '%PDF-1.4'), attached('x.txt', 'words')).toString();
    const bytes = box(mail('a'), `${FROM}\n${part}\n`, mail('b'));
    const { attachments, parts } = viaParser(mboxParser, bytes);
    expect(attachments).toEqual([{ name: 'message 2 attachment a.pdf', text: '%PDF-1.4' }]);
    expect(parts.map(({ name }) => name)).toContain('message 2 attachment x.txt');
  });

  it('a damaged mail does not affect the next, but is reported', () => {
    const broken = multipart(['', 'cut']).toString().replace('--b 1--', '');
    const { result, parts } = viaParser(mboxParser, box(`${FROM}\n${broken}\n`, mail('b')));
    expect(result).toMatchObject({ state: 'partial', reason: 'corrupt: truncated mail', format: 'mbox' });
    expect(parts.at(-1)).toMatchObject({ name: '#message 2 body', text: 'b\n\n' });
  });

  it('limits the number of mails', () => {
    const bytes = box(mail('a'), mail('b'), mail('c'));
    const { result, parts } = viaParser(mboxParser, bytes, [10], { ...DEFAULT_LIMITS, entries: 2 });
    expect(result).toMatchObject({ state: 'partial', reason: 'limit: entries' });
    expect(parts.map(({ name }) => name).at(-1)).toBe('#message 2 body');
  });

  it('a decompressed part is named after the mail and the compression', async () => {
    const { gzipSync } = await import('node:zlib');
    const { parts } = await viaStream('Inbox.gz', gzipSync(box(mail('a'))));
    expect(parts.map(({ name }) => name)).toEqual(['#gzip/message 1 headers', '#gzip/message 1 body']);
  });

  it('is the same for any chunking', () => {
    const piece = fc.constantFrom(
      ...[
        '\n',
        '\r\n',
        'From ',
        FROM,
        'From',
        '>From x',
        'Subject: x',
        'X:',
        'words',
        ' ',
        '10:00',
        '-',
        '\n\n',
      ],
      ...['\r\n\r\n', mail('body'), 'Content-Type: multipart/mixed; boundary=b', '--b', '--b--'],
    );
    fc.assert(
      fc.property(
        fc.array(piece, { maxLength: 40, size: 'max' }),
        fc.array(fc.integer({ min: 1, max: 30 }), { minLength: 1, maxLength: 4 }),
        (pieces, sizes) => {
          const bytes = Buffer.from(`${FROM}\n${pieces.join('')}`);
          expect(shape(viaParser(mboxParser, bytes, sizes))).toEqual(shape(viaParser(mboxParser, bytes)));
        },
      ),
      { numRuns: 500 },
    );
  });

  it('of many mails is read', () => {
    const { parts, result } = viaParser(mboxParser, box(mail('x').repeat(20_000)), [65_536]);
    expect(result?.state).toBe('read');
    expect(parts).toHaveLength(40_000);
  });
});
