import { createHash } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { gunzipSync, zstdDecompressSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { DetectorId } from './generator/share.ts';
import { makeShare, SEED, writeShare } from './make-data.ts';

const committed = join(import.meta.dirname, 'data');
const files = makeShare(SEED);
const planted = files.flatMap((file) => file.planted);
const texts = files.filter((file) => file.text !== null).map((file) => ({ ...file, text: file.text ?? '' }));

describe('the committed share', () => {
  const parent = mkdtempSync(join(tmpdir(), 'seine-examples-'));
  const fresh = join(parent, 'data');
  beforeAll(() => writeShare(files, fresh));
  afterAll(() => rmSync(parent, { recursive: true }));

  it('has the files that the script makes, and no others', () => {
    expect(list(committed)).toEqual(list(fresh));
  });

  it('has their bytes', () => {
    const different = list(fresh).filter(
      (path) => !unpacked(join(committed, path)).equals(unpacked(join(fresh, path))),
    );
    expect(different).toEqual([]);
  });

  it('is described by the committed planted.json', () => {
    const description = readFileSync(join(parent, 'planted.json'), 'utf8');
    expect(readFileSync(join(committed, '../planted.json'), 'utf8')).toBe(description);
    expect(planted.filter(({ value }) => description.includes(value))).toEqual([]);
  });

  it('gets the same file dates whenever it is written', () => {
    for (const { path, modified } of files) expect(statSync(join(fresh, path)).mtime).toEqual(modified);
    expect(makeShare(SEED + 1).find(({ path }) => path === 'hr/employees.csv')?.modified).toEqual(
      files.find(({ path }) => path === 'hr/employees.csv')?.modified,
    );
  });

  it('is small, and other seeds give other values', () => {
    expect(files.length).toBeGreaterThanOrEqual(110);
    expect(files.length).toBeLessThanOrEqual(180);
    expect(files.reduce((sum, { bytes }) => sum + bytes.length, 0)).toBeLessThan(3_000_000);
    expect(makeShare(SEED + 1).flatMap((file) => file.planted)).not.toEqual(planted);
  });
});

describe('planted values', () => {
  it.each(Object.entries(VALID()))('%s passes its own check', (detector, valid) => {
    const values = planted.filter((value) => value.detector === detector).map(({ value }) => value);
    expect(values.length).toBeGreaterThan(0);
    expect(values.filter((value) => !valid(value))).toEqual([]);
  });

  it.each(Object.entries(COUNTED()))('%s occurs only where it was planted', (detector, pattern) => {
    const found = texts.map(({ path, text }) => [path, [...text.matchAll(pattern)].length]);
    const expected = texts.map(({ path, planted }) => [
      path,
      planted.filter((value) => value.detector === detector).length,
    ]);
    expect(withoutLookAlikes(found)).toEqual(withoutLookAlikes(expected));
  });

  it('are absent from look-alikes and marketing', () => {
    const clean = files.filter(
      ({ path }) => /^(look-alikes|marketing|images)\//.test(path) && path !== 'images/badge-photo.jpg',
    );
    expect(clean.length).toBeGreaterThan(20);
    expect(clean.flatMap((file) => file.planted)).toEqual([]);
  });
});

describe('documents of the share', () => {
  const documents = files.filter(({ path }) => DOCUMENT.test(path));

  it('are there in every format that is read', () => {
    const endings = new Set(documents.map(({ path }) => path.slice(path.lastIndexOf('.') + 1)));
    expect([...endings].sort()).toEqual(DOCUMENT.source.match(/[a-z0-9]{2,}/g)!.sort());
  });

  it('are small', () => {
    expect(documents.filter(({ bytes }) => bytes.length >= 60_000).map(({ path }) => path)).toEqual([]);
    expect(documents.reduce((sum, { bytes }) => sum + bytes.length, 0)).toBeLessThan(600_000);
  });

  it('contain their planted values, not as plain bytes if the format compresses them', () => {
    const packed = documents.filter(({ path }) => /\.(docx|xlsx|pptx|od[st]|epub|xz|7z|avro)$/.test(path));
    const plain = packed.filter(({ bytes, planted }) => planted.some(({ value }) => bytes.includes(value)));
    expect(plain.map(({ path }) => path)).toEqual([]);
    expect(packed.flatMap(({ planted }) => planted).length).toBeGreaterThan(400);
  });
});

describe('nothing refers to real people', () => {
  it('every mail address is in a reserved domain', () => {
    const reserved = /@([a-z0-9-]+\.)*(example\.(com|org|net)|[a-z0-9-]+\.example)$/;
    const mails = texts.flatMap(({ text }) => text.match(COUNTED().EMAIL) ?? []);
    expect(mails.filter((mail) => !reserved.test(mail))).toEqual([]);
  });

  it('every web address too, but for those that a format fixes', () => {
    const hosts = texts.flatMap(({ text }) =>
      [...text.matchAll(/https?:\/\/([a-z0-9.-]+)/g)].map((match) => match[1]!),
    );
    const fixed = ['hooks.slack.com', 'www.w3.org'];
    expect(hosts.filter((host) => !/(^|\.)example(\.com)?$/.test(host) && !fixed.includes(host))).toEqual([]);
  });

  it('every order number that resembles a card fails Luhn', () => {
    const numbers = texts
      .filter(({ path }) => path.startsWith('look-alikes/'))
      .flatMap(({ text }) => text.match(/\b[3-6]\d{12,18}\b/g) ?? []);
    expect(numbers.length).toBeGreaterThan(100);
    expect(numbers.filter((number) => luhn(number))).toEqual([]);
  });
});

describe('mail', () => {
  it('a quoted-printable body cut at 72 characters decodes to what was written', () => {
    const file = texts.find(({ path }) => path === 'mail/0005-guided-tour.eml')!;
    const raw = file.bytes.toString('latin1');
    const joined = raw
      .slice(raw.indexOf('\r\n\r\n') + 4)
      .replaceAll('=\r\n', '')
      .replaceAll('\r\n', '\n');
    const bytes = joined.replace(/=([0-9A-F]{2})/g, (_, hex: string) =>
      String.fromCharCode(Number.parseInt(hex, 16)),
    );
    expect(raw).toContain('=\r\n');
    expect(Buffer.from(bytes, 'latin1').toString().trimEnd()).toBe(file.text.split('\f')[1]);
  });
});

const DOCUMENT =
  /\.(?:pdf|docx|xlsx|pptx|odt|ods|ppt|doc|xls|msg|mbox|epub|rtf|ics|vcf|parquet|avro|sqlite|zip|xz|7z|jpg|png)$/;

/** Patterns that recognise these types, written independently of the generator. */
function COUNTED() {
  return {
    EMAIL: /[\w.+-]+@[a-z0-9-]+(\.[a-z0-9-]+)+/gi,
    SSN: /(?<![\d-])\d{3}-\d{2}-\d{4}(?![\d-])/g,
    CREDIT_CARD:
      /(?<![\w-])(?:[45]\d{3}([ -]?)\d{4}\1\d{4}\1\d{4}|6011\d{12}|37\d{2}([ -]?)\d{6}\2\d{5})(?![\w-])/g,
    IBAN: /\b(?:DE|GB|FR|NL)\d{2}(?: ?[A-Z0-9]{4}){3,5}(?: ?[A-Z0-9]{1,3})?\b/g,
    IP_ADDRESS: /(?<![\w./])\d{1,3}(?:\.\d{1,3}){3}(?![\w.]\d)|\b2001:db8:[0-9a-f:]+/g,
    AWS_ACCESS_KEY: /\bAKIA[A-Z2-7]{16}\b/g,
    GITHUB_TOKEN: /\bghp_[A-Za-z0-9]{36}\b/g,
    STRIPE_KEY: /\bsk_live_\w+/g,
    PRIVATE_KEY: /-----BEGIN [A-Z ]*PRIVATE KEY-----/g,
    JWT: /\beyJ[\w-]+\.eyJ[\w-]+\.[\w-]+/g,
  } satisfies Partial<Record<DetectorId, RegExp>>;
}

function VALID(): Record<DetectorId, (value: string) => boolean> {
  const matches = (pattern: RegExp) => (value: string) => pattern.test(value);
  const digits = (value: string) => value.replace(/\D/g, '');
  return {
    SSN: matches(/^8(?!00)\d\d-(?!00)\d\d-(?!0000)\d{4}$/),
    CREDIT_CARD: (value) => luhn(digits(value)),
    EMAIL: matches(/@.*example/),
    PHONE: matches(/555.01\d\d$|^(\+44 |0)(20 7946 0|161 496 0|7700 900)\d{3}$|^\+49 30 23125 \d{3}$/),
    IP_ADDRESS: matches(/^(10\.|192\.0\.2\.|198\.51\.100\.|203\.0\.113\.|2001:db8:)/),
    IBAN: (value) => mod97(value.replaceAll(' ', '')) === 1n,
    ABA_ROUTING: (value) => weighted(value, [3, 7, 1, 3, 7, 1, 3, 7, 1]) % 10 === 0,
    DATE_DOB: matches(/^(19[5-9]\d|200[01])-\d\d-\d\d$|^\d\d\/\d\d\/(19[5-9]\d|200[01])$/),
    PASSPORT: matches(/^Z\d{8}$/),
    DRIVER_LICENSE: matches(/^[A-Z]\d{7}$/),
    NAME: matches(/^[A-Z][a-z]+ [A-Z][A-Za-z-]+$/),
    ADDRESS: matches(/^\d+ [A-Z]/),
    MRN: matches(/^[1-9]\d{7}$/),
    NPI: (value) => /^2\d{9}$/.test(value) && luhn(`80840${value}`),
    DEA: (value) => weighted(value.slice(2, 8), [1, 2, 1, 2, 1, 2]) % 10 === Number(value[8]),
    MEDICARE_ID: matches(
      /^[1-9][AC-HJKMNP-RT-Y][0-9AC-HJKMNP-RT-Y]\d-?[AC-HJKMNP-RT-Y][0-9AC-HJKMNP-RT-Y]\d-?[AC-HJKMNP-RT-Y]{2}\d\d$/,
    ),
    VIN: vinIsValid,
    BITCOIN_ADDRESS: bitcoinIsValid,
    NHS_NUMBER: (value) =>
      value.startsWith('999') && weighted(digits(value), [10, 9, 8, 7, 6, 5, 4, 3, 2, 1]) % 11 === 0,
    NINO: matches(/^(?!BG|GB|NK|KN|TN|NT|ZZ)[A-CEGHJ-PR-TW-Z][A-CEGHJ-NPR-TW-Z] ?(\d\d ?){3}[A-D]$/),
    AWS_ACCESS_KEY: matches(/^AKIASEINEFAKE[A-Z2-7]{7}$/),
    AWS_SECRET_KEY: matches(/^seineFAKE[A-Za-z0-9/+]{31}$/),
    GITHUB_TOKEN: matches(/^ghp_SeineFake[A-Za-z0-9]{27}$/),
    GITLAB_TOKEN: matches(/^glpat-SeineFake[\w-]{11}$/),
    SLACK_TOKEN: matches(/^xoxb-\d{12}-\d{12}-SeineFake[A-Za-z0-9]{15}$/),
    SLACK_WEBHOOK: matches(/\/services\/T0SEINE\d\d\/B0FAKE\d{3}\/SeineFake[A-Za-z0-9]{15}$/),
    STRIPE_KEY: matches(/^sk_live_SeineFake[A-Za-z0-9]{15}$/),
    GOOGLE_API_KEY: matches(/^AIzaSyFAKE[\w-]{29}$/),
    PRIVATE_KEY: (value) =>
      Buffer.from(value.replace(/-----.*-----/g, ''), 'base64')
        .toString()
        .startsWith('This is no key'),
    JWT: (value) => Buffer.from(value.split('.')[0]!, 'base64url').toString().includes('"alg":"none"'),
    DATABASE_URL: matches(/^[a-z]+:\/\/\w+:[\w!-]+@[a-z0-9-]+:\d+\/\w+$/),
    PASSWORD: matches(/^[A-Z][a-z]+[-_!][A-Z][a-z]+\d\d$/),
    API_KEY: matches(/^bwfake[0-9a-f]{26}$/),
    DIAGNOSIS: matches(/^[A-Z]\d\d\.\d$/),
    GPS_COORDINATES: matches(/^\d\d\.\d{5}$/),
  };
}

function luhn(number: string): boolean {
  const sum = [...number].reverse().reduce((total, char, index) => {
    const doubled = Number(char) * 2;
    return total + (index % 2 === 0 ? Number(char) : Math.floor(doubled / 10) + (doubled % 10));
  }, 0);
  return sum % 10 === 0;
}

function weighted(number: string, weights: readonly number[]): number {
  return weights.reduce((sum, weight, index) => sum + weight * Number(number[index]), 0);
}

function mod97(iban: string): bigint {
  const turned = iban.slice(4) + iban.slice(0, 4);
  return BigInt([...turned].map((char) => Number.parseInt(char, 36)).join('')) % 97n;
}

function vinIsValid(vin: string): boolean {
  const worth = '0123456789.ABCDEFGH..JKLMN.P.R..STUVWXYZ';
  const values = [...vin].map((char) => String(worth.indexOf(char) % 10)).join('');
  const rest = weighted(values, [8, 7, 6, 5, 4, 3, 2, 10, 0, 9, 8, 7, 6, 5, 4, 3, 2]) % 11;
  return vin.length === 17 && vin[8] === (rest === 10 ? 'X' : String(rest));
}

function bitcoinIsValid(address: string): boolean {
  const alphabet = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz';
  const number = [...address].reduce((total, char) => total * 58n + BigInt(alphabet.indexOf(char)), 0n);
  const bytes = Buffer.from(number.toString(16).padStart(50, '0'), 'hex');
  const sha = (data: Buffer) => createHash('sha256').update(data).digest();
  return (
    bytes.length === 25 &&
    sha(sha(bytes.subarray(0, 21)))
      .subarray(0, 4)
      .equals(bytes.subarray(21))
  );
}

/** Compressors may differ between Node versions in how they say the same thing; what they say may not. */
function unpacked(path: string): Buffer {
  const bytes = readFileSync(path);
  if (path.endsWith('.gz')) return gunzipSync(bytes);
  return path.endsWith('.zst') ? zstdDecompressSync(bytes) : bytes;
}

function list(folder: string): string[] {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  const paths = entries
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)));
  return paths.sort();
}

function withoutLookAlikes<T>(counts: readonly (readonly [string, T] | (string | T)[])[]): object {
  return Object.fromEntries(counts.filter(([path]) => !String(path).startsWith('look-alikes/')));
}
