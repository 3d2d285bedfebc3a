import type { Format } from '../extraction.ts';
import type { Encoding } from './encoding.ts';
import { formatByName } from './format-by-name.ts';
import { tableFormat } from './sniff-table.ts';

/** Characters examined: a few of most texts, some rows of what may be a table. */
const OPENING = 2048;
const ROWS = 16 * 1024;

/** The format of a text: by the name's extension if it implies one, else by the beginning of the text. */
export function formatOf(name: string, head: Uint8Array, encoding: Encoding): Format {
  const format = formatByName(name);
  const text = () => opening(head, encoding, OPENING);
  switch (format) {
    case null:
      return sniff(text(), head, encoding);
    case 'eml':
      return HEADER_LINE.test(text()) ? 'eml' : 'text';
    case 'mbox':
      return MBOX.test(text()) ? 'mbox' : sniff(text(), head, encoding);
    case 'json':
    case 'log':
      return isOneALine(head, encoding) ? 'ndjson' : format;
    default:
      return format;
  }
}

const HEADER_LINE = /^(From .*\r?\n)?[!-9;-~]+:/;
/** The line that every message of an mbox begins with, and a header line. */
const MBOX = /^From .*\r?\n(>?From .*\r?\n)?[!-9;-~]+:/;
const DATED = /^From .*\d:\d\d.*\r?\n/;
const JSON_START = /^\s*(\{\s*["}]|\[\s*([[{"\]]|(-?\d[\d.eE+-]*|true|false|null)\s*[,\]]))/;
const MAIL_NAMES = /^(from|to|cc|subject|date|message-id|mime-version|received|return-path|delivered-to):/gim;

function sniff(text: string, head: Uint8Array, encoding: Encoding): Format {
  if (JSON_START.test(text)) return isOneALine(head, encoding) ? 'ndjson' : 'json';
  if (/^\s*<\?xml/i.test(text)) return /<!doctype html|<html/i.test(text) ? 'html' : 'xml';
  if (/^\s*<(!doctype html|html)/i.test(text)) return 'html';
  if (/^\s*BEGIN:V/i.test(text)) return cardFormat(text);
  if (DATED.test(text) && MBOX.test(text)) return 'mbox';
  if (looksLikeMail(text)) return 'eml';
  return tableOf(text, head, encoding) ?? 'text';
}

function cardFormat(text: string): Format {
  if (/^\s*BEGIN:VCALENDAR\b/i.test(text)) return 'ics';
  return /^\s*BEGIN:VCARD\b/i.test(text) ? 'vcf' : 'text';
}

/** It begins with a header line, and three of the usual headers precede the first empty line. */
function looksLikeMail(text: string): boolean {
  if (!/^[A-Za-z][\w-]*:/.test(text)) return false;
  const [headers = ''] = text.split(/\r?\n\r?\n/, 1);
  const names = new Set(Array.from(headers.matchAll(MAIL_NAMES), ([, found]) => found!.toLowerCase()));
  return names.size >= 3;
}

/** Most texts are not tables, which their first line already shows. */
function tableOf(text: string, head: Uint8Array, encoding: Encoding): Format | null {
  if (!/^[^\n,;\t|]+([,;\t|])[^\n]*\1/.test(text)) return null;
  return tableFormat(
    opening(head, encoding, ROWS),
    head.length <= encoding.bomLength + ROWS * encoding.width,
  );
}

/** JSON Lines: a document ends with the first line, and another one begins after it. */
function isOneALine(head: Uint8Array, encoding: Encoding): boolean {
  if (encoding.width !== 1) return /^\s*\{.*\}\s*\n\s*\{/.test(opening(head, encoding, OPENING));
  const first = visible(head, encoding.bomLength, 1);
  const end = head[first] === 0x7b ? head.indexOf(0x0a, first) : -1;
  if (end === -1) return false;
  return head[visible(head, end, -1)] === 0x7d && head[visible(head, end, 1)] === 0x7b;
}

function visible(head: Uint8Array, from: number, step: 1 | -1): number {
  let i = from;
  while (i >= 0 && i < head.length && head[i]! <= 0x20) i += step;
  return i;
}

/** The first characters of a text of any width; only ASCII matters. */
export function opening(
  head: Uint8Array,
  { width, little, bomLength }: Encoding,
  characters: number,
): string {
  const bytes = Buffer.from(
    head.buffer,
    head.byteOffset,
    Math.min(head.byteLength, bomLength + characters * width),
  );
  if (width === 1) return bytes.toString('latin1', bomLength);
  const low = little ? 0 : width - 1;
  let text = '';
  for (let i = bomLength; i + width <= bytes.length; i += width) text += String.fromCharCode(bytes[i + low]!);
  return text;
}
