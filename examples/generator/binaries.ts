/** Real but tiny files of formats that hold no plain text: they have to show up as skipped, with a reason. */
import { crc32, deflateSync } from 'node:zlib';
import type { Random } from './random.ts';
import type { Share } from './share.ts';

export function addBinaries(share: Share, random: Random): void {
  share.addBytes('images/otter-logo.png', png(random, 16));
  share.addBytes('images/boot-wall.png', png(random, 24));
  share.addBytes('images/spring-catalogue.pdf', pdf('Spring catalogue: dry is a place.'));
  share.addBytes('images/press-kit.zip', zip({ 'readme.txt': 'Logos inside, once Marketing finds them.\n' }));
  share.addBytes(
    'hr/handbook-2024.docx',
    zip({ '[Content_Types].xml': TYPES, '_rels/.rels': RELS, 'word/document.xml': DOCUMENT }),
  );
}

const SCHEMAS = 'http://schemas.openxmlformats.org';
const TYPES = `<Types xmlns="${SCHEMAS}/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Override PartName="/word/document.xml" ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/></Types>`;
const RELS = `<Relationships xmlns="${SCHEMAS}/package/2006/relationships"><Relationship Id="r1" Type="${SCHEMAS}/officeDocument/2006/relationships/officeDocument" Target="word/document.xml"/></Relationships>`;
const DOCUMENT = `<w:document xmlns:w="${SCHEMAS}/wordprocessingml/2006/main"><w:body><w:p><w:r><w:t>Waders are not trousers.</w:t></w:r></w:p></w:body></w:document>`;

/** A square of grey noise. Stored, not squeezed: deflate's output may differ between zlib versions. */
function png(random: Random, size: number): Buffer {
  const chunk = (type: string, data: Buffer) => {
    const body = Buffer.concat([Buffer.from(type), data]);
    return Buffer.concat([uint32be(data.length), body, uint32be(crc32(body))]);
  };
  const header = Buffer.concat([uint32be(size), uint32be(size), Buffer.of(8, 0, 0, 0, 0)]);
  const rows = random.times(size, () => Buffer.from([0, ...random.times(size, () => random.int(0, 255))]));
  const pixels = deflateSync(Buffer.concat(rows), { level: 0 });
  const signature = Buffer.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a);
  return Buffer.concat([
    signature,
    chunk('IHDR', header),
    chunk('IDAT', pixels),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

function pdf(line: string): Buffer {
  const stream = `BT /F1 18 Tf 40 100 Td (${line}) Tj ET`;
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 420 200] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> >>',
    `<< /Length ${stream.length} >>\nstream\n${stream}\nendstream`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
  ];
  let body = '%PDF-1.4\n%\u00e2\u00e3\u00cf\u00d3\n';
  const offsets = objects.map((object, n) => {
    const offset = body.length;
    body += `${n + 1} 0 obj\n${object}\nendobj\n`;
    return `${String(offset).padStart(10, '0')} 00000 n \n`;
  });
  const table = `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${offsets.join('')}`;
  const trailer = `trailer\n<< /Size ${objects.length + 1} /Root 1 0 R >>\nstartxref\n${body.length}\n%%EOF\n`;
  return Buffer.from(body + table + trailer, 'latin1');
}

/** Entries stored, dated 1980-01-01 (the zero of zip's calendar). */
function zip(entries: Readonly<Record<string, string>>): Buffer {
  const [locals, central]: [Buffer[], Buffer[]] = [[], []];
  let offset = 0;
  for (const [name, text] of Object.entries(entries)) {
    const [path, data] = [Buffer.from(name), Buffer.from(text)];
    // version, flags, method, time, date, CRC, sizes and name length: the same in both headers
    const shared = Buffer.concat([
      uint16(20, 0, 0, 0, 0x21),
      uint32(crc32(data), data.length, data.length),
      uint16(path.length, 0),
    ]);
    const local = Buffer.concat([Buffer.from('PK\x03\x04'), shared, path, data]);
    central.push(Buffer.from('PK\x01\x02'), uint16(20), shared, uint16(0, 0, 0), uint32(0, offset), path);
    locals.push(local);
    offset += local.length;
  }
  const directory = Buffer.concat(central);
  const count = Object.keys(entries).length;
  const end = [
    Buffer.from('PK\x05\x06'),
    uint16(0, 0, count, count),
    uint32(directory.length, offset),
    uint16(0),
  ];
  return Buffer.concat([...locals, directory, ...end]);
}

const uint16 = (...values: number[]) => Buffer.from(Uint16Array.from(values).buffer);
const uint32 = (...values: number[]) => Buffer.from(Uint32Array.from(values).buffer);
const uint32be = (value: number) => Buffer.from(Uint32Array.of(value).buffer).swap32();
