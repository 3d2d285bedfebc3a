const MAX_START_MS = 1000;

/**
 * Shards that were claimed and have not come to their first object: with them the process may have enough to do already. But not for
 * longer than a moment: a listing that hangs must not keep the other hands from other scans.
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
