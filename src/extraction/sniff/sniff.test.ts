import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { sniffType } from './sniff.ts';

const latin1 = (text: string) => Buffer.from(text, 'latin1');
const kind = (name: string, content: string) => sniffType(name, latin1(content), true);

function labelOf(name: string, content: string): string {
  const found = kind(name, content);
  if (found.is === 'text') return `${found.format} text`;
  return found.is === 'compressed' ? found.compression : found.label;
}

describe('binary kinds', () => {
  const filler = '\0\x01\x02\x03'.repeat(64);
  const entry = `PK\x03\x04\x14\0\0\0\x08\0${'\0'.repeat(16)}\x05\0\0\0a.txt`;
  it.each([
    ['%PDF-1.7\nsome text', 'PDF document'],
    ['PK\x03\x04\x14\0\0\0readme.txt', 'zip archive'],
    ['PK\x07\x08PK\x03\x04\x14\0', 'multi-volume archive'],
    ['PK00PK\x03\x04\x14\0', 'zip archive'],
    [`#!/usr/bin/env python3\n${entry}`, 'zip archive'],
    [`Cr24\x03\0\0\0${entry}`, 'zip archive'],
    [`#!/bin/sh\nPK\x03\x04${filler}`, 'binary data'],
    [`${filler}${entry}`, 'binary data'],
    ['\x1f\x8b\x08\0', 'gzip'],
    ['BZh91AY&SY', 'bzip2'],
    ['\x28\xb5\x2f\xfd\x04', 'zstd'],
    ['\xfd7zXZ\0', 'xz'],
    ['7z\xbc\xaf\x27\x1c', '7z archive'],
    ['Rar!\x1a\x07\0', 'rar archive'],
    [`${'a'.repeat(257)}ustar`, 'tar archive'],
    ['\x89PNG\r\n\x1a\n', 'PNG image'],
    ['\xff\xd8\xff\xe0', 'JPEG image'],
    ['GIF89a', 'GIF image'],
    ['RIFF\x10\0\0\0WEBP', 'WebP image'],
    ['RIFF\x10\0\0\0AVI ', 'AVI media'],
    ['II*\0', 'TIFF image'],
    [`BM${filler}`, 'BMP image'],
    [`\x01\0\0\0${'\0'.repeat(36)} EMF`, 'EMF image'],
    ['\xd7\xcd\xc6\x9a\0\0', 'WMF image'],
    ['\x01\0\x09\0\0\x03', 'WMF image'],
    ['\x7fELF', 'ELF binary'],
    [`MZ${filler}`, 'Windows executable'],
    [`\xcf\xfa\xed\xfe${filler}`, 'Mach-O binary'],
    ['\xca\xfe\xba\xbe\0\0\0\x02', 'Mach-O binary'],
    ['\xca\xfe\xba\xbe\0\0\0\x41', 'Java class'],
    ['\0asm\x01\0\0\0', 'WebAssembly module'],
    ['SQLite format 3\0', 'SQLite database'],
    ['\x37\x7f\x06\x82\0\x2d\xe2\x18', 'SQLite write-ahead log'],
    ['PAR1', 'Parquet file'],
    ['ARROW1\0\0', 'Arrow file'],
    [`ORC\x11${filler}`, 'ORC file'],
    ['\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1', 'legacy Office document'],
    [`ID3${filler}`, 'MP3 audio'],
    ['\0\0\0\x20ftypisom', 'MP4 media'],
    ['\0\0\0\x1cftypheic\0\0\0\0mif1', 'HEIC image'],
    ['\0\0\0\x20ftypavif\0\0\0\0mif1', 'AVIF image'],
    ['OggS\0', 'Ogg media'],
    ['fLaC\0', 'FLAC audio'],
    [`\0\x01\0\0\0${filler}`, 'TrueType font'],
    ['wOF2', 'WOFF font'],
    [`\xa7\r\r\n${filler}`, 'Python bytecode'],
    [filler, 'binary data'],
  ])('%j… is detected by its content, for any name', (content, label) => {
    expect(labelOf('notes.txt', content)).toBe(label);
  });

  it('an archive after other data is recognised if its extension agrees', () => {
    expect(labelOf('app.jar', `${filler}${entry}`)).toBe('zip archive');
    expect(labelOf('app.jar', filler)).toBe('binary data');
  });

  it.each(['heic', 'mif1', 'avif'])(
    'a picture in a container of films, %s, is read as a picture',
    (brand) => {
      const found = kind('IMG_1.HEIC', `\0\0\0\x1cftyp${brand}\0\0\0\0`);
      expect(found).toMatchObject({ is: 'document', document: 'picture' });
    },
  );

  it('an archive older than the ustar magic is detected by its checksum', () => {
    const header = Buffer.alloc(512);
    header.write('notes.txt');
    header.fill(' ', 148, 156);
    const sum = header.reduce((total, byte) => total + byte, 0);
    header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148);
    expect(sniffType('x', header, true)).toEqual({
      is: 'archive',
      archive: 'tar',
      label: 'tar archive',
    });
  });

  it.each(['BMW and Audi', 'MZ is a postcode', 'ID3 tags explained', 'BZh9 is how bzip2 begins'])(
    'a text that begins like a binary stays text: %s',
    (content) => expect(labelOf('x', content)).toBe('text text'),
  );
});

