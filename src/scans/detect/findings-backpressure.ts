/**
 * Backpressure on unwritten findings: those that detection has reported and no checkpoint has written yet. Data full of findings is
 * detected faster than PostgreSQL stores it, so without a limit they would fill the memory of the process.
 */

/** Above this number no batch is started. */
const MAX_UNWRITTEN = 20_000;
/** A batch with more findings makes the following ones small: the objects in flight are beyond the limit above. */
const DENSE_BATCH_FINDINGS = 2000;
const DENSE_BATCH_BYTES = 128 << 10;

export class FindingsBackpressure {
  #unwritten = 0;
  #dense = false;
  #suspended = false;

  get blocks(): boolean {
    return this.#unwritten > MAX_UNWRITTEN && !this.#suspended;
  }

  add(findings: number): void {
    this.#unwritten += findings;
  }

  remove(findings: number): void {
    this.#unwritten -= findings;
  }

  recordBatch(findings: number): void {
    this.#dense = findings > DENSE_BATCH_FINDINGS;
  }

  /** The size of the next batch: `bytes`, or less while batches have many findings. */
  limitBatch(bytes: number): number {
    return this.#dense ? DENSE_BATCH_BYTES : bytes;
  }

  /**
   * Blocks nothing while `fn` runs, until a batch was taken. Without this, a shard whose first object is still queued would wait for
   * ever: nothing can be written before that object has ended.
   */
  suspend(fn: () => void): void {
    this.#suspended = true;
    try {
      fn();
    } finally {
      this.#suspended = false;
    }
  }

  batchTaken(): void {
    this.#suspended = false;
  }
}
