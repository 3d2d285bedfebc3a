import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { readResult, skippedResult } from '../push-parser.ts';
import { sniffType } from './sniff.ts';
import { findTypeMismatch } from './type-mismatch.ts';

const mismatch = (name: string, content: string | Buffer) =>
  findTypeMismatch(name, sniffType(name, Buffer.from(content as string, 'latin1'), true));

describe('a name that contradicts the content', () => {
  it.each([
    ['invoice.pdf', 'just text', 'named .pdf, is text'],
    ['holiday.jpg', '%PDF-1.7', 'named .jpg, is PDF document'],
    ['notes.TXT', '\x7fELF', 'named .txt, is ELF binary'],
    ['data.parquet', '\x89PNG\r\n\x1a\n', 'named .parquet, is PNG image'],
  ])('%s is noted', (name, content, said) => expect(mismatch(name, content)).toBe(said));

  it.each([
    ['report.pdf', '%PDF-1.7'],
    ['people.csv', 'a,b\n'],
    ['tool.xyz', '\x7fELF'],
    ['noending', '%PDF-1.7'],
    ['plan.wmf', '\xd7\xcd\xc6\x9a\0\0'],
    ['plan.emz', '\x1f\x8b\x08\0'],
  ])('%s is none', (name, content) => expect(mismatch(name, content)).toBeNull());

  it('is none where a store keeps text compressed', () =>
    expect(findTypeMismatch('access.log', sniffType('access.log', gzipSync('a line'), true))).toBeNull());

  it('is none where a password put a new Office document into the container of the old ones', () => {
    const type = sniffType('pay.xlsx', Buffer.from('\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1', 'latin1'), true);
    expect(findTypeMismatch('pay.xlsx', type, skippedResult('encrypted'))).toBeNull();
    expect(findTypeMismatch('pay.xlsx', type, readResult('legacy'))).toBe(
      'named .xlsx, is legacy Office document',
    );
    expect(findTypeMismatch('pay.pdf', type, skippedResult('encrypted'))).toBe(
      'named .pdf, is legacy Office document',
    );
  });
});
