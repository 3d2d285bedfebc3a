import { describe, expect, it } from 'vitest';
import { SeineError } from '../../base/errors.ts';
import { keyOf } from '../../base/key.ts';
import { createMemorySource } from '../../sources/memory/memory.ts';
import type { Source, SourceObject } from '../../sources/source.ts';
import { ReadAhead } from './read-ahead.ts';

const never = new AbortController().signal;

/** Each read waits until it is released. */
function slowSource(count: number, size = 10) {
  const contents = Object.fromEntries(Array.from({ length: count }, (_, i) => [`o${i}`, 'x'.repeat(size)]));
  const memory = createMemorySource(contents);
  const started: string[] = [];
  const { promise, resolve } = Promise.withResolvers<void>();
  const source: Source = {
    ...memory,
    async *read(object, bytes, signal) {
      started.push(object.key);
      await promise;
      yield* memory.read(object, bytes, signal);
    },
  };
  return { source, started, release: resolve };
}

async function objectsOf(source: Source): Promise<SourceObject[]> {
  const all: SourceObject[] = [];
  for await (const batch of source.list({ after: keyOf(''), upTo: null }, never))
    all.push(...(batch as SourceObject[]));
  return all;
}

const settle = () => new Promise((resolve) => setImmediate(resolve));

describe('reading ahead', () => {
  it('starts as many as allowed at once, and the others in turn', async () => {
    const { source, started, release } = slowSource(10);
    const ahead = new ReadAhead(3);
    const all = (await objectsOf(source)).map((object) => ahead.fetch(source, object, never));
    await settle();
    expect(started).toHaveLength(3);
    release();
    const fetched = await Promise.all(all);
    expect(started).toHaveLength(10);
    for (const one of fetched) expect('bytes' in one && one.bytes.length).toBe(10);
  });

  it('holds no more than so many bytes, but one object always', async () => {
    const { source, started, release } = slowSource(4, 20 << 20);
    const ahead = new ReadAhead(4);
    const all = (await objectsOf(source)).map((object) => ahead.fetch(source, object, never));
    await settle();
    expect(started).toHaveLength(1);
    release();
    await Promise.all(all);
    expect(started).toHaveLength(4);
  });

  it('returns the error of an object, and continues with the others', async () => {
    const memory = createMemorySource({ a: '1', b: '2' });
    memory.failRead(keyOf('a'), new SeineError('permission', 'not for you'));
    const ahead = new ReadAhead(1);
    const [a, b] = await Promise.all(
      (await objectsOf(memory)).map((object) => ahead.fetch(memory, object, never)),
    );
    expect(a).toMatchObject({ error: { kind: 'permission' } });
    expect(b).toEqual({ bytes: Uint8Array.of(50) });
  });
});
