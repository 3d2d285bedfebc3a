/**
 * A shipment: booked with a carrier, on its way for a while, arrived. It knows nothing of orders; who wants to know what becomes of it
 * subscribes to its events.
 */
import {
  type ActionDone,
  type ActionFailed,
  act,
  after,
  cancelAction,
  complete,
  defineWorkflow,
  reject,
} from 'seine/workflows';
import { bookCarrier, callOffCarrier } from './carrier.ts';
import { settings } from './settings.ts';

export type ShipmentCommand =
  | { readonly type: 'ship'; readonly address: string }
  | { readonly type: 'hurry' }
  | { readonly type: 'call off' }
  | { readonly type: 'arrive' };

export type ShipmentEvent =
  | { readonly type: 'requested'; readonly address: string }
  | { readonly type: 'hurried' }
  | { readonly type: 'calling off' }
  | { readonly type: 'arrived' }
  | ActionDone<'bookCarrier', string>
  | ActionFailed<'bookCarrier'>
  | ActionDone<'callOffCarrier'>
  | ActionFailed<'callOffCarrier'>;

export interface ShipmentState {
  readonly status: 'new' | 'booking' | 'booked' | 'calling off' | 'stuck' | 'ended';
  readonly hurries: number;
}

export const shipment = defineWorkflow<ShipmentState, ShipmentCommand, ShipmentEvent>({
  name: 'shipment',
  initial: () => ({ status: 'new', hurries: 0 }),
  decide,
  evolve,
  react,
  actions: {
    /** A carrier may be unreachable for days: the order's own time limit ends first. */
    bookCarrier: { run: bookCarrier, attempts: 10_000, timeout: { seconds: 30 } },
    callOffCarrier: { run: callOffCarrier, attempts: 20, timeout: { seconds: 30 } },
  },
});

function decide({ status }: ShipmentState, command: ShipmentCommand) {
  switch (command.type) {
    case 'ship':
      return status === 'new'
        ? ({ type: 'requested', address: command.address } as const)
        : reject('it was requested before');
    case 'hurry':
      return status === 'booking' ? ({ type: 'hurried' } as const) : [];
    case 'call off':
      if (status !== 'booking' && status !== 'stuck') return reject(`the shipment is ${status}`);
      return { type: 'calling off' } as const;
    case 'arrive':
      return status === 'booked' ? ({ type: 'arrived' } as const) : reject(`the shipment is ${status}`);
  }
}

function evolve(state: ShipmentState, event: ShipmentEvent): ShipmentState {
  switch (event.type) {
    case 'requested':
      return { ...state, status: 'booking' };
    case 'hurried':
      return { ...state, hurries: state.hurries + 1 };
    case 'calling off':
      return { ...state, status: 'calling off' };
    case 'bookCarrier.done':
      return state.status === 'booking' ? { ...state, status: 'booked' } : state;
    case 'bookCarrier.failed':
      return state.status === 'booking' ? { ...state, status: 'ended' } : state;
    case 'callOffCarrier.failed':
      return { ...state, status: 'stuck' };
    case 'callOffCarrier.done':
    case 'arrived':
      return { ...state, status: 'ended' };
  }
}

/** A booking under way may still reach the carrier after it was cancelled here; the carrier's own call off comes after it. */
function react(event: ShipmentEvent, { status }: ShipmentState, { id }: { readonly id: string }) {
  switch (event.type) {
    case 'requested':
      return act('bookCarrier', { shipment: id, address: event.address });
    case 'calling off':
      return [cancelAction('bookCarrier'), act('callOffCarrier', { shipment: id })];
    case 'bookCarrier.done':
      return status === 'booked' ? after(settings.transit, { type: 'arrive' } as const) : [];
    default:
      return status === 'ended' ? complete() : [];
  }
}
