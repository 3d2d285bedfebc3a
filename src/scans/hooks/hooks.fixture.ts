/**
 * Fixtures for tests of hooks: results without a running scan, an inspectable queue, a receiver that
 * records requests.
 */
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Database } from '../../db/database.ts';
import type { Hook, HookJob, WebhookSettings } from './hook.ts';
import { ENDS } from './hook.ts';
import type { HookContext, SendHook } from './hook-context.ts';
import { readHooks } from './hook-store.ts';

/** A value that no hook may disclose: it is part of keys and masked values. */
export const CANARY = 'payroll-kowalski';

/** Adds objects with `findings` findings each, one object that was not read, and their coverage. */
export async function addResults(
  db: Database,
  scan: number,
  objects: number,
  findings: number,
): Promise<void> {
  await db.query(
    `insert into object_result (scan_id, tenant, key, path, folder, outcome, reason, size, modified, score, points, tier, counts)
     select $1::bigint, 'default', convert_to(path, 'UTF8'), path, 'hr', 'scanned', '', 1000 + i, timestamptz '2025-01-31 12:00Z',
            93, 93, 'CRITICAL', jsonb_build_object('SSN', $3::int)
     from generate_series(1, $2::int) i, lateral (select format('hr/${CANARY}-%s.csv', lpad(i::text, 7, '0')) as path) named
     union all
     select $1::bigint, 'default', '\\xff', '\\xff', '', 'skipped', 'no permission', 5, null, null, null, null, '{}'`,
    [scan, objects, findings],
  );
  await db.query(
    `insert into finding (object_id, n, tenant, detector, category, field, start_byte, end_byte, line, col, confidence,
                          masked, fingerprint, reasons)
     select id, i, 'default', 'SSN', 'direct_identifier', case i % 2 when 0 then 'ssn' end, i * 20, i * 20 + 11, i + 1, 1, 0.9,
            '***-**-${CANARY}', md5(id::text || '/' || i), array['context word "ssn"']
     from object_result, generate_series(0, $2::int - 1) i where scan_id = $1 and tier is not null`,
    [scan, findings],
  );
  await db.query(
    `insert into ledger (scan_id, tenant, lease_id, outcome, reason, objects, bytes)
     values ($1, 'default', 0, 'scanned', '', $2::bigint, $2::bigint * 1000), ($1, 'default', 0, 'skipped', 'no permission', 1, 5)`,
    [scan, objects],
  );
}

/** Ends a scan as finalize does. */
export async function endedAs(db: Database, scan: number, status = 'completed'): Promise<void> {
  await db.query('update scan set status = $2, finished_at = now() where id = $1', [scan, status]);
}

export interface Queued {
  readonly queue: string;
  readonly job: HookJob;
  readonly afterMs: number;
}

/** A queue in a table: a transaction that is rolled back removes its jobs, as in the real one. */
export class HookQueue {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  readonly send: SendHook = async (tx, queue, job, afterMs) => {
    await tx.query('create table if not exists sent_hook (id serial, queue text, job jsonb, after_ms float)');
    await tx.query('insert into sent_hook (queue, job, after_ms) values ($1, $2, $3)', [
      queue,
      JSON.stringify(job),
      afterMs,
    ]);
  };

  /** Removes and returns the waiting jobs, oldest first. */
  async take(): Promise<Queued[]> {
    const { rows } = await this.#db.query<Queued & { id: number }>(
      `with taken as (delete from sent_hook returning *)
       select id, queue, job, after_ms as "afterMs" from taken order by id`,
    );
    return rows.map(({ queue, job, afterMs }) => ({ queue, job, afterMs }));
  }
}

export interface Delivery {
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** Responds with one status after another, then repeats the last; 0: no response. */
export class Receiver {
  readonly deliveries: Delivery[] = [];
  statuses: number[] = [200];
  headers: Record<string, string> = {};
  readonly #server: Server;

  constructor() {
    this.#server = createServer(async (request, response) => {
      const body = await request.toArray().catch(() => null);
      if (body === null) return; // the sender disconnected
      this.deliveries.push({ headers: request.headers, body: body.join('') });
      const status = this.statuses.length > 1 ? this.statuses.shift()! : this.statuses[0]!;
      if (status !== 0) response.writeHead(status, this.headers).end();
    });
  }

  async start(): Promise<void> {
    await once(this.#server.listen(0, '127.0.0.1'), 'listening');
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/seine`;
  }

  stop(): void {
    this.#server.close().closeAllConnections();
  }
}

export function webhookTo(url: string, more: Partial<WebhookSettings> = {}): WebhookSettings {
  return {
    kind: 'webhook',
    name: 'webhook tickets',
    url: { from: 'text', text: url },
    secret: { from: 'env', name: 'TICKETS_SECRET' },
    on: ENDS,
    allowPrivate: true,
    ...more,
  };
}

export function hookContext(queue: HookQueue, more: Partial<HookContext> = {}): HookContext {
  return {
    send: queue.send,
    hostAffinity: 'here',
    signal: new AbortController().signal,
    fetch: (reference) => (reference.from === 'text' ? reference.text : 'hush'),
    access: () => ({}),
    allow: [],
    ...more,
  };
}

export async function hookOf(db: Database, scan: number, n = 0): Promise<Hook> {
  return (await readHooks(db, scan)).filter((hook) => hook.n === n).at(-1)!;
}
