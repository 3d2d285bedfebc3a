import { TextDecoder } from 'node:util';

/** Names of Windows' code pages, as far as they aren't their number after "windows-". */
const NAMES: Readonly<Record<number, string>> = {
  708: 'iso-8859-6',
  866: 'ibm866',
  932: 'shift_jis',
  936: 'gbk',
  949: 'euc-kr',
  950: 'big5',
  1200: 'utf-16le',
  1201: 'utf-16be',
  1361: 'euc-kr',
  10000: 'macintosh',
  10007: 'x-mac-cyrillic',
  20866: 'koi8-r',
  20932: 'euc-jp',
  21866: 'koi8-u',
  50220: 'iso-2022-jp',
  50221: 'iso-2022-jp',
  50222: 'iso-2022-jp',
  51932: 'euc-jp',
  51949: 'euc-kr',
  54936: 'gb18030',
  65001: 'utf-8',
};

const decoders = new Map<number, TextDecoder>();

/** Unknown code pages are read as the Western one: nearly all of them have ASCII in common. */
export function decoderOf(codePage: number): TextDecoder {
  const known = decoders.get(codePage);
  if (known !== undefined) return known;
  const decoder = newDecoder(codePage);
  if (decoders.size < 100) decoders.set(codePage, decoder);
  return decoder;
}

/** A streaming decoder: chunks may split a character. */
export function newDecoder(codePage: number): TextDecoder {
  return new TextDecoder(nameOf(codePage), { ignoreBOM: true });
}

function nameOf(codePage: number): string {
  if (codePage === 874 || (codePage >= 1250 && codePage <= 1258)) return `windows-${codePage}`;
  if (codePage >= 28592 && codePage <= 28606) return isoName(codePage - 28590);
  return NAMES[codePage] ?? 'windows-1252';
}

function isoName(part: number): string {
  if (part === 9) return 'windows-1254';
  if (part === 11) return 'windows-874';
  return part === 12 ? 'windows-1252' : `iso-8859-${part}`;
}
