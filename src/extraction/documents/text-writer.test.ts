import { describe, expect, it } from 'vitest';
import type { TextChunk } from '../document-item.ts';
import { CorruptInput } from '../extraction-error.ts';
import { TextWriter, textChunksOf } from './text-writer.ts';

const shown = ({ text }: TextChunk) => Buffer.from(text).toString();

describe('the writer of texts', () => {
  it('joins added text to chunks of a useful size', () => {
    const writer = new TextWriter('page 1');
    writer.add('one ');
    expect(writer.full).toBe(false);
    writer.add('two '.repeat(20_000));
    expect(writer.full).toBe(true);
    expect(writer.take()).toMatchObject({ is: 'text', location: 'page 1', text: { length: 80_004 } });
    expect([...writer.end()]).toEqual([]);
  });

  it('keeps a character whole that is added in halves', () => {
    const writer = new TextWriter(null);
    writer.add('a\ud83d');
    const first = shown(writer.take());
    writer.add('\ude00b');
    expect([first, ...writer.end().map(shown)]).toEqual(['a', '😀b']);
  });

  it('writes an unpaired surrogate at the end', () => {
    const writer = new TextWriter(null);
    writer.add('\ud83d');
    expect([...writer.end().map(shown)]).toEqual(['\ufffd']);
  });

  it('separates locations', () => {
    const writer = new TextWriter(null);
    writer.add('one');
    expect([...writer.moveTo(null)]).toEqual([]);
    expect([...writer.moveTo('page 2')]).toMatchObject([{ location: null, text: Buffer.from('one') }]);
    expect([...writer.moveTo('page 3')]).toEqual([]);
    writer.add('three');
    expect([...writer.end()]).toMatchObject([{ location: 'page 3', text: Buffer.from('three') }]);
  });

  it('yields what precedes an error', async () => {
    const texts = async function* () {
      yield 'kept';
      throw new CorruptInput('text');
    };
    const chunks = textChunksOf('page 2', texts());
    expect((await chunks.next()).value).toMatchObject({ location: 'page 2', text: Buffer.from('kept') });
    await expect(chunks.next()).rejects.toThrow('corrupt: text');
  });
});