describe('text formats', () => {
  it.each([
    ['a.csv', 'csv'],
    ['a.TSV', 'tsv'],
    ['a.json', 'json'],
    ['a.jsonl', 'ndjson'],
    ['a.svg', 'xml'],
    ['a.htm', 'html'],
    ['README.md', 'markdown'],
    ['x/y.log', 'log'],
    ['a.py', 'code'],
    ['Dockerfile', 'code'],
    ['.env', 'env'],
    ['.env.local', 'env'],
    ['prod.env', 'env'],
    ['a.toml', 'ini'],
    ['my.properties', 'ini'],
    ['a.yml', 'yaml'],
    ['a.unknown', 'text'],
    ['app.log.1', 'log'],
    ['access.log-20260101', 'log'],
    ['app.log.2026-01-01', 'log'],
    ['app.log.20260101T101500Z', 'log'],
    ['syslog.2', 'log'],
    ['SYSLOG', 'log'],
    ['access_log.3', 'log'],
    ['localhost_access_log.2026-01-01.txt', 'log'],
    ['catalina.out', 'log'],
    ['x.csv.bak', 'csv'],
    ['X.CSV.OLD', 'csv'],
    ['x.json~', 'json'],
    ['dump.sql.old', 'code'],
    ['a.py.orig', 'code'],
    ['config.yml.example', 'yaml'],
    ['x.csv.part-0001', 'csv'],
    ['part-00000-1f2e.csv', 'csv'],
    ['x.csv (1)', 'csv'],
    ['people.csv.txt', 'csv'],
    ['x.tsv.001', 'tsv'],
    ['prod.env.bak', 'env'],
    ['Dockerfile.old', 'code'],
    ['c.1', 'text'],
    ['json.txt', 'text'],
    ['part-00000', 'text'],
    ['.bak', 'text'],
    ['.1', 'text'],
    ['~', 'text'],
  ])('%s is %s', (name, format) => expect(labelOf(name, 'plain words')).toBe(`${format} text`));

  it.each([
    ['{"a": 1}', 'json'],
    ['[{"a": 1}]', 'json'],
    ['[1, 2]', 'json'],
    ['{"a":1}\n{"a":2}\n', 'ndjson'],
    ['[section]\nkey=1', 'text'],
    ['[2024-01-01 10:00] started', 'text'],
    ['<?xml version="1.0"?><a/>', 'xml'],
    ['<!DOCTYPE html><p>', 'html'],
    ['From: a@b.c\nTo: d@e.f\nSubject: x\n\nbody', 'eml'],
    ['To: do\nwash the car', 'text'],
    ['From ann@x.de Mon Jan  1 10:00:00 2024\nReceived: x\n\nbody', 'mbox'],
    ['From - Mon Jan  1 10:00:00 2024\r\n>From x\r\nX-Status: 1\r\n', 'mbox'],
    ['From here on\nNote: all is well', 'text'],
    ['From 10:15 on we\nmeet at the lake', 'text'],
    ['BEGIN:VCALENDAR\r\nVERSION:2.0', 'ics'],
    ['begin:vcard\nVERSION:2.1', 'vcf'],
    ['BEGIN:VIEW\n', 'text'],
  ])('without a telling name %j is %s', (content, format) => {
    expect(labelOf('x', content)).toBe(`${format} text`);
    expect(labelOf('x.txt', content)).toBe(`${format} text`);
  });

  it('an .mbox is detected by its first line, an .eml may begin with it too', () => {
    expect(labelOf('Inbox.mbox', 'From \r\nFrom: ann@x.de\r\n')).toBe('mbox text');
    expect(labelOf('Inbox.mbox', 'some words')).toBe('text text');
    expect(labelOf('a.eml', 'From - Mon Jan  1 10:00:00 2024\nFrom: ann@x.de\n')).toBe('eml text');
  });

  it.each(['x.json', 'x.log', 'x.log.1', 'x'])('%s with a document on each line is ndjson', (name) => {
    expect(labelOf(name, '{"a":1}\n{"a":2}\n')).toBe('ndjson text');
    expect(labelOf(name, `{"a":"${'x'.repeat(5000)}"} \r\n\r\n{"a":2}`)).toBe('ndjson text');
    expect(labelOf(name, '{\n"a":{}\n}\n')).not.toBe('ndjson text');
    expect(labelOf(name, '{"a":1}\n')).not.toBe('ndjson text');
  });

  it('a .eml that has no header line is plain text', () => {
    expect(labelOf('a.eml', 'just some words')).toBe('text text');
  });

  it('an empty object is text', () => expect(labelOf('a.csv', '')).toBe('text text'));
});

