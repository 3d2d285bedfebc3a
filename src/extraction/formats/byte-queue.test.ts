import { describe, expect, it } from 'vitest';
import { queueOf } from './byte-queue.fixture.ts';

const text = async (bytes: Promise<Uint8Array>) => Buffer.from(await bytes).toString();

describe('the queue of bytes', () => {
  it('returns the requested bytes for any chunking', async () => {
    for (const chunk of [1, 3, 100]) {
      const queue = queueOf(Buffer.from('abcdefghij'), chunk);
      expect(await text(queue.take(4))).toBe('abcd');
      queue.unread(2);
      expect(await text(queue.take(5))).toBe('cdefg');
      expect(queue.taken).toBe(7);
      expect(await text(queue.take(99))).toBe('hij');
      expect(await text(queue.take(1))).toBe('');
    }
  });

  it('ends at a fence until that is taken away', async () => {
    const queue = queueOf(Buffer.from('abcdefghij'), 3);
    await queue.take(2);
    queue.fence(3);
    expect(await text(queue.take(2))).toBe('cd');
    expect(await text(queue.take(9))).toBe('e');
    expect(await text(queue.take(9))).toBe('');
    queue.unread(0);
    queue.unfence();
    expect(await text(queue.take(2))).toBe('fg');
  });

  it('returns the last bytes again after unread', async () => {
    const queue = queueOf(Buffer.from('abcdefghij'), 4);
    await queue.take(2);
    await queue.take(5);
    queue.unread(1);
    queue.unreadLast();
    expect(await text(queue.take(3))).toBe('cde');
    queue.unreadLast();
    queue.unreadLast();
    expect(await text(queue.take(3))).toBe('cde');
  });
});
