import { describe, expect, it } from 'vitest';
import { SeineError } from '../../base/errors.ts';
import { type Key, keyOf } from '../../base/key.ts';
import { FULL_RANGE } from '../../base/range.ts';
import { sourceConformance } from '../conformance.ts';
import { bytesOf, itemsOf, keysOf, neverAborted, objectsOf } from '../source-test-helpers.ts';
import { createMemorySource } from './memory.ts';

sourceConformance('memory', (expected) => {
  const source = createMemorySource();
  for (const [key, bytes] of expected) source.put(key, bytes);
  const change = (key: Key) => source.put(key, Buffer.alloc(expected.get(key)!.length, 'other'));
  return { source, objects: expected, change, remove: source.remove };
});

describe('faults of the memory source', () => {
  it('a read fails as often as configured, then succeeds', async () => {
    const source = createMemorySource({ a: 'content' });
    source.failRead(keyOf('a'), new SeineError('unavailable', 'The disk is away.'), 2);
    const [object] = await objectsOf(source);
    await expect(bytesOf(source, object!)).rejects.toMatchObject({ kind: 'unavailable' });
    await expect(bytesOf(source, object!)).rejects.toMatchObject({ kind: 'unavailable' });
    expect(String(await bytesOf(source, object!))).toBe('content');
    expect(source.reads.get(keyOf('a'))).toBe(3);
  });

  it('a listing fails at its key, after everything before it', async () => {
    const source = createMemorySource({ a: '', b: '', c: '' });
    source.failList(keyOf('c'), new Error('lost the thread'));
    const seen: Key[] = [];
    const listing = (async () => {
      for await (const batch of source.list(FULL_RANGE, neverAborted()))
        seen.push(...batch.map(({ key }) => key));
    })();
    await expect(listing).rejects.toThrow('lost the thread');
    expect(seen).toEqual(['a', 'b']);
    expect(await keysOf(source)).toEqual(['a', 'b', 'c']);
  });

  it('a hidden key is listed as an error in its place', async () => {
    const source = createMemorySource({ a: '', c: '' });
    const error = new SeineError('permission', 'No permission to read b.');
    source.hide(keyOf('b'), error);
    expect((await itemsOf(source))[1]).toEqual({ key: 'b', error });
  });

  it('an object written while it is read is rejected midway', async () => {
    const source = createMemorySource({ a: 'one two' }, { piece: 3 });
    const [object] = await objectsOf(source);
    const chunks = source.read(object!, null, neverAborted())[Symbol.asyncIterator]();
    await chunks.next();
    source.put(keyOf('a'), 'another');
    await expect(chunks.next()).rejects.toMatchObject({ kind: 'changed' });
  });
});
