import { type Tree, writeCompoundFile } from '../../documents/legacy/compound-file/compound-file.fixture.ts';
import {
  label,
  labelSst,
  number,
  record,
  u16,
  workbookStream,
} from '../../documents/legacy/excel/excel-97.fixture.ts';
import { compressRtf } from '../../documents/legacy/outlook/compressed-rtf.fixture.ts';
import { messageTree } from '../../documents/legacy/outlook/outlook-message.fixture.ts';
import { presentationStreams } from '../../documents/legacy/powerpoint/powerpoint-97.fixture.ts';
import { wordStreams } from '../../documents/legacy/word/word-97.fixture.ts';
import { hostileFiles } from './hostile-file.fixture.ts';

const MILLION = 1_000_000;
const times = <T>(count: number, make: (i: number) => T) => Array.from({ length: count }, (_, i) => make(i));
const xls = (records: readonly Buffer[], strings: readonly string[] = []) =>
  writeCompoundFile({ Workbook: workbookStream({ sheets: [{ name: 'S', records }], strings }) });

/** All pieces of the text have the same position in the stream. */
function samePieces(pieces: number, length: number): Buffer {
  const streams = wordStreams({ main: 'x'.repeat(pieces * 2) }, { pieceLength: 2 });
  const table = streams['1Table'] as Buffer;
  const from = 40 + 6 + 5;
  for (let i = 0; i <= pieces; i++) table.writeUInt32LE(i * length, from + 4 * i);
  for (let i = 0; i < pieces; i++) table.writeUInt32LE(1024, from + 4 * (pieces + 1) + 8 * i + 2);
  const main = Buffer.concat([streams.WordDocument as Buffer, Buffer.alloc(2 * length, 'a\0')]);
  main.writeInt32LE(pieces * length, 76);
  return writeCompoundFile({ ...streams, WordDocument: main });
}

/** Many streams of the directory begin at the same sector. */
function sameStream(count: number, size: number): Buffer {
  const pool = Object.fromEntries(
    times(count, (i) => [`_${i}`, { Package: Buffer.alloc(i === 0 ? size : 0, 'text ') }]),
  );
  const file = writeCompoundFile({ ...wordStreams({ main: 'x\r' }), ObjectPool: pool });
  const entries: number[] = [];
  for (let at = 512; at + 128 <= file.length; at += 128)
    if (file.toString('utf16le', at, at + 14) === 'Package' && file[at + 66] === 2) entries.push(at);
  const whole = entries.find((at) => file.readUInt32LE(at + 120) > 0)!;
  for (const at of entries) file.copy(file, at + 116, whole + 116, whole + 124);
  return file;
}

function message(depth: number): Tree {
  const properties = { '0037001F': 'inner', '1000001F': 'a body' };
  let inner = messageTree({ properties }, true);
  for (let i = 0; i < depth; i++)
    inner = messageTree({ properties, attachments: [{ object: inner }] }, i < depth - 1);
  return inner;
}

/** A compound file whose directory chain is a cycle. */
function directoryLoop(): Buffer {
  const file = writeCompoundFile(wordStreams({ main: `${'words '.repeat(2000)}\r` }));
  const directory = 512 * (file.readUInt32LE(48) + 1);
  for (let at = directory; at < directory + 512; at += 128)
    for (const link of [68, 72, 76]) file.writeUInt32LE(0, at + link);
  return file;
}

const sameSlides = (count: number) => {
  const tree = presentationStreams(times(count, () => ({ outline: ['x'], shapes: ['y'] })));
  return writeCompoundFile(tree);
};

export const legacyFiles = hostileFiles({
  'doc: 30,000 pieces of the same text': ['a.doc', () => samePieces(30_000, 60_000)],
  'doc: 4,000 objects in the same sectors': ['a.doc', () => sameStream(4000, MILLION)],
  'doc: a directory in a circle': ['a.doc', directoryLoop],
  'xls: a cell in the last column of 65,536 rows': [
    'a.xls',
    () => xls(times(65_536, (i) => number(i, 255, 1))),
  ],
  'xls: cells in any order': [
    'a.xls',
    () => xls(times(100_000, (i) => label((i * 7919) % 65_536, i % 256, 'x'))),
  ],
  'xls: a shared text in 65,536 cells': [
    'a.xls',
    () =>
      xls(
        times(65_536, (i) => labelSst(i >> 8, i & 255, 0)),
        ['x'.repeat(8000)],
      ),
  ],
  'xls: a million empty records': ['a.xls', () => xls(times(MILLION, () => record(0x3c)))],
  'xls: rows of blanks': [
    'a.xls',
    () => xls(times(100_000, (i) => record(0xbe, u16(i & 0xffff, 0), Buffer.alloc(20), u16(9)))),
  ],
  'ppt: 5,000 slides': ['a.ppt', () => sameSlides(5000)],
  'msg: messages in each other': ['a.msg', () => writeCompoundFile(message(40))],
  'msg: 5,000 recipients and attachments': [
    'a.msg',
    () =>
      writeCompoundFile(
        messageTree({
          properties: { '0037001F': 'x' },
          recipients: times(2000, () => ({ '3001001F': 'Bob' })),
          attachments: times(2000, (i) => ({
            properties: { '3707001F': `${i}.txt`, '37010102': Buffer.from('inside') },
          })),
        }),
      ),
  ],
  'msg: a compressed body of one letter': [
    'a.msg',
    () =>
      writeCompoundFile(
        messageTree({ properties: { '10090102': compressRtf(`{\\rtf1 ${'a'.repeat(3 * MILLION)}}`) } }),
      ),
  ],
  'rtf: characters in every encoding': ['a.rtf', () => `{\\rtf1\\ansi ${"\\'e4\\u1234?".repeat(400_000)}}`],
  'rtf: two billion bytes to skip': ['a.rtf', () => `{\\rtf1 ${'\\bin2147483647 '.repeat(100_000)}}`],
  'rtf: characters to skip, by the billion': [
    'a.rtf',
    () => `{\\rtf1 \\uc2000000000 ${'\\u1234 '.repeat(400_000)}}`,
  ],
  'rtf: 300,000 fonts': [
    'a.rtf',
    () =>
      `{\\rtf1{\\fonttbl${times(200_000, (i) => `{\\f${i} X;}`).join('')}} ${times(100_000, (i) => `\\f${i} a`).join('')}}`,
  ],
  'rtf: objects without an end': [
    'a.rtf',
    () => `{\\rtf1 ${'{\\object{\\*\\objdata 0105000002000000'.repeat(100_000)}`,
  ],
  'rtf: pictures of a few bytes': [
    'a.rtf',
    () => `{\\rtf1 ${'{\\pict\\pngblip 89504e470d0a1a0a}'.repeat(100_000)}}`,
  ],
  'rtf: fields in each other': [
    'a.rtf',
    () => `{\\rtf1 ${'{\\field{\\*\\fldinst HYPERLINK "x"}{\\fldrslt '.repeat(80_000)}`,
  ],
  'rtf: cells without rows': ['a.rtf', () => `{\\rtf1 \\trowd ${'\\cell'.repeat(900_000)}}`],
});
