import { deflateRawSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { zipOf } from '../../../archives/zip/zip.fixture.ts';
import { excel, sheetXml } from '../excel/excel.fixture.ts';
import { zipped } from '../office.fixture.ts';
import { openDocument } from '../open-document/open-document.fixture.ts';
import { powerPoint } from '../powerpoint.fixture.ts';
import { paragraph, word, wordFiles } from '../word.fixture.ts';
import { sniffZip } from './sniff-zip.ts';

const types = (...contents: string[]) =>
  `<Types>${contents.map((type) => `<Override PartName="/x" ContentType="application/${type}"/>`).join('')}</Types>`;

const stored = (type: string) =>
  zipOf([{ name: 'mimetype', data: type, method: 0 }, { name: 'content.xml' }]);

describe('the kind of document in a zip file', () => {
  it('is detected for the output of common programs', () => {
    expect(sniffZip(word(paragraph('x')))).toBe('word');
    expect(sniffZip(excel({ A: sheetXml('') }))).toBe('excel');
    expect(sniffZip(powerPoint([]))).toBe('powerpoint');
    expect(sniffZip(stored('application/epub+zip'))).toBe('epub');
    expect(sniffZip(stored('application/vnd.oasis.opendocument.text-template'))).toBe('open-document');
  });

  it.each([
    ['vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml', 'word'],
    ['vnd.ms-word.document.macroEnabled.main+xml', 'word'],
    ['vnd.openxmlformats-officedocument.spreadsheetml.template.main+xml', 'excel'],
    ['vnd.ms-excel.sheet.binary.macroEnabled.main', 'excel'],
    ['vnd.openxmlformats-officedocument.presentationml.slideshow.main+xml', 'powerpoint'],
    ['vnd.openxmlformats-officedocument.wordprocessingml.styles+xml', null],
    ['vnd.ms-visio.drawing.main+xml', null],
  ])('is detected by the content types: %s', (type, kind) => {
    for (const descriptor of [{}, { descriptor: 'signed' }] as const) {
      const part = { name: '[Content_Types].xml', data: types('vnd.x', type), ...descriptor };
      expect(sniffZip(zipOf([part, { name: 'a.jpg', data: 'x'.repeat(100) }]))).toBe(kind);
    }
  });

  it('has bounded cost for a megabyte of entry headers', () => {
    const data = 'ms-word.'.repeat(130_000);
    expect(sniffZip(zipOf([{ name: '[Content_Types].xml', data }]))).toBe(null);
  });

  it('is detected by part names if the content types come last or are truncated', () => {
    const { '[Content_Types].xml': list, ...rest } = wordFiles(paragraph('x'));
    expect(sniffZip(zipped({ ...rest, '[Content_Types].xml': list! }))).toBe('word');
    expect(sniffZip(zipped({ 'word/document.xml': '<x/>' }))).toBe('word');
    const long = types(...Array.from({ length: 9000 }, (_, i) => `x${Math.sin(i)}`));
    const cut = zipOf([{ name: '[Content_Types].xml', data: long }, { name: 'ppt/x' }]);
    expect(sniffZip(cut.subarray(0, 65536))).toBeNull();
    expect(sniffZip(cut)).toBe('powerpoint');
    const open = openDocument('text', '');
    expect(sniffZip(open.subarray(0, 200))).toBe('open-document');
    expect(sniffZip(open.subarray(open.indexOf('content.xml') - 30))).toBe('open-document');
  });

  it('is none for other archives', () => {
    expect(sniffZip(zipped({ 'word/letter.txt': 'x', 'xl/readme': 'y' }))).toBeNull();
    expect(sniffZip(zipped({ '[Content_Types].xml': types('x'), 'lib/net.dll': '' }))).toBeNull();
    expect(sniffZip(stored('application/vnd.oasis.opendocument.base'))).toBeNull();
    expect(sniffZip(stored('text/plain'))).toBeNull();
    expect(sniffZip(zipped({ 'META-INF/MANIFEST.MF': 'x', 'a.class': 'y' }))).toBeNull();
    expect(sniffZip(Buffer.from('PK\x05\x06'.padEnd(22, '\0')))).toBeNull();
    expect(sniffZip(Buffer.alloc(0))).toBeNull();
  });

  it('is safe for arbitrary bytes', () => {
    const bomb = {
      name: '[Content_Types].xml',
      compressed: deflateRawSync(Buffer.alloc(5_000_000)),
      size: 5_000_000,
    };
    expect(sniffZip(zipOf([bomb]))).toBeNull();
    const good = word(paragraph('x'));
    fc.assert(
      fc.property(fc.nat(good.length - 1), fc.nat(255), fc.nat(good.length), (at, byte, length) => {
        const bytes = Buffer.from(good);
        bytes[at] = byte;
        sniffZip(bytes.subarray(0, length));
      }),
      { numRuns: 2000 },
    );
  });
});
