/** Logs that events can be appended to and read from, so that they can be measured side by side. */
import { randomUUID } from 'node:crypto';
import type { Database } from '../../src/db/database.ts';
import { appendEvents } from '../../src/events/append-store.ts';
import { SLOTS } from '../../src/events/hash.ts';
import { START_OFFSET } from '../../src/events/offset.ts';
import {
  type PartitionEvent,
  type PartitionOffset,
  readPartition,
  readSlots,
} from '../../src/events/read-store.ts';
import type { Stage } from './stage.ts';

export interface Log {
  readonly name: string;
  /** Appends so many events to a new stream of its own. */
  append(events: number): Promise<void>;
  readonly readers: readonly Reader[];
  close(): Promise<void>;
}

export interface Reader {
  readonly name: string;
  /** Reads from the beginning until so many were read, or there are no more. How many. */
  read(max: number): Promise<number>;
}

const WORKFLOW = 'log';
/** About as much as a small event has. */
export const PAYLOAD = { order: 'o-1234567', amount: 12.5, note: 'some words about it' };

export async function seineLog(stage: Stage): Promise<Log> {
  const { db } = await stage.openSeine('seine_log');
  return {
    name: 'seine',
    async append(events) {
      const body = { type: 'noted', data: PAYLOAD };
      const some = Array.from({ length: events }, () => body);
      const stream = { tenant: 'default', workflow: WORKFLOW, id: randomUUID(), key: null, expected: 0 };
      await appendEvents(db, [{ ...stream, events: some }]);
    },
    readers: [
      slotReader(db, 1000),
      slotReader(db, 100),
      partitionReader(db, 0, 1),
      partitionReader(db, 1, 3),
    ],
    close: () => db.close(),
  };
}

function slotReader(db: Database, batch: number): Reader {
  return {
    name: `256 slots, ${batch} at once`,
    async read(max) {
      let positions: PartitionOffset[] = Array.from({ length: SLOTS }, (_, part) => ({
        part,
        offset: START_OFFSET,
      }));
      let read = 0;
      while (read < max) {
        const { events: found } = await readSlots(db, WORKFLOW, positions, { each: 50, max: batch });
        if (found.length === 0) break;
        read += found.length;
        positions = inTurn(moved(positions, found), found.at(-1)!.part);
      }
      return read;
    },
  };
}

function moved(positions: readonly PartitionOffset[], found: readonly PartitionEvent[]): PartitionOffset[] {
  const last = new Map(found.map(({ part, offset }) => [part, offset]));
  return positions.map(({ part, offset }) => ({ part, offset: last.get(part) ?? offset }));
}

/** After this part, so that each has its turn. */
function inTurn(positions: readonly PartitionOffset[], after: number): PartitionOffset[] {
  const n = positions.findIndex(({ part }) => part === after) + 1;
  return [...positions.slice(n), ...positions.slice(0, n)];
}

function partitionReader(db: Database, part: number, total: number): Reader {
  return {
    name: `partition ${part} of ${total}, 1000 at once`,
    async read(max) {
      let place: PartitionOffset = { part, offset: START_OFFSET };
      let read = 0;
      while (read < max) {
        const { events: found } = await readPartition(db, WORKFLOW, place, total, 1000);
        if (found.length === 0) break;
        read += found.length;
        place = { part, offset: found.at(-1)!.offset };
      }
      return read;
    },
  };
}
