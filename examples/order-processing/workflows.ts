/** What `seine runner --module` finds here. */
export { order } from './order.ts';
export { shipment } from './shipment.ts';
