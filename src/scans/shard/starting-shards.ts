const MAX_START_MS = 1000;

/**
 * Shards that were claimed and have not reached their first object: they may be enough work for the
 * process, so it claims no others. Bounded in time: a listing that hangs must not block other scans.
 */
export class StartingShards {
  readonly #since = new Map<number, number>();

  get any(): boolean {
    const now = performance.now();
    return [...this.#since.values()].some((since) => now - since < MAX_START_MS);
  }

  begin(lease: number): void {
    this.#since.set(lease, performance.now());
  }

  end(lease: number): boolean {
    return this.#since.delete(lease);
  }
}
