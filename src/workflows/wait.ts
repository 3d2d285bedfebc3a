/** Milliseconds, or a sum of units. */
export type Wait =
  | number
  | { readonly days?: number; readonly hours?: number; readonly minutes?: number; readonly seconds?: number };

export function milliseconds(wait: Wait): number {
  if (typeof wait === 'number') return wait;
  const { days = 0, hours = 0, minutes = 0, seconds = 0 } = wait;
  return (((days * 24 + hours) * 60 + minutes) * 60 + seconds) * 1000;
}
