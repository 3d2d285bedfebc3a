import { describe, expect, it } from 'vitest';
import { SeineError } from '../../base/errors.ts';
import { keyOf } from '../../base/key.ts';
import { createMemorySource } from '../../sources/memory/memory.ts';
import type { Source, SourceObject } from '../../sources/source.ts';
import { ReadAhead } from './read-ahead.ts';

const never = new AbortController().signal;

/** Each read waits until it is let go. */
function slowSource(count: number, size = 10) {
  const contents = Object.fromEntries(Array.from({ length: count }, (_, i) => [`o${i}`, 'x'.repeat(size)]));
  const memory = createMemorySource(contents);
  const begun: string[] = [];
  const { promise, resolve } = Promise.withResolvers<void>();
  const source: Source = {
    ...memory,
    async *read(object, bytes, signal) {
      begun.push(object.key);
      await promise;
      yield* memory.read(object, bytes, signal);
    },
  };
  return { source, begun, go: resolve };
}

async function objectsOf(source: Source): Promise<SourceObject[]> {
  const all: SourceObject[] = [];
  for await (const batch of source.list({ after: keyOf(''), upTo: null }, never))
    all.push(...(batch as SourceObject[]));
  return all;
}

const settle = () => new Promise((resolve) => setImmediate(resolve));

describe('reading ahead', () => {
  it('begins as many as it may at once, and the others in their turn', async () => {
    const { source, begun, go } = slowSource(10);
    const ahead = new ReadAhead(3);
    const all = (await objectsOf(source)).map((object) => ahead.fetch(source, object, never));
    await settle();
    expect(begun).toHaveLength(3);
    go();
    const fetched = await Promise.all(all);
    expect(begun).toHaveLength(10);
    for (const one of fetched) expect('bytes' in one && one.bytes.length).toBe(10);
  });

  it('holds no more than so many bytes, but one object always', async () => {
    const { source, begun, go } = slowSource(4, 20 << 20);
    const ahead = new ReadAhead(4);
    const all = (await objectsOf(source)).map((object) => ahead.fetch(source, object, never));
    await settle();
    expect(begun).toHaveLength(1);
    go();
    await Promise.all(all);
    expect(begun).toHaveLength(4);
  });

  it('answers with the error of an object, and goes on with the others', async () => {
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
