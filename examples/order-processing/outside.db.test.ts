import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { freshDatabase } from '../../test/support/database.ts';
import { bankTable, chargeCard, refundCard } from './bank.ts';
import { bookCarrier, callOffCarrier, carrierTable } from './carrier.ts';
import { closeOutside, query } from './outside.ts';

let db: Awaited<ReturnType<typeof freshDatabase>>;
beforeAll(async () => {
  db = await freshDatabase();
  process.env.DATABASE_URL = db.url;
  await query(bankTable);
  await query(carrierTable);
});
afterAll(async () => {
  await closeOutside();
  await db.close();
});

describe('the bank', () => {
  it('moves the money once for a key, and counts the requests', async () => {
    const payment = { order: 'o1', card: '1', cents: 500 };
    await chargeCard(payment, call('a'));
    await chargeCard(payment, call('a', 2));
    expect(await movements('o1')).toEqual([{ kind: 'charge', cents: 500, asked: 2 }]);
  });

  it('shows a second movement', async () => {
    const payment = { order: 'o2', card: '1', cents: 500 };
    await chargeCard(payment, call('b'));
    await chargeCard(payment, call('c'));
    expect(await movements('o2')).toHaveLength(2);
  });

  it('refunds what was charged, and nothing where nothing was', async () => {
    await chargeCard({ order: 'o3', card: '1', cents: 700 }, call('d'));
    await refundCard({ order: 'o3' }, call('e'));
    await refundCard({ order: 'o3' }, call('e'));
    await refundCard({ order: 'o4' }, call('f'));
    expect(await movements('o3')).toEqual([
      { kind: 'charge', cents: 700, asked: 1 },
      { kind: 'refund', cents: 700, asked: 2 },
    ]);
    expect(await movements('o4')).toEqual([]);
  });

  it('declines a card, and loses an answer', async () => {
    const declined = chargeCard({ order: 'o5', card: '12', cents: 1 }, call('g'));
    await expect(declined).rejects.toMatchObject({ message: 'the card was declined', retry: false });
    expect(await movements('o5')).toEqual([]);
    const lost = { order: 'o6', card: '19', cents: 1 };
    await expect(chargeCard(lost, call('h'))).rejects.toThrow('the bank did not answer');
    await chargeCard(lost, call('h', 2));
    expect(await movements('o6')).toEqual([{ kind: 'charge', cents: 1, asked: 2 }]);
  });
});

describe('the carrier', () => {
  it('accepts a shipment, and remembers every key', async () => {
    expect(await bookCarrier({ shipment: 's1', address: 'x' }, call('a'))).toBe('T-s1');
    await bookCarrier({ shipment: 's1', address: 'x' }, call('a', 2));
    await bookCarrier({ shipment: 's1', address: 'x' }, call('b'));
    expect(await query(`select keys, called_off from carrier_parcel where shipment_id = 's1'`)).toEqual([
      { keys: ['a', 'b'], called_off: false },
    ]);
  });

  it('accepts none that was cancelled, before or after', async () => {
    await callOffCarrier({ shipment: 's2' });
    await expect(bookCarrier({ shipment: 's2', address: 'x' }, call('c'))).rejects.toMatchObject({
      retry: false,
    });
    await bookCarrier({ shipment: 's3', address: 'x' }, call('d'));
    await callOffCarrier({ shipment: 's3' });
    expect(await query(`select called_off from carrier_parcel where shipment_id in ('s2', 's3')`)).toEqual([
      { called_off: true },
      { called_off: true },
    ]);
  });

  it('has places it does not go to', async () => {
    await expect(bookCarrier({ shipment: 's4', address: 'the moon' }, call('e'))).rejects.toMatchObject({
      retry: false,
    });
    await expect(bookCarrier({ shipment: 's4', address: 'nowhere' }, call('e'))).rejects.toThrow(
      'did not answer',
    );
  });
});

function call(idempotencyKey: string, attempt = 1) {
  return {
    idempotencyKey,
    attempt,
    checkpoint: { value: undefined, save: async () => {} },
    signal: new AbortController().signal,
    workflow: { name: 'test', id: 'test' },
  };
}

function movements(order: string): Promise<unknown[]> {
  return query('select kind, cents, asked from bank_movement where order_id = $1 order by kind', [order]);
}