describe('tables without a name', () => {
  const lines = (...rows: string[]) => rows.join('\n');

  it.each([
    ['csv', lines('id,name,mail', '1,Ann,a@b.c', '2,Bob,b@b.c', '3,"Cat, Ms",c@b.c', '4,Dan,d@b.c', '')],
    ['csv', lines('Kunde;Straße;Größe (m)', '1;a;2', '2;b;2', '3;c;2', '4;d;2')],
    ['csv', lines('"id"|"full name"|"x"', '1|a|2', '2|"b\nc"|2', '3|c|2', '4|d|2\r', '5|d|2')],
    ['csv', lines('id, name, mail', '1, Ann, x', '2, Bob, y', '3, Cat, z', '4, Dan, w')],
    ['tsv', lines('id\tname\tmail', ...Array<string>(9).fill('1\tAnn Smith, Ms\ta@b.c'))],
  ])('%s: %j', (format, content) => {
    expect(labelOf('part-00000', content)).toBe(`${format} text`);
    expect(labelOf('x.txt', content)).toBe(`${format} text`);
  });

  it('has rows of any length', () => {
    const long = lines('id,name,note', ...Array<string>(9).fill(`1,Ann,${'x'.repeat(900)}`));
    expect(labelOf('x', long)).toBe('csv text');
  });

  it.each([
    lines('id,name,mail', '1,Ann,x', '2,Bob,y'),
    lines('id,name', '1,Ann', '2,Bob', '3,Cat', '4,Dan', '5,Eve'),
    lines('1,Ann,x', '2,Bob,y', '3,Cat,z', '4,Dan,w', '5,Eve,v'),
    lines('id,name,mail', '1,Ann,x', '2,Bob', '3,Cat,z', '4,Dan,w', '5,Eve,v'),
    lines('Dear Ann, thanks, see you', ...Array<string>(6).fill('one, two, three')),
    lines('INFO,main,started', 'INFO,main,stopped', 'WARN,main,x', 'INFO,main,y', 'INFO,db,z'),
    lines('import a, b, c', 'import d, e, f', 'import g, h, i', 'import j, k, l', 'import m, n, o'),
    lines('RED, GREEN, BLUE,', 'A, B, C,', 'D, E, F,', 'G, H, I,', 'J, K, L,'),
    lines('call(a, b, c)', 'call(d, e, f)', 'call(g, h, i)', 'call(j, k, l)', 'call(m, n, o)'),
    lines('| a | b |', '|---|---|', '| 1 | 2 |', '| 1 | 2 |', '| 1 | 2 |', '| 1 | 2 |'),
    lines('\tint a;', '\tint b;', '\tint c;', '\tint d;', '\tint e;', '\tint f;'),
    lines('id,id,name', '1,2,a', '1,2,b', '1,2,c', '1,2,d', '1,2,e'),
    'a,b,c\n\n\n\n\n\n',
  ])('is none: %j', (content) => expect(labelOf('x', content)).toBe('text text'));
});

