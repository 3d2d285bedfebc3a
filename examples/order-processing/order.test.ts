import fc from 'fast-check';
import {
  act,
  after,
  cancelTimer,
  complete,
  delayed,
  specOf,
  subscribe,
  tell,
  testEnvironment,
} from 'seine/workflows';
import { describe, expect, it } from 'vitest';
import { order } from './order.ts';
import { Refused } from './outside.ts';
import { settings } from './settings.ts';
import { shipment } from './shipment.ts';

const { given } = specOf(order);

const purchase = { card: '4000-0001', cents: 4200, address: 'Quay 3, Harwich' };
const payment = { order: 'order-1', card: '4000-0001', cents: 4200 };
const place = { type: 'place', ...purchase } as const;
const placed = { type: 'placed', ...purchase } as const;
const charged = { type: 'chargeCard.done', result: { receipt: 'r1' } } as const;
const declined = { type: 'chargeCard.failed', error: 'the card was declined', attempts: 1 } as const;
const changedMind = { type: 'cancellation asked', reason: 'the customer changed their mind' } as const;
const notInTime = { type: 'cancellation asked', reason: 'it was not shipped in time' } as const;
const shipped = { type: 'shipped', tracking: 'T-1' } as const;
const notShipped = { type: 'not shipped', reason: 'it was called off' } as const;
const refunded = { type: 'refundCard.done', result: null } as const;
const refund = act('refundCard', { order: 'order-1' });
const noTimers = [cancelTimer('remind'), cancelTimer('give up')];
const timer = (wait: number, command: { type: 'give up' | 'remind' }) => after(wait, command);

describe('an order', () => {
  it('is placed, and the card is charged', async () => {
    await given().when(place).then(placed);
    await given().when(place).thenReacts(act('chargeCard', payment));
  });

  it('is placed once, and not for nothing', async () => {
    await given(placed).when(place).thenRejected('the order has been placed before');
    await given()
      .when({ ...place, cents: 0 })
      .thenRejected('an order must cost something');
  });

  it('that is paid is shipped, within a time, with reminders until then', async () => {
    await given(placed, charged).thenReacts([
      subscribe('shipment', { workflow: 'shipment', id: 'order-1' }),
      tell(shipment, 'order-1', { type: 'ship', address: 'Quay 3, Harwich' }),
      timer(settings.shipWithin, { type: 'give up' }),
      timer(settings.remindEvery, { type: 'remind' }),
    ]);
  });

  it('is notified by its shipment that it has left and arrived', async () => {
    await given(placed, charged)
      .whenHeard({ workflow: 'shipment', type: 'bookCarrier.done', data: { result: 'T-1' } })
      .then(shipped);
    await given(placed, charged, shipped).thenReacts(noTimers);
    await given(placed, charged, shipped)
      .whenHeard({ workflow: 'shipment', type: 'arrived' })
      .then({ type: 'delivered' });
    await given(placed, charged, shipped, { type: 'delivered' }).thenReacts(complete());
  });

  it('whose payment fails permanently is cancelled, and any charge is refunded', async () => {
    await given(placed, declined).thenReacts(refund);
    await given(placed, declined, refunded).thenState({
      status: 'cancelled',
      purchase,
      reason: declined.error,
    });
    await given(placed, declined, refunded).thenReacts(complete());
  });

  it('reminds the warehouse as long as nothing is shipped', async () => {
    await given(placed, charged).when({ type: 'remind' }).then({ type: 'reminded' });
    await given(placed, charged, { type: 'reminded' }).thenReacts([
      tell(shipment, 'order-1', { type: 'hurry' }),
      timer(settings.remindEvery, { type: 'remind' }),
    ]);
    await given(placed, charged, shipped).when({ type: 'remind' }).then([]);
  });
});

describe('a cancellation', () => {
  it('while the bank works waits for its answer, and gives the money back', async () => {
    await given(placed).when({ type: 'cancel' }).then(changedMind);
    await given(placed, changedMind).thenReacts([]);
    await given(placed, changedMind, charged).thenReacts(refund);
    await given(placed, changedMind, charged, refunded).thenReacts(complete());
  });

  it('before shipping calls the shipment off, and gives the money back when it is', async () => {
    await given(placed, charged)
      .when({ type: 'cancel' })
      .thenReacts([...noTimers, tell(shipment, 'order-1', { type: 'call off' })]);
    await given(placed, charged, changedMind)
      .whenHeard({ workflow: 'shipment', type: 'callOffCarrier.done' })
      .thenReacts([...noTimers, refund]);
  });

  it('is rejected after dispatch', async () => {
    await given(placed, charged, shipped).when({ type: 'cancel' }).thenRejected('the order is on its way');
    await given(placed, charged, changedMind, shipped).thenState({
      status: 'on its way',
      purchase,
      reason: null,
    });
  });

  it('comes by itself when nothing is shipped in time', async () => {
    await given(placed, charged).when({ type: 'give up' }).then(notInTime);
    await given(placed, charged, shipped).when({ type: 'give up' }).then([]);
  });

  it('gives the money back once', async () => {
    await given(placed, charged, changedMind, notShipped)
      .whenHeard({ workflow: 'shipment', type: 'bookCarrier.failed', data: { error: 'called off' } })
      .thenRejected('the order is refunding');
  });

  it('whose refund fails permanently waits for manual settlement', async () => {
    const owed = [
      placed,
      charged,
      notShipped,
      { type: 'refundCard.failed', error: 'closed', attempts: 20 },
    ] as const;
    await given(owed).thenReacts([]);
    await given(owed).when({ type: 'settle by hand', note: 'paid in cash' }).thenReacts(complete());
    await given(placed).when({ type: 'settle by hand', note: '' }).thenRejected('the order is paying');
  });
});

