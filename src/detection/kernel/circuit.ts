/**
 * The second half of the kernel: each filter is a row of shifts and ands over the masks, for 2 × 48 places at once. It is built from
 * the pattern's end to its beginning, and what filters have in common (a run of eight digits, a border) is computed once.
 */
import { type Code, i32, i64x2, type Local, type Locals, v128 } from './assembler.ts';
import {
  ALNUM,
  ANY,
  ANYWHERE,
  DASH,
  DIGIT,
  DOT,
  LETTER,
  LOWER,
  OTHER,
  SEPARATOR,
  SPACE,
  TAIL,
  UPPER,
} from './byte-classes.ts';
import type { Filter } from './filters.ts';
import { FORM_CLASSES, FORM_DIGITS, FORM_LENGTH, FORM_SIGNS } from './forms.ts';
import type { Loose } from './looseness.ts';
import { BEFORE_TILE, MASK_SPACING, MASKS, maskOffset } from './mask-pass.ts';

/** Places in a lane: a shift of up to sixteen leaves them whole. */
export const LANE = 48;
const LANE_BYTES = LANE / 8;
const SINGLES = [
  DIGIT,
  UPPER,
  LOWER,
  ...MASKS.filter((one) => one < OTHER && ![DIGIT, LETTER, UPPER].includes(one)),
];

/** Filters that begin alike: with a digit, or with a capital before another or a digit. */
export type Cluster = 'digit' | 'capital';

/** A vector of bits that has been computed; `id` tells equal ones. */
export interface Bits {
  readonly id: number;
  readonly code: Code;
}

/** null: holds everywhere. */
type Condition = Bits | null;

export class Circuit {
  readonly code: Code[] = [];
  readonly #locals: Locals;
  readonly #masks: number;
  readonly #address: Local;
  readonly #known: Map<string, Bits>;

  /** `masks`: where the arrays of masks are; `address`: the byte of theirs that the places begin with. */
  constructor(locals: Locals, masks: number, address: Local, known: ReadonlyMap<string, Bits> = new Map()) {
    this.#locals = locals;
    this.#masks = masks;
    this.#address = address;
    this.#known = new Map(known);
  }

  /** For code that runs only now and then: it knows what is known here, but not the other way round. */
  branch(): Circuit {
    return new Circuit(this.#locals, this.#masks, this.#address, this.#known);
  }

  /** One bit for each place where the filter holds; the value begins `leadOf(filter)` bytes behind it. */
  filter(filter: Filter): Bits {
    const lead = leadOf(filter);
    const bits = this.#match(filter.loose, null);
    if (bits === null) throw new RangeError('a filter must say something');
    const moved = this.#shifted(bits, lead);
    if (lead === 2) return this.#and(moved, this.#numberMayBegin());
    return lead === 1 ? this.#andNot(moved, this.#classes(ALNUM)) : moved;
  }

  /** The last letter of a name, and behind it a separator, with up to four blanks, quotes or brackets between. */
  assignment(): Bits {
    const separator = this.#mask(SEPARATOR);
    const between = this.#classes(SPACE | OTHER);
    let end = separator;
    for (let n = 0; n < 4; n++) end = this.#or(separator, this.#and(between, this.#shifted(end, 1)));
    return this.#and(this.#mask(TAIL), this.#shifted(end, 1));
  }

  /** Where a filter of this cluster may hold at all. */
  cluster(cluster: Cluster): Bits {
    const word = this.#classes(ALNUM);
    const border = (bits: Bits) => this.#andNot(this.#shifted(bits, 1), word);
    if (cluster === 'digit') return border(this.#classes(DIGIT));
    return border(this.#and(this.#classes(UPPER), this.#shifted(this.#classes(UPPER | DIGIT), 1)));
  }

  /** Of a group of filters that need a label: where one holds and a word speaks for it. */
  heard(filters: readonly Bits[], groups: number, group: number): Bits {
    const offset = groups + group * MASK_SPACING + BEFORE_TILE / 8;
    const address = this.#address.get;
    const load = v128.load64High(offset + LANE_BYTES, address, v128.load64Zero(offset, address));
    return this.#and(this.any(filters), this.#shifted(this.#named(`group ${group}`, load), 2));
  }

  any(parts: readonly Bits[]): Bits {
    return parts.reduce((all, next) => this.#or(all, next));
  }

  /** Where `node` matches and what is behind it fulfils `then`. */
  #match(node: Loose, then: Condition): Condition {
    switch (node.kind) {
      case 'rest':
        return null;
      case 'known':
        return this.#shifted(this.#mask(ANYWHERE), 2);
      case 'form':
        return node.sort === 'digits' ? this.#digits() : this.#capitals();
      case 'class':
        return this.#run(node.classes, 1, then);
      case 'border':
        return this.#both(this.#not(this.#classes(ALNUM)), then);
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

  #sequence(items: readonly Loose[], then: Condition): Condition {
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

  /** Many digits in a row, or digits with something else among them; a date is none of our business. */
  #digits(): Bits {
    const digit = this.#classes(DIGIT);
    const sign = this.#among(this.#classes(FORM_CLASSES & ~DIGIT));
    const parted = this.#and(this.#inARow(FORM_CLASSES, FORM_LENGTH), sign);
    const two = this.#inARow(DIGIT, 2);
    const dash = this.#classes(DASH);
    const day = this.#and(this.#shifted(dash, 4), this.#and(this.#shifted(two, 5), this.#shifted(dash, 7)));
    const date = this.#and(this.#inARow(DIGIT, 4), day);
    const number = this.#or(this.#inARow(DIGIT, FORM_DIGITS), this.#andNot(parted, date));
    return this.#and(digit, number);
  }

  /** A capital, and a digit soon. */
  #capitals(): Bits {
    const row = this.#inARow(FORM_CLASSES, FORM_LENGTH);
    return this.#and(this.#and(this.#classes(UPPER), row), this.#among(this.#classes(DIGIT)));
  }

  /** Among the bytes behind the first there is one of these. */
  #among(bits: Bits): Bits {
    const two = this.#or(bits, this.#shifted(bits, 1));
    const four = this.#or(two, this.#shifted(two, 2));
    return this.#shifted(this.#or(four, this.#shifted(two, FORM_SIGNS - 2)), 1);
  }

  /** `length` bytes of these classes in a row, and then `then`. */
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

  /** Two places before a value: neither a letter or digit right before it, nor one with a dash or dot between. */
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
    const known = this.#known.get(name);
    if (known) return known;
    const local = this.#locals.v128();
    this.code.push(local.set(value));
    const bits = { id: this.#known.size, code: local.get };
    this.#known.set(name, bits);
    return bits;
  }
}

/** How many bytes before the value a filter looks at. */
export function leadOf({ labelled, startBorder }: Pick<Filter, 'labelled' | 'startBorder'>): number {
  return labelled ? 2 : startBorder ? 1 : 0;
}

function isClass(node: Loose, classes: number): boolean {
  return node.kind === 'class' && node.classes === classes;
}

/** The same whichever comes first. */
function pairOf(a: Bits, b: Bits): string {
  return a.id < b.id ? `${a.id} ${b.id}` : `${b.id} ${a.id}`;
}
