import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { tarOf } from './archives/tar/tar.fixture.ts';
import { zipOf } from './archives/zip/zip.fixture.ts';
import { DEFAULT_LIMITS, type ExtractionLimits } from './budget/limits.ts';
import { workbookOf } from './documents/office/excel/excel.fixture.ts';
import { paragraph, word } from './documents/office/word.fixture.ts';
import { pdfOf } from './documents/pdf/pdf.fixture.ts';
import { viaStream } from './extraction.fixture.ts';

async function take(name: string, bytes: Uint8Array, own: Partial<ExtractionLimits> = {}) {
  const { result, parts } = await viaStream(name, bytes, [1000], { ...DEFAULT_LIMITS, ...own });
  return {
    result,
    texts: Object.fromEntries(parts.map((part) => [part.name, part.text.trim()])),
    parts,
  };
}

const mailWith = (name: string, bytes: Uint8Array) =>
  [
    'From: ann@example.com',
    'Subject: papers',
    'Content-Type: multipart/mixed; boundary=x',
    '',
    '--x',
    '',
    'see below',
    '--x',
    `Content-Type: application/octet-stream; name="${name}"`,
    'Content-Transfer-Encoding: base64',
    '',
    Buffer.from(bytes).toString('base64'),
    '--x--',
    '',
  ].join('\r\n');

describe('the inside of an object', () => {
  it('is called by its way there', async () => {
    const inner = tarOf([{ name: 'deep/note.txt', data: 'deep down' }]);
    const bytes = zipOf([
      { name: 'hr/letter.docx', data: word(paragraph('Dear Ann')) },
      { name: 'logs.tar.gz', data: gzipSync(inner) },
      { name: 'plain.txt', data: 'plain text' },
    ]);
    const { result, texts } = await take('backup.zip', bytes);
    expect(result).toEqual({ state: 'read', format: 'zip' });
    expect(texts).toMatchObject({
      'hr/letter.docx': 'Dear Ann',
      'logs.tar.gz!deep/note.txt': 'deep down',
      'plain.txt': 'plain text',
    });
  });

  it('of a table is yielded cell by cell', async () => {
    const rows = [
      ['name', 'mail'],
      ['Ann', 'ann@example.com'],
    ];
    const { parts } = await take('a.xlsx', workbookOf(rows));
    const part = parts.find(({ name }) => name === '#Sheet1')!;
    const window = Buffer.from(part.text, 'latin1');
    const at = window.indexOf('ann@');
    expect(part.part.fieldAt(window, at)).toBe('mail');
    expect(part.part.cellAt?.(window, at, 2)).toBe('B2');
  });

  it('of a mail includes its attachments of any type', async () => {
    const { result, texts } = await take('a.eml', Buffer.from(mailWith('a.pdf', pdfOf(['the contract']))));
    expect(result).toEqual({ state: 'read', format: 'eml' });
    expect(texts['attachment a.pdf#page 1']).toBe('the contract');
  });
});

describe('what is not read of an archive', () => {
  const elf = Buffer.from('\x7fELF and more');

  it('is reported, and the rest is read', async () => {
    const bytes = zipOf([
      { name: 'tool', data: elf },
      { name: 'a.txt', data: 'text' },
    ]);
    const { result, texts } = await take('a.zip', bytes);
    expect(result).toMatchObject({ state: 'partial', reason: 'unsupported inside: ELF binary' });
    expect(texts['a.txt']).toBe('text');
  });

  it('is the whole error if nothing was read', async () => {
    const { result } = await take('a.zip', zipOf([{ name: 'tool', data: elf }]));
    expect(result).toMatchObject({ state: 'skipped', reason: 'unsupported inside: ELF binary' });
  });

  it('includes what is nested too deeply', async () => {
    let bytes: Uint8Array = Buffer.from('treasure');
    for (let i = 0; i < 5; i++) bytes = zipOf([{ name: i === 0 ? 'x.txt' : 'x.zip', data: bytes }]);
    expect((await take('x.zip', bytes, { depth: 5 })).result?.state).toBe('read');
    expect((await take('x.zip', bytes, { depth: 4 })).result).toMatchObject({ reason: 'limit: depth' });
  });

  it('includes what follows a limit of the whole object, after what came before', async () => {
    const data = 'a line of text\n'.repeat(100);
    const bytes = zipOf(Array.from({ length: 10 }, (_, i) => ({ name: `${i}.txt`, data })));
    const { result, texts } = await take('a.zip', bytes, { decompressedBytes: 4000 });
    expect(result).toMatchObject({ state: 'partial', reason: 'limit: decompressed size' });
    expect(texts['0.txt']).toBe(data.trim());
    expect((await take('a.zip', bytes, { entries: 3 })).result).toMatchObject({ reason: 'limit: entries' });
  });

  it('includes a document that is too long to be buffered', async () => {
    const { result } = await take('a.pdf', pdfOf(['a page']), { documentBytes: 100 });
    expect(result).toMatchObject({ state: 'skipped', reason: 'limit: document size' });
  });

  it('is what needs a password', async () => {
    const locked = { name: 'locked.txt', data: 'x', flags: 1 };
    expect((await take('a.zip', zipOf([locked]))).result).toMatchObject({
      state: 'skipped',
      reason: 'encrypted',
    });
    const both = await take('a.zip', zipOf([locked, { name: 'open.txt', data: 'text' }]));
    expect(both.result).toMatchObject({ state: 'partial', reason: 'encrypted' });
    expect(both.texts['open.txt']).toBe('text');
  });
});
