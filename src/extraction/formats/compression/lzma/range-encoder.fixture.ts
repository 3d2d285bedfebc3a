/** A range encoder; callers must keep its range above 2^24. */
export class RangeEncoder {
  range = 0xffffffff;
  readonly #out: number[] = [];
  #low = 0n;

  /** The new range begins this far above the start of the old one. */
  narrow(start: number, range: number): void {
    this.#low += BigInt(start);
    this.range = range;
    while (this.range < 2 ** 24) {
      this.range = (this.range << 8) >>> 0;
      this.#shift();
    }
  }

  end(): Buffer {
    for (let i = 0; i < 5; i++) this.#shift();
    return Buffer.from([0, ...this.#out.slice(0, -1)]);
  }

  #shift(): void {
    this.#out.push(Number((this.#low >> 24n) & 0xffn));
    for (let at = this.#out.length - 2, carry = this.#low >> 32n; carry > 0n && at >= 0; at--) {
      this.#out[at] = (this.#out[at]! + 1) & 0xff;
      if (this.#out[at] !== 0) carry = 0n;
    }
    this.#low = (this.#low & 0xffffffn) << 8n;
  }
}
