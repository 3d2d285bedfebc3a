/**
 * An order, from the click to the doorbell:
 *
 *   place ──▶ paying ──▶ shipping ──▶ on its way ──▶ delivered
 *                │           │
 *                │           ▼
 *                │       calling off     the customer changed their mind, or nothing was shipped in time
 *                ▼           ▼
 *               refunding ─────▶ cancelled
 *                   ▼
 *              refund owed               has to be settled by hand
 *
 * External actions can't be undone: a cancellation waits for the bank's and the carrier's answer, and then compensates for what they
 * did. It is unknown whether a bank that never answered has moved the money, so a failed payment is refunded too.
 */
import {
  type ActionDone,
  type ActionFailed,
  act,
  after,
  cancelTimer,
  complete,
  defineWorkflow,
  type HeardEvent,
  reject,
  subscribe,
  tell,
} from 'seine/workflows';
import { chargeCard, refundCard } from './bank.ts';
import { settings } from './settings.ts';
import { shipment } from './shipment.ts';

export interface Purchase {
  readonly card: string;
  readonly cents: number;
  readonly address: string;
}

export type OrderCommand =
  | ({ readonly type: 'place' } & Purchase)
  | { readonly type: 'cancel' }
  | { readonly type: 'remind' }
  | { readonly type: 'give up' }
  | { readonly type: 'confirm shipment'; readonly tracking: string }
  | { readonly type: 'confirm delivery' }
  | { readonly type: 'confirm no shipment'; readonly reason: string }
  | { readonly type: 'settle by hand'; readonly note: string };

export type OrderEvent =
  | ({ readonly type: 'placed' } & Purchase)
  | { readonly type: 'cancellation asked'; readonly reason: string }
  | { readonly type: 'reminded' }
  | { readonly type: 'shipped'; readonly tracking: string }
  | { readonly type: 'delivered' }
  | { readonly type: 'not shipped'; readonly reason: string }
  | { readonly type: 'settled by hand'; readonly note: string }
  | ActionDone<'chargeCard', { readonly receipt: string }>
  | ActionFailed<'chargeCard'>
  | ActionDone<'refundCard'>
  | ActionFailed<'refundCard'>;

export type OrderStatus =
  | 'new'
  | 'paying'
  | 'shipping'
  | 'calling off'
  | 'on its way'
  | 'delivered'
  | 'refunding'
  | 'refund owed'
  | 'cancelled';

export interface OrderState {
  readonly status: OrderStatus;
  readonly purchase: Purchase | null;
  /** Why it won't be delivered. */
  readonly reason: string | null;
}

export const order = defineWorkflow<OrderState, OrderCommand, OrderEvent>({
  name: 'order',
  initial: () => ({ status: 'new', purchase: null, reason: null }),
  decide,
  evolve,
  react,
  receive,
  actions: {
    chargeCard: { run: chargeCard, attempts: 5, timeout: { seconds: 30 } },
    refundCard: { run: refundCard, attempts: 20, timeout: { seconds: 30 } },
  },
});

function decide({ status }: OrderState, command: OrderCommand) {
  const isShipping = status === 'shipping' || status === 'calling off';
  switch (command.type) {
    case 'place':
      if (status !== 'new') return reject('the order has been placed before');
      return command.cents > 0
        ? ({ ...command, type: 'placed' } as const)
        : reject('an order must cost something');
    case 'cancel':
      if (status !== 'paying' && status !== 'shipping') return reject(`the order is ${status}`);
      return { type: 'cancellation asked', reason: 'the customer changed their mind' } as const;
    case 'give up':
      if (status !== 'shipping') return [];
      return { type: 'cancellation asked', reason: 'it was not shipped in time' } as const;
    case 'remind':
      return status === 'shipping' ? ({ type: 'reminded' } as const) : [];
    case 'confirm shipment':
      return isShipping
        ? ({ type: 'shipped', tracking: command.tracking } as const)
        : reject(`the order is ${status}`);
    case 'confirm delivery':
      return status === 'on its way' ? ({ type: 'delivered' } as const) : reject(`the order is ${status}`);
    case 'confirm no shipment':
      if (!isShipping && status !== 'on its way') return reject(`the order is ${status}`);
      return { type: 'not shipped', reason: command.reason } as const;
    case 'settle by hand':
      if (status !== 'refund owed') return reject(`the order is ${status}`);
      return { type: 'settled by hand', note: command.note } as const;
  }
}

function evolve(state: OrderState, event: OrderEvent): OrderState {
  const { status, reason } = state;
  switch (event.type) {
    case 'placed': {
      const { card, cents, address } = event;
      return { status: 'paying', purchase: { card, cents, address }, reason: null };
    }
    case 'cancellation asked':
      return { ...state, status: status === 'shipping' ? 'calling off' : status, reason: event.reason };
    case 'chargeCard.done':
      return { ...state, status: reason === null ? 'shipping' : 'refunding' };
    case 'chargeCard.failed':
      return { ...state, status: 'refunding', reason: reason ?? event.error };
    case 'shipped':
      return { ...state, status: 'on its way', reason: null };
    case 'delivered':
      return { ...state, status: 'delivered' };
    case 'not shipped':
      return { ...state, status: 'refunding', reason: reason ?? event.reason };
    case 'refundCard.failed':
      return { ...state, status: 'refund owed' };
    case 'refundCard.done':
    case 'settled by hand':
      return { ...state, status: 'cancelled' };
    case 'reminded':
      return state;
  }
}

function react(event: OrderEvent, { status, purchase }: OrderState, { id }: { readonly id: string }) {
  const { card, cents, address } = purchase!;
  const refund = act('refundCard', { order: id });
  const remindLater = after(settings.remindEvery, { type: 'remind' } as const);
  const noTimers = [cancelTimer('remind'), cancelTimer('give up')];
  switch (event.type) {
    case 'placed':
      return act('chargeCard', { order: id, card, cents });
    case 'chargeCard.done':
      if (status === 'refunding') return refund;
      return [
        subscribe('shipment', { workflow: 'shipment', id }),
        tell(shipment, id, { type: 'ship', address }),
        after(settings.shipWithin, { type: 'give up' } as const),
        remindLater,
      ];
    case 'reminded':
      return [tell(shipment, id, { type: 'hurry' }), remindLater];
    case 'cancellation asked':
      return status === 'calling off' ? [...noTimers, tell(shipment, id, { type: 'call off' })] : [];
    case 'shipped':
      return noTimers;
    case 'not shipped':
      return [...noTimers, refund];
    case 'chargeCard.failed':
      return refund;
    case 'delivered':
    case 'refundCard.done':
    case 'settled by hand':
      return complete();
    case 'refundCard.failed':
      return [];
  }
}

/** The shipment of an order has its id. */
function receive({ type, data }: HeardEvent): OrderCommand | null {
  if (type === 'bookCarrier.done') return { type: 'confirm shipment', tracking: String(data.result) };
  if (type === 'arrived') return { type: 'confirm delivery' };
  if (type === 'bookCarrier.failed') return { type: 'confirm no shipment', reason: String(data.error) };
  if (type === 'callOffCarrier.done') return { type: 'confirm no shipment', reason: 'it was called off' };
  return null;
}
