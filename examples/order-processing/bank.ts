/**
 * The bank. It moves money once for each idempotency key, however often it is asked, and counts how often it was. A second movement of
 * one kind for one order would stand in its table under another key.
 *
 * A card that ends in 2 is declined. For one that ends in 9 the first answer is lost: the money has moved, and this process does not know.
 */
import type { ActionContext } from 'seine/workflows';
import { query, Refused } from './outside.ts';

interface Payment {
  readonly order: string;
  readonly card: string;
  readonly cents: number;
}

export const bankTable = `
  create table if not exists public.bank_movement (
    key      text primary key,
    order_id text not null,
    kind     text not null,
    cents    integer not null,
    asked    integer not null default 1);
  create index if not exists bank_movement_of_order on public.bank_movement (order_id)`;

export async function chargeCard(
  payment: Payment,
  { idempotencyKey, attempt }: ActionContext,
): Promise<{ receipt: string }> {
  if (payment.card.endsWith('2')) throw new Refused('the card was declined');
  await query(
    `insert into bank_movement (key, order_id, kind, cents) values ($1, $2, 'charge', $3)
     on conflict (key) do update set asked = bank_movement.asked + 1`,
    [idempotencyKey, payment.order, payment.cents],
  );
  if (payment.card.endsWith('9') && attempt === 1) throw new Error('the bank did not answer');
  return { receipt: idempotencyKey };
}

/** Whatever was charged for the order: nothing, if nothing was. */
export async function refundCard(
  { order }: Pick<Payment, 'order'>,
  { idempotencyKey }: ActionContext,
): Promise<void> {
  await query(
    `insert into bank_movement (key, order_id, kind, cents)
     select $1, order_id, 'refund', cents from bank_movement where order_id = $2 and kind = 'charge'
     on conflict (key) do update set asked = bank_movement.asked + 1`,
    [idempotencyKey, order],
  );
}
