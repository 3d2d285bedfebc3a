import { gzipSync } from 'node:zlib';
import { zipOf } from '../../archives/zip/zip.fixture.ts';
import { attached, HEAD, multipart } from '../../formats/mail/mail.fixture.ts';
import { hostileFiles } from './hostile-file.fixture.ts';

const MILLION = 1_000_000;
const numbers = (count: number) => Array.from({ length: count }, (_, i) => i + 1);
const html = (inside: string) => `<!doctype html><html><body>${inside}`;
const mail = (...more: readonly string[]) => [...HEAD, ...more].join('\r\n');

export const textFiles = hostileFiles({
  'json: a string of 4 MB': ['a.json', () => `{"a":"${'x'.repeat(4 * MILLION)}"}`],
  'json: four million backslashes': ['a.json', () => `{"a":"${'\\'.repeat(4 * MILLION)}`],
  'json: one line of 4 MB with 200,000 keys': [
    'a.json',
    () =>
      `{${numbers(190_000)
        .map((n) => `"key${n}":"a@b.example"`)
        .join(',')}}`,
  ],
  'json: findings deep inside': [
    'a.json',
    () => `${'{"a":['.repeat(300_000)}"4111 1111 1111 1111"${'"4111 1111 1111 1111",'.repeat(80_000)}`,
  ],
  'ndjson: lines of brackets': ['a.ndjson', () => `${'['.repeat(2000)}\n`.repeat(2000)],
  'csv: a line of 4 MB': ['a.csv', () => `a,b\n${'x'.repeat(4 * MILLION)}`],
  'csv: a million columns': [
    'a.csv',
    () =>
      `${numbers(300_000)
        .map((n) => `c${n}`)
        .join(',')}\n${'1,'.repeat(MILLION)}`,
  ],
  'csv: findings in 300,000 columns': [
    'a.csv',
    () =>
      `${numbers(100_000)
        .map((n) => `mail${n}`)
        .join(',')}\n${'a@b.example,'.repeat(250_000)}`,
  ],
  'csv: quotes without an end': ['a.csv', () => `a,b\n${'"a@b.example\n'.repeat(300_000)}`],
  'html: cells that span two billion columns': [
    'a.html',
    () =>
      html(
        `<table>${'<tr><td colspan="2000000000" rowspan="2000000000">4111 1111 1111 1111</td></tr>'.repeat(40_000)}`,
      ),
  ],
  'html: tables in each other': ['a.html', () => html('<table><tr><td>a@b.example'.repeat(150_000))],
  'html: a row of a million cells': [
    'a.html',
    () => html(`<table><tr>${'<th>mail'.repeat(200_000)}<tr>${'<td>a@b.example'.repeat(150_000)}`),
  ],
  'html: attributes without an end': ['a.html', () => html(`<a ${'b="'.repeat(MILLION)}`)],
  'html: entities without an end': ['a.html', () => html('&#x0000000000'.repeat(300_000))],
  'html: names of characters': ['a.html', () => html('&CounterClockwiseContourIntegra'.repeat(130_000))],
  'html: tags between letters': ['a.html', () => html('4<b></b>1<i></i>'.repeat(250_000))],
  'html: scripts without an end': ['a.html', () => html('<script><style><!--'.repeat(200_000))],
  'xml: entities of entities': [
    'a.xml',
    () =>
      `<?xml version="1.0"?><!DOCTYPE x [${numbers(40)
        .map((n) => `<!ENTITY e${n} "${`&e${n - 1};`.repeat(10)}">`)
        .join('')}]><x>${'&e40;'.repeat(500_000)}</x>`,
  ],
  'xml: a name of 4 MB': ['a.xml', () => `<?xml version="1.0"?><${'x'.repeat(4 * MILLION)}>`],
  'xml: findings in a million elements': [
    'a.xml',
    () => `<?xml version="1.0"?>${'<a>a@b.example'.repeat(280_000)}`,
  ],
  'mail: 200,000 parts of nothing': [
    'a.eml',
    () => mail('Content-Type: multipart/mixed; boundary=b', '', '--b\r\n\r\n'.repeat(400_000)),
  ],
  'mail: borders that nearly match': [
    'a.eml',
    () => mail('Content-Type: multipart/mixed; boundary="bb"', '', '--bb', '', '--b\r\n'.repeat(800_000)),
  ],
  'mail: a border of 4 MB': [
    'a.eml',
    () =>
      mail(
        `Content-Type: multipart/mixed; boundary="${'b'.repeat(2 * MILLION)}"`,
        '',
        `--${'b'.repeat(2 * MILLION)}`,
      ),
  ],
  'mail: parameters of a header': [
    'a.eml',
    () =>
      mail(
        `Content-Type: text/plain; ${numbers(200_000)
          .map((n) => `a*${n}=x`)
          .join('; ')}`,
        '',
        'x',
      ),
  ],
  'mail: encoded words': [
    'a.eml',
    () => mail(`X: ${'=?utf-8?B?YUBiLmV4YW1wbGU=?= '.repeat(130_000)}`, '', 'x'),
  ],
  'mail: a folded header': ['a.eml', () => mail(`X: a${'\r\n a'.repeat(MILLION)}`, '', 'x')],
  'mail: archives of 200 MB, 200 times': [
    'a.eml',
    () => {
      const zip = zipOf([{ name: 'a.txt', data: gzipSync(Buffer.alloc(20 * MILLION, 'a')), method: 8 }]);
      return multipart(...numbers(200).map((n) => attached(`${n}.zip`, zip))).toString('latin1');
    },
  ],
  'mail: 900 documents': [
    'a.eml',
    () =>
      multipart(...numbers(900).map((n) => attached(`${n}.pdf`, '%PDF-1.7\n1 0 obj <<'))).toString('latin1'),
  ],
  'mail: equals signs': [
    'a.eml',
    () => mail('Content-Transfer-Encoding: quoted-printable', '', '='.repeat(4 * MILLION)),
  ],
  'mbox: 200,000 letters': ['a.mbox', () => 'From a@b.example Mon Jan  5 10:00:00 2026\n\n'.repeat(90_000)],
  'mbox: lines that nearly begin a letter': [
    'a.mbox',
    () => `From a@b.example Mon Jan  5 10:00:00 2026\n\n${'\nFrom '.repeat(600_000)}`,
  ],
  'vcf: cards in each other': ['a.vcf', () => 'BEGIN:VCARD\r\nFN:a@b.example\r\n'.repeat(130_000)],
  'ics: encoded lines': [
    'a.ics',
    () => `BEGIN:VCALENDAR\r\nSUMMARY;ENCODING=QUOTED-PRINTABLE:${'=41=\r\n'.repeat(600_000)}`,
  ],
  'text: digits': ['a.txt', () => '4'.repeat(4 * MILLION)],
  'text: card numbers': ['a.txt', () => '4111 1111 1111 1111 '.repeat(200_000)],
  'text: addresses of mail': ['a.txt', () => 'a@b.example '.repeat(350_000)],
  'text: an address of mail without an end': [
    'a.txt',
    () => `${'a.'.repeat(MILLION)}@${'b.'.repeat(MILLION)}`,
  ],
  'text: at signs': ['a.txt', () => '@'.repeat(4 * MILLION)],
  'text: keys that begin': ['a.txt', () => '-----BEGIN RSA PRIVATE KEY-----\n'.repeat(120_000)],
  'text: tokens that begin': ['a.txt', () => 'eyJhbGciOiJ.'.repeat(300_000)],
  'text: passwords': ['a.txt', () => 'password=secret='.repeat(250_000)],
  'text: a letter': ['a.txt', () => 'a'.repeat(4 * MILLION)],
  'text: numbers of accounts': ['a.txt', () => 'DE89 3704 0044 0532 0130 00 '.repeat(140_000)],
  'text: minified code': ['a.js', () => `var a=function(){${'a.b=c("x",{d:1,e:[2,3]});'.repeat(160_000)}}`],
  'text: wide characters': ['a.txt', () => Buffer.from(`\ufeff${'a@b.example '.repeat(170_000)}`, 'utf16le')],
  'yaml: names of names': [
    'a.yaml',
    () =>
      `${numbers(40)
        .map((n) => `a${n}: &a${n} [${`*a${n - 1},`.repeat(10)}]`)
        .join('\n')}\n${'  '.repeat(500_000)}x: a@b.example`,
  ],
});
