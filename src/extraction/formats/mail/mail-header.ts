import { isUtf8 } from 'node:buffer';

/** A limit, because each parameter may cost a scan of all that follow. */
const MAX_PARAMETERS = 64;
const MAX_FIELD_LENGTH = 4096;

/** The header of a mail, or of one of its parts, as far as it describes the body. */
export interface MailHeader {
  readonly type: string;
  readonly boundary: string | null;
  readonly encoding: string;
  readonly fileName: string | null;
  readonly attached: boolean;
}

/** Lenient, because mails come from many programs: an invalid header falls back to plain text. */
export function parseHeader(raw: Uint8Array): MailHeader {
  const fields = fieldsOf(decodeWords(textOf(raw)));
  const contentType = fields.get('content-type') ?? '';
  const disposition = fields.get('content-disposition') ?? '';
  const parameters = parametersOf(contentType);
  return {
    type: (/^[\w.+-]+\/[\w.+-]+/.exec(contentType)?.[0] ?? 'text/plain').toLowerCase(),
    boundary: parameters.get('boundary') || null,
    encoding: (fields.get('content-transfer-encoding') ?? '').toLowerCase().replace(/[^\w-].*$/s, ''),
    fileName: parametersOf(disposition).get('filename') || parameters.get('name') || null,
    attached: /^attachment/i.test(disposition),
  };
}

/** How a part is called in findings. */
export function partName(header: MailHeader): string {
  const { type, fileName } = header;
  if (!isAttachment(header))
    return type === 'text/plain' ? 'body' : `body ${type.slice(type.indexOf('/') + 1)}`;
  return `attachment ${fileName ?? (type === 'message/rfc822' ? 'message.eml' : type)}`;
}

export function isAttachment({ type, attached, fileName }: MailHeader): boolean {
  return attached || fileName !== null || !type.startsWith('text/');
}

/** Implies the text format; `text/csv` is equivalent to `.csv`. */
export function fileName({ type, fileName }: MailHeader): string {
  return fileName ?? `body.${type.slice(type.indexOf('/') + 1)}`;
}

/** The header as text with its encoded words (RFC 2047) in UTF-8; the very bytes where there are none. */
export function readableHeader(raw: Uint8Array): Uint8Array {
  const text = textOf(raw);
  return text.includes('=?') ? Buffer.from(decodeWords(text)) : raw;
}

const WORD = /=\?([^?\s*]{1,40})(?:\*[^?\s]*)?\?([bq])\?([^?\r\n]*)\?=/gi;

function decodeWords(text: string): string {
  if (!text.includes('=?')) return text;
  // White space between two words is no part of the text.
  return text
    .replace(/\?=\s+=\?/g, '?==?')
    .replace(WORD, (word, charset: string, how: string, data: string) => {
      const bytes =
        how.toLowerCase() === 'b' ? Buffer.from(data, 'base64') : unescaped(data.replaceAll('_', ' '), '=');
      return decoded(bytes, charset) ?? word;
    });
}

function decoded(bytes: Uint8Array, charset: string): string | null {
  try {
    return new TextDecoder(charset).decode(bytes);
  } catch {
    return null;
  }
}

/** `=E4` or `%E4` into bytes. */
function unescaped(text: string, sign: '=' | '%'): Uint8Array {
  const hex = sign === '=' ? /=([0-9a-f]{2})/gi : /%([0-9a-f]{2})/gi;
  const bytes = text.replace(hex, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));
  return Buffer.from(bytes, 'latin1');
}

function fieldsOf(text: string): Map<string, string> {
  const fields = new Map<string, string>();
  for (const line of text.replace(/\r?\n[ \t]+/g, ' ').split(/\r?\n/)) {
    const colon = line.indexOf(':');
    const name = line.slice(0, colon).replace('\ufeff', '').trim().toLowerCase();
    if (colon > 0 && !fields.has(name))
      fields.set(
        name,
        line
          .slice(colon + 1)
          .trimStart()
          .slice(0, MAX_FIELD_LENGTH),
      );
  }
  return fields;
}

/**
 * `; name=value`, quoted or not; `name*0=` segments joined; `name*=charset''%E4` decoded (RFC 2231). If the field was truncated, or has
 * too many parameters, the last one may be incomplete and is dropped, because masking would not recognise a partial name.
 */
function parametersOf(value: string): Map<string, string> {
  const parameters = new Map<string, string>();
  let cut = value.length === MAX_FIELD_LENGTH;
  let count = 0;
  let last = '';
  for (const [, key = '', raw = ''] of value.matchAll(/;\s*([\w*-]+)\s*=\s*("[^"]*(?:"|$)|[^;\s]*)/g)) {
    if (++count > MAX_PARAMETERS) {
      cut = true;
      break;
    }
    [last = ''] = key.toLowerCase().split('*', 1);
    const plain = raw.replace(/^"|"$/g, '');
    const text = key.endsWith('*') ? extended(plain) : plain;
    parameters.set(last, (parameters.get(last) ?? '') + text);
  }
  if (cut) parameters.delete(last);
  return parameters;
}

function extended(value: string): string {
  const [, charset = 'utf-8', text = value] = /^([\w-]*)'[^']*'(.*)$/.exec(value) ?? [];
  return decoded(unescaped(text, '%'), charset) ?? text;
}

function textOf(raw: Uint8Array): string {
  return Buffer.from(raw.buffer, raw.byteOffset, raw.byteLength).toString(isUtf8(raw) ? 'utf8' : 'latin1');
}
