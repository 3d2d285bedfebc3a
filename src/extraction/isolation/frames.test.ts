import { PassThrough } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { ByteQueue } from '../formats/byte-queue.ts';
import { giveBytes, MAX_BYTES, receive, sendBytes } from './frames.ts';

function connection() {
  const stream = new PassThrough({ highWaterMark: 64 * MAX_BYTES });
  return { stream, queue: new ByteQueue(stream[Symbol.asyncIterator]()) };
}

describe('bytes between a thread and its reader process', () => {
  it('are cut into frames of limited length', async () => {
    const { stream, queue } = connection();
    const sent = Buffer.alloc(2 * MAX_BYTES + 5, 'text');
    sendBytes(stream, sent, []);
    stream.end();
    const received: Buffer[] = [];
    for (let frame = await receive(queue); frame !== null; frame = await receive(queue)) {
      if (frame.is !== 'bytes') expect.unreachable('only bytes were sent');
      else received.push(Buffer.from(frame.bytes));
    }
    expect(received.map(({ length }) => length)).toEqual([MAX_BYTES, MAX_BYTES, 5]);
    expect(Buffer.concat(received).equals(sent)).toBe(true);
  });

  it.each([
    ['bytes', 2],
    ['a message', 1],
  ])('end the connection when a frame announces too much (%s)', async (_, type) => {
    const { stream, queue } = connection();
    const header = Buffer.alloc(5);
    header.writeUInt32LE(0xffff_ffff, 0);
    header[4] = type;
    stream.end(header);
    expect(await receive(queue)).toBeNull();
  });

  it('of the longest allowed length arrive', async () => {
    const { stream, queue } = connection();
    giveBytes(stream, Buffer.alloc(MAX_BYTES, 1));
    stream.end();
    expect(await receive(queue)).toMatchObject({ is: 'bytes' });
  });
});
