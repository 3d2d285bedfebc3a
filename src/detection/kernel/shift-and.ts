/**
 * The second half of the kernel: evaluates each start filter as shifts and ANDs over the masks, for 2 × 48 positions at once. Built from
 * the pattern's end to its beginning; common subexpressions (a run of eight digits, a word boundary) are computed once.
 */
import { type Code, i32, i64x2, type Local, type Locals, v128 } from '../../base/wasm/assembler.ts';
import type { ApproxPattern } from './approx-pattern.ts';
import {
  ALNUM,
  ANY,
  ANYWHERE,
  DASH,
  DIGIT,
  DOT,
  LETTER,
  LOWER,
  NEAR_LABEL,
  OTHER,
  SEPARATOR,
  SPACE,
  UPPER,
  WORD,
} from './byte-classes.ts';
import type { LabelGatedPattern } from './label-gated-patterns.ts';
import { BEFORE_TILE, MASKS, maskOffset } from './mask-pass.ts';
import type { StartFilter } from './start-filter.ts';

/** Positions per 64-bit lane: 48, so that shifts by up to 16 lose no bits. */
export const LANE = 48;
const LANE_BYTES = LANE / 8;
const SINGLES = [
  DIGIT,
  UPPER,
  LOWER,
  ...MASKS.filter((one) => one < OTHER && ![DIGIT, LETTER, UPPER].includes(one)),
];

/** A computed bit vector; `id` is its key for common subexpressions. */
export interface Bits {
  readonly id: number;
  readonly code: Code;
}

/** Null: always true. */
type Condition = Bits | null;

export class ShiftAndBuilder {
  readonly code: Code[] = [];
  readonly #locals: Locals;
  readonly #masks: number;
  readonly #address: Local;
  readonly #computed: Map<string, Bits>;

  /** `masks`: the address of the mask arrays; `address`: the offset in each array that the positions start at. */
  constructor(locals: Locals, masks: number, address: Local, known: ReadonlyMap<string, Bits> = new Map()) {
    this.#locals = locals;
    this.#masks = masks;
    this.#address = address;
    this.#computed = new Map(known);
  }

  /** A builder for code in a branch: it reuses expressions computed here, but its own are not visible outside the branch. */
  branch(): ShiftAndBuilder {
    return new ShiftAndBuilder(this.#locals, this.#masks, this.#address, this.#computed);
  }

  /** One bit per position, one byte before it, where a start filter matches or a known prefix begins. */
  startFilters(filters: readonly StartFilter[]): Bits {
    const alnum = this.#classes(ALNUM);
    const of = (border: boolean) =>
      filters
        .filter(({ startBorder }) => startBorder === border)
        .map(({ approx }) => this.#shifted(this.#startBits(approx), 1));
    const inside = [this.#shifted(this.#mask(ANYWHERE), 3), this.#shifted(this.#mask(WORD), 1), ...of(false)];
    const bordered = of(true);
    return bordered.length === 0
      ? this.any(inside)
      : this.any([...inside, this.#andNot(this.any(bordered), alnum)]);
  }

  /** The last letter of a name that is followed by a separator, with up to four blanks, quotes or brackets between. */
  assignment(): Bits {
    const separator = this.#mask(SEPARATOR);
    const between = this.#classes(SPACE | OTHER);
    let end = separator;
    for (let n = 0; n < 4; n++) end = this.#or(separator, this.#and(between, this.#shifted(end, 1)));
    return this.#and(this.#mask(LETTER), this.#shifted(end, 1));
  }

  /** One bit per position, two bytes before it, where a label-gated value may begin near a context word. */
  labelGated(labelGated: readonly LabelGatedPattern[]): Bits {
    const values = this.any(labelGated.map(({ approx }) => this.#startBits(approx)));
    return this.#and(this.#shifted(this.#and(values, this.#mask(NEAR_LABEL)), 2), this.#numberMayBegin());
  }

  /** Where any context word is in reach. */
  anyNearLabel(): Bits {
    return this.#mask(NEAR_LABEL);
  }

  any(parts: readonly Bits[]): Bits {
    return parts.reduce((all, next) => this.#or(all, next));
  }

  #startBits(approx: ApproxPattern): Bits {
    const bits = this.#match(approx, null);
    if (bits === null) throw new RangeError('a start filter must constrain at least one byte');
    return bits;
  }

  /** Where `node` matches and `then` holds after it. */
  #match(node: ApproxPattern, then: Condition): Condition {
    switch (node.kind) {
      case 'rest':
        return null;
      case 'class':
        return this.#run(node.classes, 1, then);
      case 'sequence':
        return this.#sequence(node.items, then);
      case 'choice':
        return this.#either(node.options.map((option) => this.#match(option, then)));
      case 'repeat': {
        let match = then;
        for (let n = 0; n < node.max; n++) match = this.#either([then, this.#match(node.item, match)]);
        return match;
      }
    }
  }

  #sequence(items: readonly ApproxPattern[], then: Condition): Condition {
    let match = then;
    for (let end = items.length; end > 0; ) {
      const last = items[end - 1]!;
      let start = end - 1;
      if (last.kind !== 'class') match = this.#match(last, match);
      else {
        while (start > 0 && isClass(items[start - 1]!, last.classes)) start--;
        match = this.#run(last.classes, end - start, match);
      }
      end = start;
    }
    return match;
  }

  /** `length` bytes of these classes in a row, then `then`. */
  #run(classes: number, length: number, then: Condition): Condition {
    const behind = then && this.#shifted(then, length);
    return classes === ANY ? behind : this.#both(this.#inARow(classes, length), behind);
  }

  #inARow(classes: number, length: number): Bits {
    if (length === 1) return this.#classes(classes);
    const half = 2 ** Math.floor(Math.log2(length - 1));
    const part = this.#inARow(classes, half);
    return this.#and(part, this.#shifted(part, length - half));
  }

  #both(a: Bits, b: Condition): Bits {
    return b === null ? a : this.#and(a, b);
  }

  #either(parts: readonly Condition[]): Condition {
    return parts.includes(null) ? null : this.any(parts as readonly Bits[]);
  }

  /** Two bytes before a value: it directly follows no letter or digit, nor one with a dash or dot between. */
  #numberMayBegin(): Bits {
    const word = this.#classes(ALNUM);
    const joined = this.#and(word, this.#shifted(this.#classes(DASH | DOT), 1));
    return this.#not(this.#or(joined, this.#shifted(word, 1)));
  }

