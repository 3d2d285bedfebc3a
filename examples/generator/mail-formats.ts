/** Messages as they lie on a disk: headers, a blank line, a body in the transfer encoding the sender liked. */
import type { Random } from './random.ts';

const BOUNDARY = '=_brightwater_0042';
const LINE = /.{1,76}/g;

type Encoding = '7bit' | 'base64' | 'quoted-printable';

export interface Section {
  readonly type: string;
  readonly encoding: Encoding;
  readonly filename?: string;
  /** Bytes instead of a body of the letter. */
  readonly content?: Buffer;
}

/** No dot in the Message-ID's host: it would read as one more mailbox. */
export function headers(random: Random, subject: string, from: string, to: string): Record<string, string> {
  return {
    From: from,
    To: to,
    Subject: subject,
    Date: `Tue, 05 Mar 2024 ${random.clock()} +0000`,
    'Message-ID': `<${random.hex(12)}@mailhost>`,
  };
}

/**
 * The text of a message before it is packed: the headers and each section's body, apart by form feeds. It is what a reader
 * of the message sees, and so what may be found in it.
 */
export function letter(headers: Readonly<Record<string, string>>, ...bodies: readonly string[]): string {
  const head = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  return [head.join('\n'), ...bodies].join('\f');
}

/** Packs a `letter` of one body. */
export function single(section: Section): (text: string) => Buffer {
  return (text) => {
    const [head = '', body = ''] = text.split('\f');
    return crlf(`${head}\nMIME-Version: 1.0\n${sectionHead(section)}\n\n${encode(body, section.encoding)}\n`);
  };
}

/** Packs a `letter` of several bodies, one for each section. */
export function multipart(...sections: readonly Section[]): (text: string) => Buffer {
  return (text) => {
    const [head = '', ...bodies] = text.split('\f');
    const parts = sections.map(
      (section, n) =>
        `--${BOUNDARY}\n${sectionHead(section)}\n\n${encode(section.content ?? bodies[n] ?? '', section.encoding)}\n`,
    );
    const type = `Content-Type: multipart/mixed; boundary="${BOUNDARY}"`;
    return crlf(`${head}\nMIME-Version: 1.0\n${type}\n\n${parts.join('')}--${BOUNDARY}--\n`);
  };
}

function sectionHead({ type, encoding, filename }: Section): string {
  const charset = type.startsWith('text/') ? '; charset=utf-8' : '';
  const lines = [`Content-Type: ${type}${charset}`, `Content-Transfer-Encoding: ${encoding}`];
  if (filename !== undefined) lines.push(`Content-Disposition: attachment; filename="${filename}"`);
  return lines.join('\n');
}

function encode(body: string | Buffer, encoding: Encoding): string {
  if (encoding === 'base64') {
    const bytes = typeof body === 'string' ? Buffer.from(body) : body;
    return (bytes.toString('base64').match(LINE) ?? []).join('\n');
  }
  const text = body.toString();
  return encoding === 'quoted-printable' ? text.split('\n').map(quotedPrintable).join('\n') : text;
}

/** Breaks lines at 72 characters regardless of content: a decoder has to join split values. */
function quotedPrintable(line: string): string {
  const units = [...Buffer.from(line)].map((byte) =>
    byte === 0x3d || byte > 0x7e ? `=${byte.toString(16).toUpperCase()}` : String.fromCharCode(byte),
  );
  const lines = [''];
  for (const unit of units) {
    if (lines.at(-1)!.length + unit.length > 72) lines.push('');
    lines[lines.length - 1] += unit;
  }
  return lines.join('=\n');
}

function crlf(text: string): Buffer {
  return Buffer.from(text.replaceAll('\n', '\r\n'));
}
