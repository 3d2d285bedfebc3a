/**
 * XMP: ISO 16684-1:2019, section 7. Packets are scanned leniently instead of parsed as XML, because editors write them with errors.
 */
import { CorruptInput } from '../../../extraction-error.ts';
import { propertyLine } from '../../property.ts';
import { textOf } from './block.ts';

const ATTRIBUTE = /([\w.:-]+)\s*=\s*$/;
const REFERENCE = /&(?:#(\d{1,7})|#x([\da-f]{1,6})|(amp|lt|gt|quot|apos));/gi;
const NAMED: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };
/** Syntax, and what editors keep for themselves: ids, histories and settings of development. */
const SILENT = /^(?:xmlns|xml|rdf|x|xmpMM|stEvt|stRef|crs)(?::|$)/;
const MAX_DEPTH = 256;
const MAX_NAME_LENGTH = 100;

/** The values of an XMP packet, each with the name of its property. */
export function* xmpLines(bytes: Uint8Array): Generator<string> {
  const xml = decode(bytes);
  const open: string[] = [];
  for (let at = 0; at < xml.length; ) {
    const tag = xml.indexOf('<', at);
    yield* valueLine(open, xml.slice(at, tag === -1 ? xml.length : tag));
    if (tag === -1) return;
    const end = endOf(xml, tag);
    if (end === -1) throw new CorruptInput('truncated XMP packet');
    if (/[\w/]/.test(xml.charAt(tag + 1))) yield* tagLines(open, xml.slice(tag + 1, end - 1));
    at = end;
  }
}

/** The end of the comment, instruction or tag that begins at `start`. */
function endOf(xml: string, start: number): number {
  if (xml.startsWith('<!--', start)) return behind(xml, '-->', start);
  if (xml.startsWith('<?', start)) return behind(xml, '?>', start);
  for (let at = start + 1; at < xml.length; at++) {
    const character = xml[at]!;
    if (character === '>') return at + 1;
    if (character !== '"' && character !== "'") continue;
    at = xml.indexOf(character, at + 1);
    if (at === -1) return -1;
  }
  return -1;
}

function behind(xml: string, mark: string, start: number): number {
  const at = xml.indexOf(mark, start);
  return at === -1 ? -1 : at + mark.length;
}

function* tagLines(open: string[], tag: string): Generator<string> {
  if (tag.startsWith('/')) {
    open.pop();
    return;
  }
  const name = /^[\w.:-]+/.exec(tag)?.[0] ?? '';
  yield* attributeLines(tag);
  if (tag.endsWith('/')) return;
  if (open.length === MAX_DEPTH) throw new CorruptInput('XMP packet');
  open.push(name);
}

/** Searches from quote to quote, and back from there for the name, so that the time is linear. */
function* attributeLines(tag: string): Generator<string> {
  for (let at = 0; at < tag.length; ) {
    const start = firstQuote(tag, at);
    if (start === -1) return;
    const end = tag.indexOf(tag[start]!, start + 1);
    if (end === -1) return;
    const name = ATTRIBUTE.exec(tag.slice(Math.max(at, start - MAX_NAME_LENGTH), start))?.[1];
    if (name !== undefined) yield* valueLine([name], tag.slice(start + 1, end));
    at = end + 1;
  }
}

function firstQuote(tag: string, from: number): number {
  for (let at = from; at < tag.length; at++) if (tag[at] === '"' || tag[at] === "'") return at;
  return -1;
}

function* valueLine(open: readonly string[], value: string): Generator<string> {
  if (value === '' || value.trim() === '') return;
  const name = open.findLast((element) => !element.startsWith('rdf:')) ?? '';
  // A long value without a space is encoded binary data, such as a thumbnail.
  if (name === '' || SILENT.test(name) || (value.length > 4096 && !/\s/.test(value))) return;
  yield* propertyLine(name, value.replace(REFERENCE, resolve));
}

function resolve(whole: string, decimal?: string, hex?: string, name?: string): string {
  if (name !== undefined) return NAMED[name.toLowerCase()] ?? whole;
  const code = decimal === undefined ? Number.parseInt(hex ?? '', 16) : Number(decimal);
  return code <= 0x10ffff ? String.fromCodePoint(code) : whole;
}

function decode(bytes: Uint8Array): string {
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return new TextDecoder('utf-16be').decode(bytes);
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return new TextDecoder('utf-16le').decode(bytes);
  return textOf(bytes);
}
