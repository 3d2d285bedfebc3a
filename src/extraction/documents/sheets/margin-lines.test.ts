import { describe, expect, it } from 'vitest';
import { marginLines } from './margin-lines.ts';

describe('heads and feet of pages', () => {
  it.each([
    ['&Lann@example.org&CSecret&R030 1234', ['ann@example.org', 'Secret', '030 1234']],
    ['no section', ['no section']],
    ['two\r\nlines&C\n\n&Rnext', ['two', 'lines', 'next']],
    ['&C&"Arial,Bold"&12Text&"-,Regular"&8 2004', ['Text 2004']],
    ['&L&B&IAnn&B S&Umith', ['Ann Smith']],
    ['&K00FF00ann@example.org &K01+023Bob&K01-023by', ['ann@example.org Bobby']],
    ['&CPage &P of &N&R&D &T', ['Page   of']],
    ['&L&Z&F&C&A&R&G', []],
    ['4111&P1111', ['4111 1111']],
    ['Smith && Sons &&Long', ['Smith & Sons &Long']],
    ['&&&Cmiddle', ['&', 'middle']],
  ])('have no codes: %s', (text, lines) => {
    expect(marginLines(text)).toEqual(lines);
  });

  it('keep what is no code', () => {
    const texts = ['R & D', 'at&t', '&"Arial', '&Kann', '&', '&#1'];
    for (const text of texts) expect(marginLines(text)).toEqual([text]);
  });

  it('may be long and full of codes', () => {
    expect(marginLines('&"'.repeat(500_000))).toEqual([]);
    expect(marginLines(`${'&K&"'.repeat(250_000)}"`)).toHaveLength(1);
    expect(marginLines('&L'.repeat(500_000))).toEqual([]);
  });
});
