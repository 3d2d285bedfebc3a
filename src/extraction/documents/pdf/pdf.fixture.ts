/** Writes small PDF documents object by object, so that a test can define and damage any part. */
import { createHash } from 'node:crypto';
import { deflateSync } from 'node:zlib';

type Body = string | Buffer;

export interface PdfPage {
  /** Operators of its content, e.g. from `lines` or `at`. */
  readonly content: string;
  /** More entries of its dictionary. */
  readonly entries?: string;
  /** More entries of its resources, e.g. "/XObject << /Im1 7 0 R >>". */
  readonly resources?: string;
  /** More fonts, e.g. "/F2 8 0 R". */
  readonly fonts?: string;
}

export class PdfFixture {
  readonly #bodies: (Body | null)[] = [null];
  compressed = false;

  /** Numbers can be used before their objects are there. */
  reserve(): number {
    return this.#bodies.push(null) - 1;
  }

  set(number: number, body: Body): number {
    this.#bodies[number] = body;
    return number;
  }

  add(body: Body): number {
    return this.set(this.reserve(), body);
  }

  stream(entries: string, data: Body): number {
    const plain = bytesOf(data);
    const bytes = this.compressed ? deflateSync(plain) : plain;
    const filter = this.compressed ? '/Filter /FlateDecode ' : '';
    return this.raw(`${filter}${entries}`, bytes);
  }

  /** A stream whose data is already encoded as its entries declare. */
  raw(entries: string, data: Buffer): number {
    const head = `<< ${entries} /Length ${data.length} >>\nstream\n`;
    return this.add(Buffer.concat([Buffer.from(head, 'latin1'), data, Buffer.from('\nendstream')]));
  }

  /** A catalogue with these pages; all have the font F1, Helvetica. */
  pages(pages: readonly PdfPage[], catalogue = ''): number {
    const font = this.add(
      '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>',
    );
    const parent = this.reserve();
    const kids = pages.map(({ content, entries = '', resources = '', fonts = '' }) => {
      const body = this.stream('', content);
      return this.add(
        `<< /Type /Page /Parent ${parent} 0 R /MediaBox [0 0 612 792] /Contents ${body} 0 R ` +
          `/Resources << /Font << /F1 ${font} 0 R ${fonts} >> ${resources} >> ${entries} >>`,
      );
    });
    const list = kids.map((kid) => `${kid} 0 R`).join(' ');
    this.set(parent, `<< /Type /Pages /Kids [${list}] /Count ${kids.length} >>`);
    return this.add(`<< /Type /Catalog /Pages ${parent} 0 R ${catalogue} >>`);
  }

  build(root: number, trailer = '', user: string | null = null): Buffer {
    const key = user === null ? null : new Lock(user);
    const parts = [Buffer.from('%PDF-1.7\n%\xe2\xe3\xcf\xd3\n', 'latin1')];
    let length = parts[0]!.length;
    const rows: string[] = ['0000000000 65535 f \n'];
    for (const [number, body] of this.#bodies.entries()) {
      if (number === 0) continue;
      rows.push(`${`${length}`.padStart(10, '0')} 00000 n \n`);
      const plain = bytesOf(body ?? 'null');
      const bytes = key === null ? plain : key.lock(number, plain);
      const whole = Buffer.concat([Buffer.from(`${number} 0 obj\n`), bytes, Buffer.from('\nendobj\n')]);
      parts.push(whole);
      length += whole.length;
    }
    const entries = `/Size ${rows.length} /Root ${root} 0 R ${trailer} ${key?.trailer ?? ''}`;
    const end = `xref\n0 ${rows.length}\n${rows.join('')}trailer\n<< ${entries} >>\nstartxref\n${length}\n%%EOF\n`;
    return Buffer.concat([...parts, Buffer.from(end, 'latin1')]);
  }
}

