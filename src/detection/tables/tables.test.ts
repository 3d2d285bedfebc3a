/** Tables through a scanner with all detectors. */
import { describe, expect, it } from 'vitest';
import { catalogue } from '../catalogue.ts';
import { scanText } from '../scan.fixture.ts';
import { createScanner, LEAD_IN, LEAD_OUT } from '../scanner.ts';
import type { TextContext } from '../spans.ts';

const scanner = createScanner(catalogue);

function contextOf(bytes: Buffer, named: boolean): TextContext {
  const names = named ? bytes.toString().split('\n')[0]!.split(',') : null;
  const table = { delimiter: 0x2c, quoted: true, names, head: bytes.subarray(0, 64 * 1024) };
  return names === null
    ? { fieldAt: () => null, fieldScope: 'near', table }
    : { fieldAt: () => null, fieldScope: 'columns', columns: names, table };
}

function inTable(text: string, named = true, sizes: number[] = []) {
  const bytes = Buffer.from(text);
  return scanText(scanner, bytes, { context: contextOf(bytes, named), sizes })
    .filter(({ reported }) => reported)
    .map(({ detector, start, end }) => `${catalogue[detector]!.id} ${bytes.toString('utf8', start, end)}`);
}

const lines = (...rows: string[]) => `${rows.join('\n')}\n`;
const many = (head: string, count: number, row: (n: number) => string) =>
  lines(...(head === '' ? [] : [head]), ...Array.from({ length: count }, (_, n) => row(n)));

describe('a labelled column', () => {
  it('of names needs no known name, in any case', () => {
    const table = lines('FIRST_NAME,lname,n', 'MARTHA,quisenberry,1', 'XYLANTHRA,ekenäs,2', 'null,n/a,3');
    expect(inTable(table)).toEqual(['NAME MARTHA', 'NAME quisenberry', 'NAME XYLANTHRA', 'NAME ekenäs']);
  });

  it('of names may have the last name first', () => {
    expect(inTable(lines('id,full name', '1,"Fisher, Leola"', '2,Maria Santos'))).toEqual([
      'NAME Fisher, Leola',
      'NAME Maria Santos',
    ]);
  });

  it('that other things have as well is judged by its values', () => {
    expect(inTable(lines('id,name', '1,Maria', '2,Peter', '3,Xylanthra'))).toHaveLength(3);
    expect(inTable(lines('id,name', '1,Steel Table', '2,Garden Chair', '3,Printer Ink'))).toEqual([]);
  });

  it('of addresses is found after a comma, as a whole, in any case', () => {
    const table = lines(
      'x,street,address',
      'x,462 Rose Lane,"breslauer str. 12, 82175 ostheim"',
      'y,ULICA DŁUGA 4,',
    );
    expect(inTable(table)).toEqual([
      'ADDRESS 462 Rose Lane',
      'ADDRESS breslauer str. 12, 82175 ostheim',
      'ADDRESS ULICA DŁUGA 4',
    ]);
  });

  it('may have numbers that were saved as fractions', () => {
    const table = lines('phone,zip,cc_num', '4157654321.0,94110.0,4539578763621486.0');
    expect(inTable(table)).toEqual(['PHONE 4157654321', 'POSTAL_CODE 94110', 'CREDIT_CARD 4539578763621486']);
  });

  it('of cities or products has no names', () => {
    expect(inTable(lines('city,product', 'Santa Barbara,Maria Santos', 'San Anselmo,Peter Miller'))).toEqual(
      [],
    );
    expect(inTable(lines('city', 'ask Mrs. Jennifer Thompson about the delivery of last week'))).toEqual([
      'NAME Jennifer Thompson',
    ]);
  });

  it('of user names, passwords and salaries is found whatever the values are', () => {
    const table = lines('usuario,contraseña,sueldo', 'mfisher7,kLo9!x,"24.500,00"', 'jsantos,Qw3$ty,31000');
    expect(inTable(table)).toEqual([
      ...['USERNAME mfisher7', 'PASSWORD kLo9!x', 'SALARY 24.500,00'],
      ...['USERNAME jsantos', 'PASSWORD Qw3$ty', 'SALARY 31000'],
    ]);
    expect(inTable(lines('password', 'true', 'false', '2024-01-01'))).toEqual([]);
  });

  it('has its name in the second row of headers, too', () => {
    const table = lines('c1,c2,c3,c4', 'Vorname,Nachname,PLZ,Ort', 'Wunibald,Hinterseer,80331,München');
    expect(inTable(table)).toEqual(['NAME Wunibald', 'NAME Hinterseer', 'POSTAL_CODE 80331']);
  });

  it('keeps its name behind a long cell of several lines', () => {
    const long = 'packaging damaged\n'.repeat(800);
    const table = lines(
      'nachname,notes,plz,imei',
      `Hinterseer,"${long}",80331,490154203237518`,
      'Kuddelmann,,80333,',
    );
    expect(inTable(table)).toEqual([
      ...['NAME Hinterseer', 'POSTAL_CODE 80331', 'IMEI 490154203237518'],
      ...['NAME Kuddelmann', 'POSTAL_CODE 80333'],
    ]);
  });
});

