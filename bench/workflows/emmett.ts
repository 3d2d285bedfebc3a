/**
 * emmett-postgresql beside our log: its own pool of 10 connections, as many as there are callers; no projections, tables made before. Its
 * consumer pulls as much at once as we do, and waits 1 ms between two pulls (default 50).
 */
import { randomUUID } from 'node:crypto';
import { importCompetitor } from '../competitors.ts';
import { type Log, PAYLOAD, type Reader } from './logs.ts';
import type { Stage } from './stage.ts';

/** What we use of it. */
interface Emmett {
  getPostgreSQLEventStore(url: string): EventStore;
}
interface EventStore {
  readonly schema: { migrate(): Promise<unknown> };
  appendToStream(
    stream: string,
    events: readonly { type: string; data: object }[],
    options?: { expectedStreamVersion: 'STREAM_DOES_NOT_EXIST' },
  ): Promise<unknown>;
  consumer(options: { pulling: { batchSize: number; pullingFrequencyInMs: number } }): Consumer;
  close(): Promise<void>;
}
interface Consumer {
  reactor(options: { processorId: string; eachMessage: () => { type: 'STOP' } | undefined }): unknown;
  start(): Promise<void>;
  stop(): Promise<void>;
}

/** Null: it is not installed. */
export async function emmettLog(stage: Stage): Promise<Log | null> {
  const emmett = importCompetitor<Emmett>('workflows', '@event-driven-io/emmett-postgresql');
  if (!emmett) return null;
  const store = emmett.getPostgreSQLEventStore(await stage.newDatabase('emmett_log'));
  await store.schema.migrate();
  return {
    name: 'emmett-postgresql',
    async append(events) {
      const some = Array.from({ length: events }, () => ({ type: 'noted', data: PAYLOAD }));
      await store.appendToStream(randomUUID(), some, { expectedStreamVersion: 'STREAM_DOES_NOT_EXIST' });
    },
    readers: [consumer(store, 1000), consumer(store, 100)],
    close: () => store.close(),
  };
}

/** It stores a checkpoint for each message, so it is not asked for as many as we are. */
function consumer(store: EventStore, batchSize: number): Reader {
  return {
    name: `consumer, ${batchSize} at once`,
    async read(max) {
      const enough = Math.min(max, MAX_READ);
      const pulling = { batchSize, pullingFrequencyInMs: 1 };
      const consumer = store.consumer({ pulling });
      let read = 0;
      const done = Promise.withResolvers<void>();
      const eachMessage = () => {
        if (++read < enough) return;
        done.resolve();
        return { type: 'STOP' as const };
      };
      consumer.reactor({ processorId: randomUUID(), eachMessage });
      const running = consumer.start();
      await done.promise;
      await consumer.stop(); // not closed: it shares the store's pool
      await running.catch(() => {});
      return read;
    },
  };
}

const MAX_READ = 10_000;
