import { catalogue } from './catalogue.ts';
import type { Detector } from './detector.ts';
import { maskSecret } from './masks.ts';

const byId = new Map(catalogue.map((detector) => [detector.id, detector]));

/** Masks a value: the only form in which values leave a worker. Values of an unknown detector id are hidden completely. */
export function maskValue(detector: Detector | string, value: string): string {
  const known = typeof detector === 'string' ? byId.get(detector) : detector;
  return known === undefined ? maskSecret(value) : known.mask(value);
}