describe('a column without a label', () => {
  const FIRST = [
    'Maria',
    'Peter',
    'Xylanthra',
    'Martha',
    'Jennifer',
    'Torvexil',
    'Robert',
    'Ingrid',
    'Klaus',
    'Anna',
    'Emma',
    'Paul',
  ];

  it('of names needs known ones, and the others follow', () => {
    expect(
      inTable(
        many('', 12, (n) => `${n},${FIRST[n]}`),
        false,
      ),
    ).toEqual(FIRST.map((name) => `NAME ${name}`));
    expect(
      inTable(
        many('', 12, (n) => `${n},Zzorb${'abcdefghijkl'[n]}`),
        false,
      ),
    ).toEqual([]);
  });

  it('of national identifiers is found by its check digits', () => {
    const bsn = (n: number) => {
      for (let id = 210_000_000 + n * 7919; ; id++) {
        const digits = [...String(id)].map(Number);
        const sum = digits.reduce((all, digit, at) => all + digit * (at === 8 ? -1 : 9 - at), 0);
        if (sum % 11 === 0) return String(id);
      }
    };
    const found = inTable(
      many('', 20, (n) => `row ${n},${bsn(n)}`),
      false,
    );
    expect(found).toHaveLength(20);
    expect(
      inTable(
        many('', 20, (n) => `row ${n},${Number(bsn(n)) + 1}`),
        false,
      ),
    ).toEqual([]);
  });

  it('of dates holds birth dates only among people and over generations', () => {
    const born = (n: number) => `${1942 + 5 * n}-03-1${n % 9}`;
    const found = inTable(
      many('', 12, (n) => `${FIRST[n]},${born(n)}`),
      false,
    );
    expect(found.filter((one) => one.startsWith('DATE_DOB'))).toHaveLength(12);
    expect(
      inTable(
        many('', 12, (n) => `row ${n},${born(n)}`),
        false,
      ),
    ).toEqual([]);
    const recent = inTable(
      many('', 12, (n) => `${FIRST[n]},2024-03-1${n % 9}`),
      false,
    );
    expect(recent.filter((one) => one.startsWith('DATE_DOB'))).toEqual([]);
  });
});

describe('a long table', () => {
  const table = many(
    'vorname,notiz,plz',
    9000,
    (n) => `Wuni${'abcdefghij'[n % 10]},"a ""b"", c\n${n}",${80_000 + (n % 999)}`,
  );

  it('gives the same for any chunks', () => {
    const whole = inTable(table);
    expect(whole).toHaveLength(18_000);
    for (const size of [1000, 40_961, 131_072]) expect(inTable(table, true, [size])).toEqual(whole);
  });

  it('gives the same from the middle', () => {
    const bytes = Buffer.from(table);
    const context = contextOf(bytes, true);
    const whole = scanText(scanner, bytes, { context });
    for (const from of [100_003, 150_000]) {
      const [offset, to] = [from - LEAD_IN, from + 50_000];
      const part = scanText(scanner, bytes.subarray(offset, to + LEAD_OUT), { context, offset });
      const own = (all: typeof whole) =>
        all
          .filter(({ start }) => start >= from && start < to)
          .map(({ start, end, detector, field }) => ({ start, end, detector, field }));
      expect(own(part)).toEqual(own(whole));
    }
  });
});
