import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { viaStream } from '../../../extraction.fixture.ts';
import {
  emfOf,
  emfRecord,
  emfText,
  placeable,
  wmfOf,
  wmfText,
} from '../../pictures/metafile/metafile.fixture.ts';
import { drawText, pngOf } from '../../pictures/picture.fixture.ts';
import { openDocument } from '../open-document/open-document.fixture.ts';
import { paragraph, word } from '../word.fixture.ts';

async function take(name: string, bytes: Uint8Array) {
  const { result, parts } = await viaStream(name, bytes);
  const pictures = parts.filter((part) => part.name?.endsWith('#picture'));
  return {
    result,
    texts: Object.fromEntries(pictures.map((part) => [part.name, part.text.trim()])),
  };
}

const emf = emfOf(emfText('card 4111'));
const wmf = placeable(wmfOf(wmfText('call 030 1234')));
const bitmap = emfRecord(81, Buffer.alloc(2000));

describe('pictures in an office document that draw text', () => {
  it('are read, compressed ones too', async () => {
    const media = {
      'word/media/image1.emf': emf,
      'word/media/image2.WMF': wmf,
      'word/media/image3.emz': gzipSync(emf),
      'word/media/image4.wmz': gzipSync(wmf),
      'docProps/thumbnail.emf': emf,
    };
    expect(await take('a.docx', word(paragraph('Body'), media))).toEqual({
      result: { state: 'read', format: 'word' },
      texts: {
        'word/media/image1.emf#picture': 'card 4111',
        'word/media/image2.WMF#picture': 'call 030 1234',
        'word/media/image3.emz#picture': 'card 4111',
        'word/media/image4.wmz#picture': 'call 030 1234',
      },
    });
    expect(
      await take('a.odt', openDocument('text', '<text:p>x</text:p>', { 'Pictures/1.wmf': wmf })),
    ).toEqual({
      result: { state: 'read', format: 'open-document' },
      texts: { 'Pictures/1.wmf#picture': 'call 030 1234' },
    });
  });

  it.each([
    ['a bitmap', emfOf(bitmap)],
    ['nothing to read', wmfOf()],
    ['another kind of picture', pngOf(drawText(['CARD'], 2))],
    ['nothing at all', Buffer.alloc(0)],
  ])('are left alone if they are %s', async (_, picture) => {
    const media = { 'word/media/image1.emf': picture, 'word/media/image2.emz': gzipSync(picture) };
    expect(await take('a.docx', word(paragraph('Body'), media))).toEqual({
      result: { state: 'read', format: 'word' },
      texts: {},
    });
  });

  it('are reported if they are damaged, and the document is read on', async () => {
    const media = { 'word/media/image1.emf': emf.subarray(0, -30), 'word/media/image2.wmf': wmf };
    expect(await take('a.docx', word(paragraph('Body'), media))).toMatchObject({
      result: { state: 'partial', reason: 'corrupt: truncated EMF image' },
      texts: { 'word/media/image2.wmf#picture': 'call 030 1234' },
    });
  });
});

describe('a picture that draws text and is a file of its own', () => {
  it.each([
    ['plan.emf', emf, '#picture'],
    ['plan.emz', gzipSync(emf), '#picture'],
    ['plan', wmf, '#picture'],
    ['plan.wmf', wmf.subarray(22), '#picture'],
  ])('is read: %s', async (name, bytes, location) => {
    const { result, texts } = await take(name, bytes);
    expect(result).toEqual({ state: 'read', format: 'picture' });
    expect(Object.keys(texts)).toEqual([location]);
  });
});
