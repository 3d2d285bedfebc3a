/** How long things take. The README's run shortens them, so that an order ends in seconds. */
export const settings = {
  /** The carrier must have confirmed the shipment by then; otherwise the customer gets the money back. */
  shipWithin: duration('SHIP_WITHIN_MS', { days: 3 }),
  /** The warehouse is reminded when nothing has been shipped after this time, and again. */
  remindEvery: duration('REMIND_EVERY_MS', { days: 1 }),
  /** From the warehouse to the customer. */
  transit: duration('TRANSIT_MS', { days: 2 }),
};

function duration(variable: string, usual: { readonly days: number }): number {
  const given = Number(process.env[variable]);
  return given > 0 ? given : usual.days * 24 * 60 * 60 * 1000;
}
