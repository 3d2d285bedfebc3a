import { SeineError } from '../../base/errors.ts';
import type { Source } from '../source.ts';
import { isShape } from './shapes.ts';
import { createSimSource } from './sim.ts';

/** `sim:SHAPE/COUNT/SEED`, which is also the source's id: a computed bucket, for experiments. */
export function openSimSource(target: string): Source {
  const [shape = '', objects, seed] = target.slice('sim:'.length).split('/');
  if (!isShape(shape)) {
    throw new SeineError('usage', `There is no simulated bucket of the shape ${shape}.`, {
      hint: 'Write sim:SHAPE/COUNT/SEED, for example sim:flat/1000/1.',
    });
  }
  return createSimSource({ shape, objects: Number(objects), seed: Number(seed) });
}