describe('encodings', () => {
  const encoding = (bytes: Uint8Array, whole = true) => {
    const found = sniffType('x', bytes, whole);
    return found.is === 'text' ? found.encoding : null;
  };

  it('a sequence cut off by the end of the head is no error, one cut off by the end of the object is', () => {
    const cut = Buffer.from('Grüße aus Köln €').subarray(0, -1);
    expect(encoding(cut, false)?.charset).toBe('utf-8');
    expect(encoding(cut, true)?.charset).toBe('latin1');
  });

  it('an invalid sequence makes it latin1', () => {
    expect(encoding(latin1('Stra\xdfe 5'))?.charset).toBe('latin1');
  });

  it('UTF-16 without a byte order mark is detected by its zero bytes', () => {
    const little = Buffer.from('Привет, мир! Как дела?', 'utf16le');
    expect(encoding(little)).toMatchObject({ width: 2, little: true, bomLength: 0 });
    expect(encoding(Buffer.from(little).swap16())).toMatchObject({ width: 2, little: false, bomLength: 0 });
  });

  it('a mark before garbage is no text', () => {
    expect(encoding(latin1(`\xff\xfe${'\x01\0\x02\0\0\0'.repeat(50)}`))).toBeNull();
  });

  it('a log with a few holes is still text, a file of zeros is not', () => {
    expect(encoding(latin1(`${'a line of a log\n'.repeat(400)}\0\0`))?.charset).toBe('utf-8');
    expect(encoding(Buffer.alloc(1000))).toBeNull();
  });

  it('random bytes are no text, and none of them throws', () => {
    fc.assert(
      fc.property(
        fc.uint8Array({ minLength: 512, maxLength: 4096, size: 'max' }),
        fc.string(),
        (bytes, name) => {
          sniffType(name, bytes, false);
        },
      ),
    );
    const noise = Uint8Array.from(
      { length: 8192 },
      (_, i) => (Math.imul(i + 1, 0x9e3779b1) ^ (i * i)) >>> 13,
    );
    expect(encoding(noise)).toBeNull();
  });
});

describe('Office documents in one XML file', () => {
  const word = 'http://schemas.microsoft.com/office/word/2003/wordml';
  const labelled = 'Office XML document';
  it.each([
    [
      `<?xml version="1.0"?><?mso-application progid="Word.Document"?>\r\n<w:wordDocument xmlns:w="${word}">`,
      labelled,
    ],
    [`\n<!-- made by a program <x> --><w:wordDocument\nxmlns:w="${word}">`, labelled],
    ['<Workbook xmlns="urn:schemas-microsoft-com:office:spreadsheet">', labelled],
    ['<office:document xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0">', labelled],
    ['<?xml version="1.0"?><document><office>urn</office></document>', 'xml text'],
    ['<?xml version="1.0"?><Workbook xmlns="urn:mine">', 'xml text'],
    [`<?xml version="1.0"?><other><w:wordDocument xmlns:w="${word}">`, 'xml text'],
    ['<', 'xml text'],
  ])('%j is detected by its root element', (content, label) => {
    expect(labelOf('a.xml', content)).toBe(label);
  });

  it('may be in UTF-16', () => {
    const text = Buffer.from(`\ufeff<w:wordDocument xmlns:w="${word}">`, 'utf16le');
    expect(sniffType('a.xml', text, true)).toMatchObject({ document: 'office-xml' });
  });
});
