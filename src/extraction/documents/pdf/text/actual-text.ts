/**
 * Replacement text for a part of a page (`/Span << /ActualText … >> BDC … EMC`, PDF 32000-1, 14.9.4): the letters of a ligature, the word
 * of a drawing. The library ignores it, so it is patched to report it as the part's tag name.
 */
import { TextDecoder } from 'node:util';
import type {
  Dictionary,
  Library,
  LibraryInternals,
  Operation,
  OperationReader,
  PdfStream,
} from '../pdfjs/library-internals.ts';

/** No name begins like this. */
const MARK = '\0actual text:';
const UTF16 = new TextDecoder('utf-16be');
const UTF8 = new TextDecoder();
/** 0x80 to 0x9e where a text is neither: all others are as in Latin-1. */
const OWN = '•†‡…—–ƒ⁄‹›−‰„“”‘’‚™ﬁﬂŁŒŠŸŽıłœšž';
const FIRST_OWN = 0x80;
const UNSEEN = /[\u00ad\u200b\ufeff]/g;

const resourcesOf = new WeakMap<PdfStream, Dictionary>();
/** By name of a property list: many parts may use the same one, and decoding it may cost much more than its result's length. */
const known = new WeakMap<Dictionary, string | null>();

/** From now on, for streams whose resources are known. */
export function installActualText(
  { OPS }: Library,
  { OperationReader: { prototype } }: LibraryInternals,
): void {
  const begin: number = OPS.beginMarkedContentProps;
  const original = prototype.read;
  prototype.read = function read(this: OperationReader, operation: Operation) {
    const isRead = original.call(this, operation);
    if (isRead && operation.fn === begin)
      encodeActualText(operation.args, resourcesOf.get(this.parser.lexer.stream));
    return isRead;
  };
}

export function rememberResources(stream: PdfStream, resources: Dictionary | undefined): void {
  if (resources !== undefined) resourcesOf.set(stream, resources);
}

/** Decodes what the patched library reports as tag name. */
export function decodeActualText(tag: string | null | undefined): string | null {
  return tag?.startsWith(MARK) === true ? tag.slice(MARK.length) : null;
}

/** `properties`: of a part of a page, or their name among the resources. */
export function actualText(properties: unknown, resources: Dictionary): string | null {
  if (!isNamed(properties)) return textOf(properties);
  const named = entry(resources.get('Properties'), properties.name);
  if (!isDictionary(named)) return null;
  const before = known.get(named);
  const text = before === undefined ? textOf(named) : before;
  if (before === undefined) known.set(named, text);
  return text;
}

function textOf(properties: unknown): string | null {
  const text = entry(properties, 'ActualText');
  return typeof text === 'string' ? decoded(text).replace(UNSEEN, '').replace(/\s+/g, ' ') : null;
}

function encodeActualText(args: unknown[], resources: Dictionary | undefined): void {
  const [tag, properties] = args;
  if (resources === undefined || !isNamed(tag)) return;
  const text = actualText(properties, resources);
  if (text === null) return;
  args[0] = Object.create(Object.getPrototypeOf(tag), { name: { value: MARK + text } });
}

function entry(dictionary: unknown, key: string): unknown {
  return isDictionary(dictionary) ? dictionary.get(key) : undefined;
}

function decoded(codes: string): string {
  const bytes = Buffer.from(codes, 'latin1');
  if (codes.startsWith('\xfe\xff')) return UTF16.decode(bytes.subarray(2));
  if (codes.startsWith('\xff\xfe')) return bytes.subarray(2).toString('utf16le');
  if (codes.startsWith('\xef\xbb\xbf')) return UTF8.decode(bytes.subarray(3));
  return codes.replace(/[\x80-\x9e]/g, (code) => OWN[code.charCodeAt(0) - FIRST_OWN] ?? code);
}

function isNamed(value: unknown): value is { readonly name: string } {
  return typeof value === 'object' && value !== null && 'name' in value && typeof value.name === 'string';
}

export function isDictionary(value: unknown): value is Dictionary {
  return typeof value === 'object' && value !== null && 'getRaw' in value;
}
