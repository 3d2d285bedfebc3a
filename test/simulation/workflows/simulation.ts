/** The simulation of runners, for the programs that run seeds. */
import type { Simulation } from '../run-seeds.ts';
import { simulate } from './simulate.ts';
import { World } from './world.ts';

export const WORKFLOWS: Simulation = {
  test: 'test/simulation/workflows',
  async open() {
    const world = await World.open();
    return { simulate: (seed) => simulate(world, seed), close: () => world.close() };
  },
};
