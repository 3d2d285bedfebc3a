/** Shows what became of all orders, and whether anything was done twice or left out: `node check.ts`. */
import { bankTable } from './bank.ts';
import { carrierTable } from './carrier.ts';
import { closeOutside, query } from './outside.ts';

export interface OrderTotals {
  readonly orders: number;
  readonly ended: number;
  readonly delivered: number;
  readonly refunded: number;
  readonly declined: number;
  /** Each must be 0. */
  readonly faults: Readonly<Record<string, number>>;
}

export async function makeTables(): Promise<void> {
  await query(bankTable);
  await query(carrierTable);
}

export async function readTotals(): Promise<OrderTotals> {
  const [orders] = await query<Omit<OrderTotals, 'faults'>>(
    `select count(*) as orders,
            count(*) filter (where status = 'completed') as ended,
            count(*) filter (where exists (select from event where workflow_key = key and type = 'delivered')) as delivered,
            count(*) filter (where exists (select from public.bank_movement where order_id = workflow.id and kind = 'refund')) as refunded,
            count(*) filter (where exists (select from event where workflow_key = key and type = 'chargeCard.failed')) as declined
     from workflow where name = 'order'`,
  );
  const [faults] = await query<Record<string, number>>(
    `select
       (select count(*) from (
          select from public.bank_movement group by order_id, kind having count(*) > 1) twice) as "moved money twice",
       (select count(*) from public.carrier_parcel where cardinality(keys) > 1) as "booked twice",
       (select count(*) from (
          select from event where workflow = 'order' and type in ('delivered', 'refundCard.done')
          group by workflow_key having count(*) > 1) twice) as "ended twice",
       (select count(*) from workflow left join reaction on workflow_key = key
        where name in ('order', 'shipment') and coalesce(reaction.version, 0) <> workflow.version) as "events without reaction",
       (select count(*) from public.bank_movement charge
        where kind = 'charge'
          and not exists (select from public.bank_movement r where r.order_id = charge.order_id and r.kind = 'refund')
          and not exists (
            select from workflow join event on workflow_key = key
            where name = 'order' and id = charge.order_id and type = 'delivered')) as "charged, neither delivered nor refunded"`,
  );
  return { ...orders!, faults: faults! };
}

if (import.meta.main) {
  const { faults, ...counts } = await readTotals();
  for (const [what, n] of [...Object.entries(counts), ...Object.entries(faults)])
    process.stdout.write(`${String(n).padStart(8)}  ${what}\n`);
  await closeOutside();
  process.exitCode = counts.ended === counts.orders && Object.values(faults).every((n) => n === 0) ? 0 : 1;
}
