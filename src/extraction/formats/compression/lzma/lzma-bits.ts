import {
  addTo,
  brIf,
  type Code,
  i32,
  ifElse,
  type Local,
  type Locals,
  loop,
  select,
} from '../../../../base/wasm/assembler.ts';

/** A probability is of a zero, in 2048ths; it moves by a 32nd of the way with each bit. */
const WHOLE = 2048;
const SPEED = 5;
const ROUND_UP = (1 << SPEED) - 1;
const n = i32.const;

/**
 * Generates code that decodes bits with adaptive probabilities. All mutable state is in local variables. Bits that determine the kind of
 * symbol are predictable and become branches. Those of a literal or a length are not, so both outcomes are computed and one is selected;
 * a branch would be mispredicted every third time, at more cost.
 */
export class BitCode {
  readonly range: Local;
  readonly code: Local;
  /** The address of the next byte of input. */
  readonly at: Local;
  readonly #p: Local;
  readonly #bound: Local;
  readonly #bit: Local;
  readonly #address: Local;
  readonly #symbol: Local; // the bits so far after a leading one, times two: probabilities have two bytes

  constructor(locals: Locals) {
    this.range = locals.i32();
    this.code = locals.i32();
    this.at = locals.i32();
    this.#p = locals.i32();
    this.#bound = locals.i32();
    this.#bit = locals.i32();
    this.#address = locals.i32();
    this.#symbol = locals.i32();
  }

  /** Its probability is at `address` plus `offset`. */
  branch(offset: number, address: Code, zero: readonly Code[], one: readonly Code[]): Code[] {
    const { range, code } = this;
    const [p, bound] = [this.#p.get, this.#bound.get];
    const learn = (learnt: Code) => i32.store16(offset, this.#address.get, learnt);
    const towardsZero = i32.add(p, i32.shrU(i32.sub(n(WHOLE), p), n(SPEED)));
    const towardsOne = i32.sub(p, i32.shrU(p, n(SPEED)));
    return [
      ...this.#weigh(offset, address),
      ifElse(
        i32.ltU(code.get, bound),
        [range.set(bound), learn(towardsZero), this.#normalize(), ...zero],
        [
          ...[range.set(i32.sub(range.get, bound)), code.set(i32.sub(code.get, bound))],
          ...[learn(towardsOne), this.#normalize(), ...one],
        ],
      ),
    ];
  }

  /** `bits` bits, highest first, each with the previous ones as context. The result has a leading one. */
  tree(offset: number, base: Local, bits: number, to: Local): Code[] {
    const step = this.#step(offset, i32.add(base.get, this.#symbol.get));
    return [
      this.#symbol.set(n(2)),
      ...Array.from({ length: bits }, () => step).flat(),
      to.set(i32.shrU(this.#symbol.get, n(1))),
    ];
  }

  /**
   * A literal after a match; the result has a leading one. The match would have continued with the byte `expected`, so that byte's bits
   * are contexts too, up to the first that differs. `same`: 512 up to there, then 0.
   */
  unlike(base: Local, expected: Local, same: Local, before: Local, to: Local): Code[] {
    const context = i32.add(i32.add(base.get, before.get), i32.add(same.get, this.#symbol.get));
    const step = [
      before.set(same.get),
      same.set(i32.and(same.get, expected.get)),
      expected.set(i32.shl(expected.get, n(1))),
      ...this.#step(0, context),
      same.set(i32.xor(same.get, i32.and(before.get, i32.sub(this.#bit.get, n(1))))),
    ];
    return [
      this.#symbol.set(n(2)),
      expected.set(i32.shl(expected.get, n(2))),
      same.set(n(512)),
      ...Array.from({ length: 8 }, () => step).flat(),
      to.set(i32.shrU(this.#symbol.get, n(1))),
    ];
  }

  /** As many bits as `bits` (at least one), lowest first, added to `to`. */
  reverseTree(offset: number, base: Local, bits: Code, place: Local, to: Local): Code[] {
    return [
      this.#symbol.set(n(2)),
      place.set(n(0)),
      loop(
        ...this.#step(offset, i32.add(base.get, this.#symbol.get)),
        addTo(to, i32.shl(this.#bit.get, place.get)),
        brIf(0, i32.ltU(place.tee(i32.add(place.get, n(1))), bits)),
      ),
    ];
  }

  /** As many bits as `bits` (at least one) with fixed probability one half, selected by the sign. */
  direct(bits: Local, to: Local): Code[] {
    const { range, code } = this;
    const below = this.#bit;
    return [
      to.set(n(0)),
      loop(
        range.set(i32.shrU(range.get, n(1))),
        below.set(i32.shrS(code.tee(i32.sub(code.get, range.get)), n(31))),
        code.set(i32.add(code.get, i32.and(range.get, below.get))),
        to.set(i32.add(i32.add(i32.shl(to.get, n(1)), below.get), n(1))),
        this.#normalize(),
        brIf(0, bits.tee(i32.sub(bits.get, n(1)))),
      ),
    ];
  }

  /** A decoded bit, appended to those of the symbol. */
  #step(offset: number, address: Code): Code[] {
    const { range, code } = this;
    const [p, bound, bit] = [this.#p.get, this.#bound.get, this.#bit.get];
    const ifZero = i32.and(i32.sub(bit, n(1)), n(ROUND_UP - WHOLE));
    const learnt = i32.sub(p, i32.shrS(i32.add(p, ifZero), n(SPEED)));
    return [
      ...this.#weigh(offset, address),
      this.#bit.set(i32.geU(code.get, bound)),
      range.set(select(i32.sub(range.get, bound), bound, bit)),
      code.set(select(i32.sub(code.get, bound), code.get, bit)),
      i32.store16(offset, this.#address.get, learnt),
      this.#normalize(),
      this.#symbol.set(i32.shl(i32.add(this.#symbol.get, bit), n(1))),
    ];
  }

  /** Up to the bound it is a zero. */
  #weigh(offset: number, address: Code): Code[] {
    return [
      this.#p.set(i32.load16(offset, this.#address.tee(address))),
      this.#bound.set(i32.mul(i32.shrU(this.range.get, n(11)), this.#p.get)),
    ];
  }

  /** Done after every bit, so that at the end of a chunk all its bytes have been read. */
  #normalize(): Code {
    const { range, code, at } = this;
    return ifElse(i32.ltU(range.get, n(1 << 24)), [
      range.set(i32.shl(range.get, n(8))),
      code.set(i32.or(i32.shl(code.get, n(8)), i32.load8(0, at.get))),
      addTo(at, n(1)),
    ]);
  }
}
