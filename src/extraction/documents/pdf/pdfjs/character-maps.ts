/**
 * Predefined CMaps for PDF readers: they map the bytes of East Asian texts to character ids (CIDs) of collections, and those to Unicode.
 * The tables are large, and only the final result matters here; so the maps built here use Unicode as CID, and the mapping from CIDs to
 * Unicode is the identity. Only ASCII has its true CIDs (1 to 95 in all collections), so it can be read even where a document uses CIDs
 * directly.
 */
import { TextDecoder } from 'node:util';

export interface CharacterMap {
  readonly text: string;
  /** Not so where the document uses numbers of a collection: then all but ASCII reads wrong. */
  readonly complete: boolean;
}

const LEGACY: readonly (readonly [name: RegExp, encoding: string])[] = [
  [/RKSJ/, 'shift_jis'],
  [/^EUC$/, 'euc-jp'],
  [/^(?:GB|GBK|GBKp|GBpc|GBK2K)(?:-EUC)?$/, 'gb18030'],
  [/B5/, 'big5'],
  [/^KSC/, 'euc-kr'],
];

const LATIN = 0x20;
const LATIN_END = 0x7e;
const FIRST_NUMBER = 1;

export class CharacterMaps {
  #usesEncodings = false;

  named(name: string): CharacterMap | null {
    if (/^Adobe-\w+-UCS2$/.test(name)) return { text: numbersToUnicode(), complete: this.#usesEncodings };
    const way = /^(?:(.*)-)?([HV])$/.exec(name);
    if (way === null) return null;
    const encoding = encodingMap(way[1] ?? '');
    if (encoding === null) return null;
    this.#usesEncodings = true;
    return { text: `${way[2] === 'V' ? '/WMode 1 def\n' : ''}${encoding}`, complete: true };
  }
}

function numbersToUnicode(): string {
  const all = '1 begincodespacerange <0000> <ffff> endcodespacerange\n';
  return `${all}2 beginbfrange <0060> <ffff> <0060> <0001> <005f> <0020> endbfrange`;
}

function encodingMap(name: string): string | null {
  if (/^Uni.*-(?:UCS2|UTF16)(?:-HW)?$/.test(name)) return unicodeMap(4);
  if (/^Uni.*-UTF32$/.test(name)) return unicodeMap(8);
  const legacy = LEGACY.find(([pattern]) => pattern.test(name));
  return legacy === undefined ? null : legacyMap(legacy[1]);
}

function unicodeMap(digits: number): string {
  const code = (value: number) => `<${value.toString(16).padStart(digits, '0')}>`;
  return (
    `1 begincodespacerange ${code(0)} ${code(0xffff)} endcodespacerange\n` +
    `2 begincidrange ${code(0x7f)} ${code(0xffff)} 127 ` +
    `${code(LATIN)} ${code(LATIN_END)} ${FIRST_NUMBER} endcidrange`
  );
}

function legacyMap(encoding: string): string {
  const decoder = new TextDecoder(encoding);
  const pairs: string[] = [];
  const singles = encoding === 'shift_jis' ? katakana(decoder) : '';
  for (let lead = 0x81; lead <= 0xfe; lead++) {
    for (let trail = 0x40; trail <= 0xfe; trail++) {
      const character = decoder.decode(Uint8Array.of(lead, trail));
      // One that is none, or two, is not in the encoding.
      if (character.length !== 1 || character === '\ufffd') continue;
      pairs.push(`<${lead.toString(16)}${trail.toString(16)}> ${character.charCodeAt(0)}`);
    }
  }
  const spaces = encoding === 'shift_jis' ? '<8140> <9ffc> <a0> <df> <e040> <fcfc>' : '<8140> <fefe>';
  return (
    `1 begincodespacerange <00> <80> ${spaces} endcodespacerange\n` +
    `1 begincidrange <20> <7e> ${FIRST_NUMBER} endcidrange\n` +
    `1 begincidchar ${singles} ${pairs.join('\n')} endcidchar`
  );
}

/** Its half-width ones take a single byte. */
function katakana(decoder: TextDecoder): string {
  return Array.from({ length: 0x3f }, (_, i) => 0xa1 + i)
    .map((byte) => `<${byte.toString(16)}> ${decoder.decode(Uint8Array.of(byte)).charCodeAt(0)}`)
    .join(' ');
}
