/**
 * The carrier. It takes each shipment once, and none that was called off before. Every key under which it was asked to take one is
 * kept: a second one would show that it was booked twice.
 *
 * It does not go to the moon, and when it is sent nowhere it never answers.
 */
import type { ActionContext } from 'seine/workflows';
import { query, Refused } from './outside.ts';

export const carrierTable = `
  create table if not exists public.carrier_parcel (
    shipment_id text primary key,
    tracking    text not null,
    keys        text[] not null,
    called_off  boolean not null)`;

interface Booking {
  readonly shipment: string;
  readonly address: string;
}

/** The number by which it can be traced. */
export async function bookCarrier(booking: Booking, { idempotencyKey }: ActionContext): Promise<string> {
  if (booking.address === 'the moon') throw new Refused('the carrier does not go to the moon');
  if (booking.address === 'nowhere') throw new Error('the carrier did not answer');
  const [parcel] = await query<{ tracking: string; called_off: boolean }>(
    `insert into carrier_parcel (shipment_id, tracking, keys, called_off) values ($1, 'T-' || $1, array[$2], false)
     on conflict (shipment_id) do update
     set keys = case when $2 = any(carrier_parcel.keys) then carrier_parcel.keys else carrier_parcel.keys || $2 end
     returning tracking, called_off`,
    [booking.shipment, idempotencyKey],
  );
  if (parcel!.called_off) throw new Refused('the shipment was called off');
  return parcel!.tracking;
}

/** Whether it was booked before or never will be: it won't leave. */
export async function callOffCarrier({ shipment }: { readonly shipment: string }): Promise<void> {
  await query(
    `insert into carrier_parcel (shipment_id, tracking, keys, called_off) values ($1, 'T-' || $1, '{}', true)
     on conflict (shipment_id) do update set called_off = true`,
    [shipment],
  );
}
