/**
 * Unique values, planted as values and as names: of files, folders, members of archives, attachments, sheets, tables,
 * columns, keys, tags and targets of links. Each location has its own value, so that a leaked value shows where it came from.
 */
import { chmodSync, mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { parquetWriteBuffer } from 'hyparquet-writer';
import { tarOf } from '../../src/extraction/archives/tar/tar.fixture.ts';
import { zipOf } from '../../src/extraction/archives/zip/zip.fixture.ts';
import { block, header, record, text } from '../../src/extraction/documents/data/avro/avro.fixture.ts';
import { sqliteFile } from '../../src/extraction/documents/data/sqlite/sqlite.fixture.ts';
import {
  excel,
  rowXml,
  sheetXml,
  workbookOf,
} from '../../src/extraction/documents/office/excel/excel.fixture.ts';
import { pdfOf } from '../../src/extraction/documents/pdf/pdf.fixture.ts';
import { put } from './tree.ts';

export interface Canary {
  readonly place: string;
  readonly value: string;
}

const LETTERS = 'QZXWVKJHGFDSPLMNRTBC';

/** The digits of a number as letters, so that no two keys are alike. */
function lettersOf(n: number, length: number): string {
  return Array.from({ length }, (_, i) => LETTERS[(n * 7 + i * (n + 3) + (n >> i)) % LETTERS.length]).join(
    '',
  );
}

/** Invented, and of kinds that need no label. */
const KINDS: readonly ((n: number) => string)[] = [
  (n) => `219-${10 + (n % 89)}-${7301 + n}`,
  (n) => `canary.q${n}.zebedee@nowhere-${n}.example.org`,
  (n) => `AKIA${lettersOf(n, 12)}${2222 + n * 3}`.replace(/[01890]/g, '7').slice(0, 20),
  (n) => cardOf(n),
];

export class Canaries {
  readonly planted: Canary[] = [];
  /** Those that a detector finds: others are not masked in names. */
  readonly detectable: string[] = [];

  /** The next value; its kind alternates, unless it is said. */
  at(place: string, kind = this.planted.length % KINDS.length): string {
    const value = KINDS[kind]!(this.planted.length);
    this.planted.push({ place, value });
    this.detectable.push(value);
    return value;
  }

  /** One that is made elsewhere. */
  keep(place: string, value: string): string {
    this.planted.push({ place, value });
    return value;
  }
}

/** So that the object has a finding whatever its name is. */
const found = 'mail: somebody.ordinary@example.com\n';

export function plantCanaries(folder: string, canaries: Canaries): void {
  plantFiles(folder, canaries);
  plantTexts(folder, canaries);
  plantArchives(folder, canaries);
  plantDocuments(folder, canaries);
  plantAtCuts(folder, canaries);
}

function plantFiles(folder: string, canaries: Canaries): void {
  for (let n = 0; n < 12; n++) put(folder, `files/${canaries.at('file name')}.txt`, found);
  for (let n = 0; n < 4; n++) put(folder, `clean/${canaries.at('name of a clean file')}.txt`, 'nothing\n');
  for (let n = 0; n < 8; n++) put(folder, `folders/${canaries.at('folder name')}/inner/a.txt`, found);
  put(folder, `two/${canaries.at('folder of two')}/${canaries.at('file in it')}_final_v2.txt`, found);
  put(folder, `long/${canaries.at('beside words')} scan of the card.txt`, found);
  put(folder, `faint/${canaries.at('name of a file below the threshold', 0)}.txt`, 'call 555-0100\n');
  mkdirSync(join(folder, 'links'), { recursive: true });
  symlinkSync(`/nowhere/${canaries.at('target of a link')}`, join(folder, 'links/dangling'));
  symlinkSync('missing', join(folder, `links/${canaries.at('name of a link')}`));
  chmodSync(put(folder, `shut/${canaries.at('file that may not be read')}.txt`, found), 0);
  const shut = join(folder, `shut/${canaries.at('folder that may not be listed')}`);
  mkdirSync(shut);
  chmodSync(shut, 0);
}

function plantTexts(folder: string, canaries: Canaries): void {
  const [key, inner, cell, tag] = ['a key', 'an inner key', 'a value', 'a tag'].map((place) =>
    canaries.at(`JSON: ${place}`),
  );
  const record = { [key!]: 'first.person@example.com', outer: { [inner!]: '219-09-9999' }, plain: cell, tag };
  put(folder, 'texts/record.json', JSON.stringify(record));
  put(
    folder,
    'texts/lines.jsonl',
    `${JSON.stringify({ [canaries.at('JSON lines key')]: 'ab@example.com' })}\n`,
  );
  const head = `${canaries.at('CSV header')},mail,${canaries.at('second CSV header')}`;
  put(folder, 'texts/table.csv', `${head}\n219-09-9998,a.b@example.com,c.d@example.com\n`);
  const name = canaries.at('XML tag', 2);
  const attribute = canaries.at('XML attribute', 2);
  put(
    folder,
    'texts/data.xml',
    `<r><${name}>e.f@example.com</${name}><x ${attribute}="g.h@example.com"/></r>`,
  );
  put(
    folder,
    'texts/settings.ini',
    `[${canaries.at('INI section')}]\n${canaries.at('INI key', 2)}=k.l@example.com\n`,
  );
  put(folder, 'texts/settings.yaml', `? ${canaries.at('YAML key')}\n: mail: i.j@example.com\n`);
  put(folder, 'texts/utf16.txt', Buffer.from(`\ufeffSSN ${canaries.at('value in UTF-16', 0)}\n`, 'utf16le'));
  put(folder, 'texts/page.html', `<title>${canaries.at('HTML title')}</title><p id="x">m.n@example.com</p>`);
  const from = `From: ${canaries.at('sender', 1)}\nTo: ${canaries.at('recipient', 1)}\n`;
  const subject = `Subject: card ${canaries.at('e-mail subject')}\nMIME-Version: 1.0\n`;
  const attachment = `Content-Type: text/plain; name="${canaries.at('attachment name')}.txt"`;
  const disposition = `Content-Disposition: attachment; filename="${canaries.at('attachment file name')}.txt"`;
  const body = `--b\n${attachment}\n${disposition}\n\n${found}--b--\n`;
  put(folder, 'texts/letter.eml', `${from}${subject}Content-Type: multipart/mixed; boundary=b\n\n${body}`);
}

function plantArchives(folder: string, canaries: Canaries): void {
  const nested = zipOf([{ name: `in/${canaries.at('nested member')}.txt`, data: found }]);
  const members = [
    { name: `${canaries.at('zip member')}.txt`, data: found },
    {
      name: `${canaries.at('zip folder')}/a.csv`,
      data: `${canaries.at('header in a member')}\no.p@example.com\n`,
    },
    { name: `${canaries.at('name of a nested archive')}.zip`, data: nested },
    {
      name: `${canaries.at('name of an unreadable member')}.bin`,
      method: 97,
      compressed: Buffer.from('xxxx'),
    },
  ];
  put(folder, 'archives/a.zip', zipOf(members, { comment: canaries.at('zip comment') }));
  put(folder, `archives/${canaries.at('name of an archive')}.zip`, zipOf(members.slice(0, 1)));
  const whole = zipOf([
    { name: `${canaries.at('member of a damaged archive')}.txt`, data: found.repeat(50) },
  ]);
  put(
    folder,
    `archives/${canaries.at('name of a damaged archive')}.zip`,
    whole.subarray(0, whole.length - 60),
  );
  const tar = tarOf([{ name: `${canaries.at('tar member')}.txt`, data: found }]);
  put(folder, 'archives/b.tar.gz', gzipSync(tar));
  put(
    folder,
    `archives/${canaries.at('name of a broken gzip')}.gz`,
    gzipSync(Buffer.from(found)).subarray(0, 20),
  );
}

function plantDocuments(folder: string, canaries: Canaries): void {
  const [table, column] = [canaries.at('SQLite table'), canaries.at('SQLite column')];
  const database = sqliteFile((db) => {
    db.exec(`CREATE TABLE "${table}" ("${column}" TEXT, mail TEXT)`);
    db.prepare(`INSERT INTO "${table}" VALUES (?, ?)`).run('219-09-9997', canaries.at('SQLite value'));
  });
  put(folder, 'documents/base.db', database);
  const strings: string[] = [];
  const rows = [
    [canaries.at('head of a sheet'), 'mail'],
    ['219-09-9996', 'q.r@example.com'],
  ];
  const xml = rows.map((cells, i) => rowXml(i + 1, cells, strings)).join('');
  put(folder, 'documents/book.xlsx', excel({ [canaries.at('sheet name')]: sheetXml(xml) }, strings));
  put(
    folder,
    `documents/${canaries.at('name of a workbook')}.xlsx`,
    workbookOf([['mail'], ['s.t@example.com']]),
  );
  put(folder, 'documents/page.pdf', pdfOf([`SSN ${canaries.at('text of a PDF', 0)}`]));
  put(folder, `documents/${canaries.at('name of a damaged PDF')}.pdf`, '%PDF-1.7 and nothing else');
}

/** Where names were once cut, or are: the values of such names must not be stored in part. */
const CUTS = [64, 100, 128, 256, 1024, 4096];

/** Names of this length, with a card that crosses the cut. */
function plantAtCuts(folder: string, canaries: Canaries): void {
  const longNames = (place: string, cuts = CUTS) =>
    cuts.map((cut) => {
      const value = canaries.at(`${place} at ${cut}`, 3);
      canaries.keep(`part of ${place} at ${cut}`, value.slice(0, 14));
      return `${'w'.repeat(cut - 16)} ${value}`;
    });
  const sheets = longNames('long sheet name').map((name) => [
    name,
    sheetXml(rowXml(1, ['u.v@example.com'], [])),
  ]);
  put(folder, 'cuts/book.xlsx', excel(Object.fromEntries(sheets), ['u.v@example.com']));
  const tables = longNames('long SQLite table');
  const columns = longNames('long SQLite column');
  const database = sqliteFile((db) => {
    for (const [i, table] of tables.entries()) {
      db.exec(`CREATE TABLE "${table}" ("${columns[i]}" TEXT)`);
      db.prepare(`INSERT INTO "${table}" VALUES (?)`).run('w.x@example.com');
    }
  });
  put(folder, 'cuts/base.db', database);
  const parquet = longNames('long Parquet column').map((name) => ({ name, data: ['y.z@example.com'] }));
  put(folder, 'cuts/table.parquet', Buffer.from(parquetWriteBuffer({ columnData: parquet })));
  const fields = Object.fromEntries(longNames('long Avro field').map((name) => [name, 'string']));
  const row = Buffer.concat(CUTS.map(() => text('a.z@example.com')));
  put(folder, 'cuts/rows.avro', Buffer.concat([header(record(fields)), block([row])]));
  const keys = longNames('long JSON key').map((name) => [name, 'b.z@example.com']);
  put(folder, 'cuts/record.json', JSON.stringify(Object.fromEntries(keys)));
  for (const [i, name] of longNames('long CSV head').entries())
    put(folder, `cuts/table${i}.csv`, `id,${name}\n1,c.z@example.com\n2,d.z@example.com\n`);
  const members = longNames('long member').map((name) => ({ name: `${name}.txt`, data: found }));
  put(folder, 'cuts/a.zip', zipOf(members));
  const parts = longNames('long attachment name').map((name) => {
    const disposition = `Content-Disposition: attachment; filename="${name}.txt"`;
    return `--b\nContent-Type: text/plain\n${disposition}\n\n${found}`;
  });
  const head = 'From: a@example.com\nMIME-Version: 1.0\nContent-Type: multipart/mixed; boundary=b\n\n';
  put(folder, 'cuts/letter.eml', `${head}${parts.join('')}--b--\n`);
}

/** Fifteen digits and the one that makes them a card. */
function cardOf(n: number): string {
  const digits = `453957${String(876_300_000 + n * 7919).slice(0, 9)}`;
  const sum = [...digits].reverse().reduce((all, digit, i) => {
    const twice = Number(digit) * (i % 2 === 0 ? 2 : 1);
    return all + (twice > 9 ? twice - 9 : twice);
  }, 0);
  return `${digits}${(10 - (sum % 10)) % 10}`;
}

/** How a value may be written: as it is, in base64 at any place, in an address, in hexadecimal digits. */
export function formsOf(value: string): string[] {
  const bytes = Buffer.from(value);
  const shifted = [0, 1, 2].map((before) => {
    const text = Buffer.concat([Buffer.alloc(before), bytes])
      .toString('base64')
      .replace(/=+$/, '');
    return text.slice(before === 0 ? 0 : 4, -2);
  });
  const url = shifted.map((text) => text.replaceAll('+', '-').replaceAll('/', '_'));
  const hex = bytes.toString('hex');
  return [...new Set([value, encodeURIComponent(value), hex, hex.toUpperCase(), ...shifted, ...url])];
}
