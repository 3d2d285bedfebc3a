import { type Code, i32, type Local, type Locals } from '../../../../base/wasm/assembler.ts';
import { BitCode } from './lzma-bits.ts';
import type { Copying } from './lzma-copy.ts';
import { FIELD, STATE } from './lzma-layout.ts';

/** The local variables of the code that decodes symbols. */
export class Registers {
  /** Parameters: a symbol begins there at the latest, and nothing is written from `end` on. */
  readonly last: Local;
  readonly end: Local;
  /** The maximum distance of a match; 0: to the window's beginning. */
  readonly reach: Local;

  readonly bits: BitCode;
  readonly state: Local;
  /** One less than those of the last matches, the very last first. */
  readonly distances: readonly [Local, Local, Local, Local];
  readonly rest: Local;
  readonly literalBits: Local;
  readonly literalMask: Local;
  readonly positionMask: Local;
  readonly copying: Copying;

  /** Twice what the position adds to contexts. */
  readonly position: Local;
  readonly length: Local;
  readonly stopped: Local;
  /** Scratch registers. */
  readonly a: Local;
  readonly b: Local;
  readonly c: Local;
  readonly d: Local;

  constructor(locals: Locals) {
    this.last = locals.param(0);
    this.end = locals.param(1);
    this.reach = locals.param(2);
    this.bits = new BitCode(locals);
    this.state = locals.i32();
    this.distances = [locals.i32(), locals.i32(), locals.i32(), locals.i32()];
    this.rest = locals.i32();
    this.literalBits = locals.i32();
    this.literalMask = locals.i32();
    this.positionMask = locals.i32();
    this.position = locals.i32();
    this.length = locals.i32();
    this.stopped = locals.i32();
    [this.a, this.b, this.c, this.d] = [locals.i32(), locals.i32(), locals.i32(), locals.i32()];
    this.copying = {
      ...{ distance: this.distances[0], length: this.length, ring: locals.param(3) },
      ...{ out: locals.i32(), end: locals.i32(), from: locals.i32() },
    };
  }

  load(): Code[] {
    return this.#kept().map(([field, local]) => local.set(i32.load(STATE + 4 * field, i32.const(0))));
  }

  save(): Code[] {
    return this.#kept().map(([field, local]) => i32.store(STATE + 4 * field, i32.const(0), local.get));
  }

  #kept(): [number, Local][] {
    const [last, second, third, fourth] = this.distances;
    return [
      [FIELD.range, this.bits.range],
      [FIELD.code, this.bits.code],
      [FIELD.at, this.bits.at],
      [FIELD.out, this.copying.out],
      [FIELD.state, this.state],
      [FIELD.last, last],
      [FIELD.second, second],
      [FIELD.third, third],
      [FIELD.fourth, fourth],
      [FIELD.rest, this.rest],
      [FIELD.literalBits, this.literalBits],
      [FIELD.literalMask, this.literalMask],
      [FIELD.positionMask, this.positionMask],
    ];
  }
}
