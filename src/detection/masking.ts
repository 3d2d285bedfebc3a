import { catalogue } from './catalogue.ts';
import type { Detector } from './detector.ts';
import { maskSecret } from './masks.ts';

const byId = new Map(catalogue.map((detector) => [detector.id, detector]));

/** The only form in which a value leaves a worker. An id nobody knows shows nothing at all. */
export function maskValue(detector: Detector | string, value: string): string {
  const known = typeof detector === 'string' ? byId.get(detector) : detector;
  return known === undefined ? maskSecret(value) : known.mask(value);
}
