/**
 * An offset in the log: the transaction that wrote an event, and its position. As the cursor of a lease it
 * is sixteen bytes that sort in the same order.
 */
import { SeineError } from '../base/errors.ts';
import { FIRST_KEY, type Key, keyBytes, keyFromBytes } from '../base/key.ts';

export interface Offset {
  readonly xid: bigint;
  readonly position: bigint;
}

/** Before all events. */
export const START_OFFSET: Offset = { xid: 0n, position: 0n };

export function compareOffsets(a: Offset, b: Offset): number {
  const [x, y] = a.xid === b.xid ? [a.position, b.position] : [a.xid, b.xid];
  return x < y ? -1 : x > y ? 1 : 0;
}

export function offsetKey({ xid, position }: Offset): Key {
  const bytes = Buffer.alloc(16);
  bytes.writeBigUInt64BE(xid, 0);
  bytes.writeBigUInt64BE(position, 8);
  return keyFromBytes(bytes);
}

export function offsetFromKey(key: Key): Offset {
  if (key === FIRST_KEY) return START_OFFSET;
  const bytes = keyBytes(key);
  if (bytes.length !== 16)
    throw new SeineError('internal', 'The cursor of this lease is no place in the log.');
  return { xid: bytes.readBigUInt64BE(0), position: bytes.readBigUInt64BE(8) };
}

export function formatOffset({ xid, position }: Offset): string {
  return `${xid}:${position}`;
}
