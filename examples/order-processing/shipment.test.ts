import { act, after, cancelAction, complete, specOf } from 'seine/workflows';
import { describe, it } from 'vitest';
import { settings } from './settings.ts';
import { shipment } from './shipment.ts';

const { given } = specOf(shipment);

const ship = { type: 'ship', address: 'Quay 3, Harwich' } as const;
const requested = { type: 'requested', address: 'Quay 3, Harwich' } as const;
const booked = { type: 'bookCarrier.done', result: 'T-1' } as const;
const refused = { type: 'bookCarrier.failed', error: 'not there', attempts: 1 } as const;
const callingOff = { type: 'calling off' } as const;
const calledOff = { type: 'callOffCarrier.done', result: null } as const;
const noAnswer = { type: 'callOffCarrier.failed', error: 'no answer', attempts: 20 } as const;

describe('a shipment', () => {
  it('is requested once, and booked', async () => {
    await given().when(ship).then(requested);
    await given(requested).thenReacts(
      act('bookCarrier', { shipment: 'shipment-1', address: 'Quay 3, Harwich' }),
    );
    await given(requested).when(ship).thenRejected('it was requested before');
  });

  it('arrives after a while, and ends', async () => {
    await given(requested, booked).thenReacts(after(settings.transit, { type: 'arrive' }));
    await given(requested, booked).when({ type: 'arrive' }).then({ type: 'arrived' });
    await given(requested, booked, { type: 'arrived' }).thenReacts(complete());
  });

  it('that no carrier accepts ends', async () => {
    await given(requested, refused).thenReacts(complete());
  });

  it('counts requests to hurry until it is booked', async () => {
    await given(requested, { type: 'hurried' })
      .when({ type: 'hurry' })
      .thenState({ status: 'booking', hurries: 2 });
    await given(requested, booked).when({ type: 'hurry' }).then([]);
  });
});

describe('calling it off', () => {
  it('is also sent to the carrier, because a booking may be in progress', async () => {
    await given(requested)
      .when({ type: 'call off' })
      .thenReacts([cancelAction('bookCarrier'), act('callOffCarrier', { shipment: 'shipment-1' })]);
    await given(requested, callingOff, calledOff).thenReacts(complete());
  });

  it('comes too late when it is booked', async () => {
    await given(requested, booked).when({ type: 'call off' }).thenRejected('the shipment is booked');
  });

  it('continues when the booking is confirmed or refused meanwhile', async () => {
    await given(requested, callingOff, booked).thenReacts([]);
    await given(requested, callingOff, refused).thenReacts([]);
    await given(requested, callingOff, booked, calledOff).thenReacts(complete());
  });

  it('can be requested again when the carrier never answered', async () => {
    await given(requested, callingOff, noAnswer).thenReacts([]);
    await given(requested, callingOff, noAnswer).when({ type: 'call off' }).then(callingOff);
  });
});
