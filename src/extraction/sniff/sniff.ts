import { holdsEntry } from '../archives/zip/zip-signature.ts';
import { isOfficeXml } from '../documents/office/flat/sniff-xml.ts';
import type { Format } from '../extraction.ts';
import { looksLikeLzma } from '../formats/compression/lzma/lzma.ts';
import { type Encoding, encodingOf } from './encoding.ts';
import { type Compression, compressionOf, nameOfBinary, signatureOf } from './magic.ts';
import { type Readable, readableOf } from './readable.ts';
import { formatOf, opening } from './text-format.ts';

/** The detected type of an object. The content decides; a name only distinguishes text formats. */
export type SniffedType =
  | { readonly is: 'text'; readonly encoding: Encoding; readonly format: Format }
  | { readonly is: 'compressed'; readonly compression: Compression }
  | Readable
  | { readonly is: 'binary'; readonly label: string };

/** `head`: the first HEAD_BYTES at most; `whole`: there is nothing after it. */
export function sniffType(name: string, head: Uint8Array, whole: boolean): SniffedType {
  const compression = compressionOf(head);
  if (compression !== null) return { is: 'compressed', compression };
  const label = signatureOf(head);
  if (label !== null) return readableOf(label, head) ?? { is: 'binary', label };
  const encoding = encodingOf(head, whole);
  if (encoding !== null) return sniffText(name, head, encoding);
  // It has no magic number, so the name must match too.
  if (/\.(lzma|tlz)$/i.test(name) && looksLikeLzma(head)) return { is: 'compressed', compression: 'lzma' };
  const guess = isLaterZip(name, head) ? 'zip archive' : nameOfBinary(head);
  return readableOf(guess, head) ?? { is: 'binary', label: guess };
}

/**
 * An archive may follow a self-extracting script, or a store's signature. Any file may contain an entry header, so further evidence is
 * required.
 */
function isLaterZip(name: string, head: Uint8Array): boolean {
  const start = Buffer.from(head.subarray(0, 4)).toString('latin1');
  const isNamed =
    start.startsWith('#!') || start === 'Cr24' || /\.(zip|jar|war|ear|apk|pyz|pex)$/i.test(name);
  return isNamed && holdsEntry(head);
}

const LT = 0x3c;
/** Enough for the namespaces of an Office document's root. */
const ROOT = 8192;

function sniffText(name: string, head: Uint8Array, encoding: Encoding): SniffedType {
  const first = head[encoding.bomLength] ?? 0;
  const mayBeMarkup = first === LT || first <= 0x20 || encoding.width > 1;
  if (mayBeMarkup && isOfficeXml(opening(head, encoding, ROOT)))
    return readableOf('Office XML document', head) ?? { is: 'binary', label: 'Office XML document' };
  return { is: 'text', encoding, format: head.length === 0 ? 'text' : formatOf(name, head, encoding) };
}
