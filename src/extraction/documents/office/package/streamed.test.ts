import { describe, expect, it } from 'vitest';
import { viaStream } from '../../../extraction.fixture.ts';
import { zipped } from '../office.fixture.ts';
import { paragraph, wordFiles } from '../word.fixture.ts';

const picture = Uint8Array.from({ length: 999 }, (_, i) => i);
const whole = zipped({
  ...wordFiles(paragraph('card 4111111111111111'), { 'word/media/image1.png': picture }),
  'word/comments.xml': '<w:comments>call Ann</w:comments>',
});
const directory = whole.indexOf('PK\x01\x02', 0, 'latin1');

const read = async (bytes: Uint8Array) => {
  const { result, parts } = await viaStream('letter.docx', bytes);
  return { result, texts: Object.fromEntries(parts.map(({ name, text }) => [name, text])) };
};

describe('a document whose end is missing', () => {
  it.each([
    ['its list of parts', directory],
    ['half of that', directory + 200],
  ])('is read part by part, without %s', async (_, end) => {
    const { result, texts } = await read(whole.subarray(0, end));
    expect(result).toMatchObject({ state: 'partial', reason: 'corrupt: zip directory', format: 'word' });
    expect(texts['word/document.xml']).toContain('card 4111111111111111');
    expect(texts['word/comments.xml']).toContain('call Ann');
    expect(texts['word/media/image1.png']).toBeUndefined();
  });

  it('is read as far as possible', async () => {
    const { result, texts } = await read(whole.subarray(0, whole.indexOf('word/media')));
    expect(result).toMatchObject({ state: 'partial', reason: 'corrupt: zip directory' });
    expect(texts['word/document.xml']).toContain('card 4111111111111111');
  });

  it('is read in order if it is whole', async () => {
    const { result, texts } = await read(whole);
    expect(result).toMatchObject({ state: 'read' });
    expect(texts['']).toBeUndefined();
    expect(Object.values(texts)[0]).toBe('card 4111111111111111\n');
  });
});
