import { crc32 } from 'node:zlib';

const START =
  '{\\rtf1\\ansi\\mac\\deff0\\deftab720{\\fonttbl;}{\\f0\\fnil \\froman \\fswiss \\fmodern \\fscript \\fdecor ' +
  'MS Sans SerifSymbolArialTimes New RomanCourier{\\colortbl\\red0\\green0\\blue0\r\n' +
  '\\par \\pard\\plain\\f0\\fs20\\b\\i\\u\\tab\\tx';

type Token = { readonly literal: number } | { readonly at: number; readonly length: number };

/** Compresses the body of a message, by the nearest match of ten bytes at most. */
export function compressRtf(body: string): Buffer {
  const all = Buffer.from(START + body, 'latin1');
  const tokens: Token[] = [];
  let at = START.length;
  while (at < all.length) {
    const length = Math.min(10, all.length - at);
    const match = length < 2 ? -1 : all.lastIndexOf(all.subarray(at, at + length), at - 1);
    if (match >= 0 && match > at - 4000) {
      tokens.push({ at: match, length });
      at += length;
    } else tokens.push({ literal: all[at++]! });
  }
  tokens.push({ at, length: 2 });
  return withHeader(written(tokens), body.length);
}

function written(tokens: readonly Token[]): Buffer {
  const out: number[] = [];
  for (let i = 0; i < tokens.length; i += 8) {
    const run = tokens.slice(i, i + 8);
    out.push(run.reduce((bits, token, j) => bits | ('at' in token ? 1 << j : 0), 0));
    for (const token of run) {
      if ('literal' in token) out.push(token.literal);
      else out.push((token.at % 4096) >> 4, ((token.at & 15) << 4) | (token.length - 2));
    }
  }
  return Buffer.from(out);
}

function withHeader(contents: Buffer, rawLength: number): Buffer {
  const header = Buffer.alloc(16);
  header.writeUInt32LE(contents.length + 12, 0);
  header.writeUInt32LE(rawLength, 4);
  header.write('LZFu', 8);
  header.writeUInt32LE(~crc32(contents, 0xffffffff) >>> 0, 12);
  return Buffer.concat([header, contents]);
}
