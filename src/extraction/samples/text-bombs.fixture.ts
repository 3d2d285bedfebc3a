import { type Bomb, bomb } from './bomb.fixture.ts';

const MILLION = 1_000_000;

const message =
  'From ann@example.com Mon Jan  5 10:00:00 2026\r\nFrom: ann@example.com\r\nSubject: x\r\n\r\nwords\r\n\r\n';
const nested = 'Content-Type: message/rfc822\r\n\r\nFrom: ann@example.com\r\nSubject: x\r\n';
const parts = (depth: number) =>
  Array.from(
    { length: depth },
    (_, i) => `Content-Type: multipart/mixed; boundary=b${i}\r\n\r\n--b${i}\r\n`,
  ).join('');

const texts: Readonly<Record<string, readonly [name: string, make: () => string, reason: string | null]>> = {
  'a million brackets': ['a.json', () => '['.repeat(MILLION), null],
  'a million objects in each other': ['a.json', () => '{"a":'.repeat(MILLION), null],
  'a million elements in each other': ['a.xml', () => `<?xml version="1.0"?>${'<a>'.repeat(MILLION)}`, null],
  'a million tags in each other': ['a.html', () => `<!doctype html>${'<div>'.repeat(MILLION)}`, null],
  'a million tags without an end': ['a.html', () => `<!doctype html>${'<div '.repeat(MILLION)}`, null],
  'a million comments without an end': ['a.html', () => `<!doctype html>${'<!--'.repeat(MILLION)}`, null],
  'a million ampersands': ['a.html', () => `<!doctype html>${'&#'.repeat(MILLION)}`, null],
  'a million quotes': ['a.csv', () => `a,b\n${'"'.repeat(MILLION)}`, null],
  'a hundred thousand mails': ['a.mbox', () => message.repeat(100_000), null],
  'mails in mails': [
    'a.eml',
    () => `From: ann@example.com\r\nSubject: x\r\n${nested.repeat(5000)}`,
    'limit: mail depth',
  ],
  'parts in parts': [
    'a.eml',
    () => `From: ann@example.com\r\nSubject: x\r\n${parts(5000)}`,
    'limit: mail depth',
  ],
  'a header without an end': [
    'a.eml',
    () => `From: ann@example.com\r\nSubject: ${'=?utf-8?Q?x?= '.repeat(MILLION / 10)}`,
    null,
  ],
  'a folded line without an end': [
    'a.ics',
    () => `BEGIN:VCALENDAR\r\nSUMMARY:x${'\r\n x'.repeat(MILLION)}`,
    null,
  ],
};

export const textBombs: readonly Bomb[] = Object.entries(texts).map(([what, [name, make, reason]]) =>
  bomb(what, name, () => Buffer.from(make()), reason),
);
