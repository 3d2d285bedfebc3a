import { type Tree, writeCompoundFile } from '../documents/legacy/compound-file/compound-file.fixture.ts';
import { propertySets } from '../documents/legacy/compound-file/property-set.fixture.ts';
import { latin, long, oldBook, oldLabel, short } from '../documents/legacy/excel/excel-95.fixture.ts';
import {
  bof,
  eof,
  label,
  labelSst,
  number,
  record,
  rk,
  u16,
  workbookStream,
} from '../documents/legacy/excel/excel-97.fixture.ts';
import { pictureRecord } from '../documents/legacy/office-art-pictures.fixture.ts';
import { compressRtf } from '../documents/legacy/outlook/compressed-rtf.fixture.ts';
import { messageTree } from '../documents/legacy/outlook/outlook-message.fixture.ts';
import { presentationStreams } from '../documents/legacy/powerpoint/powerpoint-97.fixture.ts';
import { word95Streams } from '../documents/legacy/word/word-95.fixture.ts';
import { wordStreams } from '../documents/legacy/word/word-97.fixture.ts';
import { emfOf, emfText, wmfOf, wmfText } from '../documents/pictures/metafile/metafile.fixture.ts';
import { mutated, mutatedOne } from './mutate.fixture.ts';
import { MARKER, type Sample } from './sample.fixture.ts';
import type { SeededRandom } from './seeded-random.fixture.ts';

const properties: Tree = {
  '\x05SummaryInformation': propertySets([{ codePage: 1252, values: { 2: 'A title', 4: 'Jürgen' } }]),
  '\x05DocumentSummaryInformation': propertySets([
    { codePage: 1252, values: { 15: 'ACME' } },
    { codePage: 1200, names: { 2: 'Client', 3: 'Number' }, values: { 2: 'Ann Ω', 3: 4711 } },
  ]),
};

const drawn = pictureRecord(emfOf(emfText('drawn in a sheet')));

const workbook = workbookStream({
  sheets: [
    {
      name: 'People',
      records: [
        labelSst(0, 0, 0),
        labelSst(0, 1, 1),
        label(1, 0, 'a cell'),
        number(1, 1, 12345.5),
        rk(2, 0, 402),
      ],
    },
    { name: 'Ωthers', records: [number(0, 0, 41000, 1)] },
  ],
  strings: [MARKER, { text: 'Ωmega, and more of it', runs: 2, phonetic: 8 }],
  formats: ['dd.mm.yyyy'],
  globals: [record(0xeb, drawn.subarray(0, 60)), record(0x3c, drawn.subarray(60))],
});

const doc: Tree = {
  ...wordStreams(
    { main: `Dear Ann,\rthe ${MARKER}.\r`, footnotes: '\x02 A footnote.\r', comments: '\x05A comment.\r' },
    { pieceLength: 50 },
  ),
  ...properties,
  Data: pictureRecord(emfOf(emfText('drawn in the text'))),
  ObjectPool: { _1: { Workbook: workbook } },
};

const oldDoc: Tree = {
  ...word95Streams(
    [Buffer.from(`Dear Ann,\rthe ${MARKER}, caf\xe9.\r`, 'latin1'), Buffer.from('\x02 A footnote.\r')],
    { pieceLength: 20 },
  ),
  ...properties,
};

const oldXls: Tree = {
  Book: oldBook(1252, latin('Bl\xe4tter'), [
    oldLabel(0, 0, latin(MARKER)),
    number(1, 0, 36526, 1),
    record(0x1c, u16(0, 0), long(latin('a comment'))),
    ...[bof(0x20, 0x500), record(0x100d, u16(0), short(latin('a title'))), eof],
  ]),
  ...properties,
};

const ppt: Tree = {
  ...presentationStreams([
    { outline: ['The title', 'first\rsecond'], shapes: [MARKER], notes: 'say hello' },
    { outline: ['Ωmega'], shapes: ['in a box', 'two'] },
  ]),
  Pictures: pictureRecord(wmfOf(wmfText('drawn on the slide'))),
  ...properties,
};

const msg = messageTree({
  properties: {
    '0037001F': 'Invoice Ω',
    '00390040': new Date('2024-02-01T10:20:30Z'),
    '0042001F': 'Ann Smith',
    '10090102': compressRtf(`{\\rtf1\\ansi{\\info{\\author Ann}}caf\\'e9\\par the ${MARKER}}`),
    '3A1C001F': '+1 555 0100',
    '8012001F': 'of a named property',
  },
  recipients: [{ '3001001F': 'Bob', '39FE001F': 'bob@example.org', '0C150003': 1 }],
  attachments: [
    { properties: { '3707001F': 'a long name.txt', '37010102': Buffer.from('inside') } },
    { object: messageTree({ properties: { '0037001F': 'inner', '1000001F': 'inner body' } }, true) },
  ],
});

/** Damages one stream at any depth. */
function spoiled(tree: Tree, random: SeededRandom): Tree {
  return Object.fromEntries(
    mutatedOne(Object.entries(tree), random, ([name, inside]) => [
      name,
      inside instanceof Uint8Array ? mutated(inside, random) : spoiled(inside, random),
    ]),
  );
}

export const legacySamples: readonly Sample[] = Object.entries({
  doc,
  'old.doc': oldDoc,
  xls: { Workbook: workbook, ...properties },
  'old.xls': oldXls,
  ppt,
  msg,
}).map(([format, tree]) => ({
  format,
  name: `sample.${format}`,
  bytes: writeCompoundFile(tree, { scattered: format === 'doc' }),
  marker: MARKER,
  deeper: (random) => writeCompoundFile(spoiled(tree, random)),
}));