  #classes(classes: number): Bits {
    if (classes & OTHER) return this.#not(this.#classes(ANY & ~classes));
    if (classes === LOWER) return this.#andNot(this.#mask(LETTER), this.#mask(UPPER));
    const letters = (classes & LETTER) === LETTER;
    const rest = letters ? classes & ~LETTER : classes;
    const parts = SINGLES.filter((one) => (rest & one) !== 0).map((one) =>
      one === LOWER ? this.#classes(LOWER) : this.#mask(one),
    );
    return this.any(letters ? [this.#mask(LETTER), ...parts] : parts);
  }

  #mask(one: number): Bits {
    const offset = this.#masks + maskOffset(one) + BEFORE_TILE / 8;
    const address = this.#address.get;
    return this.#named(
      `mask ${one}`,
      v128.load64High(offset + LANE_BYTES, address, v128.load64Zero(offset, address)),
    );
  }

  #and(a: Bits, b: Bits): Bits {
    return a.id === b.id ? a : this.#named(`and ${pairOf(a, b)}`, v128.and(a.code, b.code));
  }

  #or(a: Bits, b: Bits): Bits {
    return a.id === b.id ? a : this.#named(`or ${pairOf(a, b)}`, v128.or(a.code, b.code));
  }

  #andNot(a: Bits, b: Bits): Bits {
    return this.#named(`${a.id} without ${b.id}`, v128.andNot(a.code, b.code));
  }

  #not(a: Bits): Bits {
    return this.#named(`not ${a.id}`, v128.not(a.code));
  }

  #shifted(a: Bits, by: number): Bits {
    return by === 0 ? a : this.#named(`${a.id} >> ${by}`, i64x2.shrU(a.code, i32.const(by)));
  }

  #named(name: string, value: Code): Bits {
    const known = this.#computed.get(name);
    if (known) return known;
    const local = this.#locals.v128();
    this.code.push(local.set(value));
    const bits = { id: this.#computed.size, code: local.get };
    this.#computed.set(name, bits);
    return bits;
  }
}

function isClass(node: ApproxPattern, classes: number): boolean {
  return node.kind === 'class' && node.classes === classes;
}

/** The same key for both orders. */
function pairOf(a: Bits, b: Bits): string {
  return a.id < b.id ? `${a.id} ${b.id}` : `${b.id} ${a.id}`;
}
