import { holdsEntry } from './archives/zip-signature.ts';
import { isOfficeXml } from './documents/office/flat/kind-of-xml.ts';
import { type Encoding, encodingOf } from './encoding.ts';
import type { Format } from './extraction.ts';
import { formatOf, opening } from './format.ts';
import { looksLikeLzma } from './formats/packed/lzma.ts';
import { nameOfBinary, type Packing, packingOf, signatureOf } from './magic.ts';
import { type Readable, readableOf } from './readable.ts';

/** What an object is. Content decides; a name only tells one kind of text from another. */
export type Kind =
  | { readonly is: 'text'; readonly encoding: Encoding; readonly format: Format }
  | { readonly is: 'packed'; readonly packing: Packing }
  | Readable
  | { readonly is: 'binary'; readonly label: string };

/** `head`: the first HEAD_BYTES at most; `whole`: there is nothing after it. */
export function kindOf(name: string, head: Uint8Array, whole: boolean): Kind {
  const packing = packingOf(head);
  if (packing !== null) return { is: 'packed', packing };
  const label = signatureOf(head);
  if (label !== null) return readableOf(label, head) ?? { is: 'binary', label };
  const encoding = encodingOf(head, whole);
  if (encoding !== null) return kindOfText(name, head, encoding);
  // It has no magic number, so the name must say it too.
  if (/\.(lzma|tlz)$/i.test(name) && looksLikeLzma(head)) return { is: 'packed', packing: 'lzma' };
  const guess = isLaterZip(name, head) ? 'zip archive' : nameOfBinary(head);
  return readableOf(guess, head) ?? { is: 'binary', label: guess };
}

/** Before an archive may stand a script that runs it, or its store's signature. Anything may hold an entry, so that something must say that it is one. */
function isLaterZip(name: string, head: Uint8Array): boolean {
  const start = Buffer.from(head.subarray(0, 4)).toString('latin1');
  const says = start.startsWith('#!') || start === 'Cr24' || /\.(zip|jar|war|ear|apk|pyz|pex)$/i.test(name);
  return says && holdsEntry(head);
}

const LT = 0x3c;
/** Enough for the namespaces of an Office document's root. */
const ROOT = 8192;

function kindOfText(name: string, head: Uint8Array, encoding: Encoding): Kind {
  const first = head[encoding.mark] ?? 0;
  const mayBeMarkup = first === LT || first <= 0x20 || encoding.width > 1;
  if (mayBeMarkup && isOfficeXml(opening(head, encoding, ROOT)))
    return readableOf('Office XML document', head) ?? { is: 'binary', label: 'Office XML document' };
  return { is: 'text', encoding, format: head.length === 0 ? 'text' : formatOf(name, head, encoding) };
}