/** Operators that show lines of text one below the other. */
export function lines(...texts: readonly string[]): string {
  return `BT /F1 12 Tf 14 TL 72 720 Td ${texts.map((text) => `${quoted(text)} Tj T*`).join(' ')} ET`;
}

/** Operators that show texts where the test wants them. */
export function at(...texts: readonly (readonly [x: number, y: number, text: string])[]): string {
  return texts.map(([x, y, text]) => `BT /F1 12 Tf ${x} ${y} Td ${quoted(text)} Tj ET`).join('\n');
}

export function quoted(text: string): string {
  return `(${text.replace(/[\\()]/g, '\\$&')})`;
}

/** A whole document of plain pages. */
export function pdfOf(...pages: readonly (readonly string[])[]): Buffer {
  const pdf = new PdfFixture();
  return pdf.build(pdf.pages(pages.map((texts) => ({ content: lines(...texts) }))));
}

const PADDING = Buffer.from('28bf4e5e4e758a4164004e56fffa01082e2e00b6d0683e802f0ca9fe6453697a', 'hex');
const ID = Buffer.alloc(16, 7);
const PERMISSIONS = Buffer.from([0xfc, 0xff, 0xff, 0xff]);

/** The oldest encryption, RC4 of 40 bits, with `user` as the password for opening. Strings must be plain. */
class Lock {
  readonly #key: Buffer;
  readonly trailer: string;

  constructor(user: string) {
    const owner = rc4(md5(padded('owner')).subarray(0, 5), padded(user));
    this.#key = md5(padded(user), owner, PERMISSIONS, ID).subarray(0, 5);
    const proof = rc4(this.#key, PADDING);
    const hex = (bytes: Buffer) => `<${bytes.toString('hex')}>`;
    this.trailer =
      `/ID [${hex(ID)} ${hex(ID)}] /Encrypt << /Filter /Standard /V 1 /R 2 /O ${hex(owner)} ` +
      `/U ${hex(proof)} /P ${PERMISSIONS.readInt32LE()} >>`;
  }

  lock(number: number, bytes: Buffer): Buffer {
    const key = md5(this.#key, Buffer.from([number & 255, number >> 8, 0, 0, 0])).subarray(0, 10);
    const start = bytes.indexOf('stream\n') + 7;
    if (start === 6) return Buffer.from(lockedStrings(bytes.toString('latin1'), key), 'latin1');
    const end = bytes.lastIndexOf('\nendstream');
    return Buffer.concat([
      bytes.subarray(0, start),
      rc4(key, bytes.subarray(start, end)),
      bytes.subarray(end),
    ]);
  }
}

function lockedStrings(body: string, key: Buffer): string {
  return body.replace(
    /\(([^()\\]*)\)/g,
    (_, text: string) => `<${rc4(key, Buffer.from(text)).toString('hex')}>`,
  );
}

function bytesOf(body: Body): Buffer {
  return typeof body === 'string' ? Buffer.from(body, 'latin1') : body;
}

function padded(password: string): Buffer {
  return Buffer.concat([Buffer.from(password), PADDING]).subarray(0, 32);
}

function md5(...parts: readonly Buffer[]): Buffer {
  return createHash('md5').update(Buffer.concat(parts)).digest();
}

function rc4(key: Buffer, data: Buffer): Buffer {
  const box = Uint8Array.from({ length: 256 }, (_, i) => i);
  for (let i = 0, j = 0; i < 256; i++) {
    j = (j + box[i]! + key[i % key.length]!) & 255;
    [box[i], box[j]] = [box[j]!, box[i]!];
  }
  let i = 0;
  let j = 0;
  const mixed = data.map((byte) => {
    i = (i + 1) & 255;
    j = (j + box[i]!) & 255;
    [box[i], box[j]] = [box[j]!, box[i]!];
    return byte ^ box[(box[i]! + box[j]!) & 255]!;
  });
  return Buffer.from(mixed);
}
