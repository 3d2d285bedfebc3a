/** Workers of a simulated cluster that have nothing to do, and those that died. */
import { stealPauseMs } from '../../src/scans/planning/steal-decision.ts';
import { draw } from '../../src/sources/sim/random.ts';
import { QUERY_S, type World } from './options.ts';

export class SimulatedWorkers {
  readonly #world: World;
  readonly #sleepers = new Map<number, () => void>();
  readonly #dead = new Set<number>();
  #joined = 0;

  constructor(world: World) {
    this.#world = world;
  }

  get asleep(): number {
    return this.#sleepers.size;
  }

  get deaths(): number {
    return this.#dead.size;
  }

  /** Another one; it dies when its time has come. */
  join(onDeath: (worker: number) => void): number {
    const worker = this.#joined++;
    const { lifetime, seed } = this.#world.options;
    if (lifetime !== undefined) {
      const lives = -lifetime * Math.log((draw(seed, worker, 71) + 0.5) / 2 ** 32);
      this.#world.queue.after(lives, () => this.#die(worker, onDeath));
    }
    return worker;
  }

  #die(worker: number, onDeath: (worker: number) => void): void {
    this.#dead.add(worker);
    this.#sleepers.delete(worker);
    onDeath(worker);
  }

  isDead(worker: number): boolean {
    return this.#dead.has(worker);
  }

  /** Waits until something can be claimed, at most as long as a work stealer backs off after as many failures. */
  sleep(worker: number, idle: number, then: () => void): void {
    const { queue, options } = this.#world;
    const jitter = 0.5 + draw(options.seed, Math.floor(queue.now * 1e6), worker) / 2 ** 32;
    const wake = () => {
      if (this.#sleepers.get(worker) !== wake) return;
      this.#sleepers.delete(worker);
      then();
    };
    this.#sleepers.set(worker, wake);
    queue.after((stealPauseMs(idle, this.#sleepers.size) / 1000) * jitter, wake);
  }

  /** There is something to claim. */
  wake(count: number): void {
    let left = count;
    for (const [, wake] of this.#sleepers) {
      if (left-- <= 0) return;
      this.#world.queue.after(QUERY_S, wake);
    }
  }
}