describe('orders and shipments together', () => {
  it('end with a delivery if nothing fails', async () => {
    const { world, effects } = shop();
    await world.send('order-1', place);
    expect(world.state('order-1').status).toBe('on its way');
    await world.advance(settings.transit);
    expect(world.state('order-1').status).toBe('delivered');
    expect(statusesOf(world)).toEqual(['completed', 'completed']);
    expect(effects).toEqual(['charge', 'book']);
  });

  it('end with a refund when the carrier does not answer in time, and the warehouse was reminded', async () => {
    const { world, effects } = shop({ bookCarrier: delayed(Number.POSITIVE_INFINITY) });
    await world.send('order-1', place);
    await world.advance(settings.shipWithin);
    expect(world.state('order-1')).toMatchObject({
      status: 'cancelled',
      reason: 'it was not shipped in time',
    });
    expect(world.of(shipment).state('order-1').hurries).toBe(2);
    expect(statusesOf(world)).toEqual(['completed', 'completed']);
    expect(effects).toEqual(['charge', 'call off', 'refund']);
  });

  it('end with a refund when the carrier refuses', async () => {
    const { world, effects } = shop({ bookCarrier: () => Promise.reject(new Refused('not to the moon')) });
    await world.send('order-1', place);
    expect(world.state('order-1')).toMatchObject({ status: 'cancelled', reason: 'not to the moon' });
    expect(statusesOf(world)).toEqual(['completed', 'completed']);
    expect(effects).toEqual(['charge', 'refund']);
  });

  it('end with a refund when the customer cancels during the booking', async () => {
    const { world, effects } = shop({ bookCarrier: delayed({ seconds: 20 }) });
    await world.send('order-1', place);
    await world.advance({ seconds: 10 });
    await world.send('order-1', { type: 'cancel' });
    await world.advance({ days: 30 });
    expect(world.state('order-1').status).toBe('cancelled');
    expect(world.of(shipment).actions('order-1')).toMatchObject([{ state: 'cancelled' }, { state: 'done' }]);
    expect(statusesOf(world)).toEqual(['completed', 'completed']);
    expect(effects).toEqual(['charge', 'call off', 'refund']);
  });

  it('end with a delivery when the cancellation comes too late', async () => {
    const { world } = shop();
    await world.send('order-1', place);
    expect((await world.send('order-1', { type: 'cancel' })).rejected).toBe('the order is on its way');
    await world.advance(settings.transit);
    expect((await world.send('order-1', { type: 'cancel' })).rejected).toBe('order order-1 is completed');
  });

  it('end with nothing done when the card is declined', async () => {
    const { world, effects } = shop({
      chargeCard: () => Promise.reject(new Refused('the card was declined')),
    });
    await world.send('order-1', place);
    await world.advance({ days: 30 });
    expect(world.status('order-1')).toBe('completed');
    expect(world.of(shipment).events('order-1')).toEqual([]);
    expect(effects).toEqual([]);
  });

  it('end whatever happens and whenever the customer cancels, with the money on the right side', async () => {
    const seconds = fc.integer({ min: 0, max: 90 });
    const plan = fc.record({ bank: seconds, carrier: seconds, cancelAfter: seconds });
    await fc.assert(
      fc.asyncProperty(plan, async ({ bank, carrier, cancelAfter }) => {
        const { world, effects } = shop({}, { chargeCard: bank, bookCarrier: carrier });
        await world.send('order-1', place);
        await world.advance({ seconds: cancelAfter });
        await world.send('order-1', { type: 'cancel' });
        await world.advance({ days: 30 });
        const { status } = world.state('order-1');
        expect(world.status('order-1')).toBe('completed');
        expect(status === 'delivered' || status === 'cancelled').toBe(true);
        expect(effects.includes('refund')).toBe(status === 'cancelled' && effects.includes('charge'));
        expect(effects).toEqual([...new Set(effects)]);
        if (status === 'delivered') expect(effects).toEqual(['charge', 'book']);
      }),
    );
  });
});

/** A bank and a carrier that keep what they did, and how long each takes to answer. */
function shop(others: Actions = {}, seconds: Readonly<Record<string, number>> = {}) {
  const effects: string[] = [];
  const keys = new Set<string>();
  const effect = (action: string, name: string, result: unknown = null) =>
    delayed({ seconds: seconds[action] ?? 0 }, async (_input, { idempotencyKey }) => {
      const isDue = name !== 'refund' || effects.includes('charge');
      if (isDue && !keys.has(idempotencyKey)) effects.push(name);
      keys.add(idempotencyKey);
      return result;
    });
  const actions = {
    chargeCard: effect('chargeCard', 'charge', { receipt: 'r1' }),
    refundCard: effect('refundCard', 'refund'),
    bookCarrier: effect('bookCarrier', 'book', 'T-1'),
    callOffCarrier: effect('callOffCarrier', 'call off'),
    ...others,
  };
  return { world: testEnvironment(order, shipment, { actions }), effects };
}

type Actions = Readonly<Record<string, ReturnType<typeof delayed>>>;

function statusesOf(world: ReturnType<typeof shop>['world']): string[] {
  return [world.status('order-1'), world.of(shipment).status('order-1')];
}
