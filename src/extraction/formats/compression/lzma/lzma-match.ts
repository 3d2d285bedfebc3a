import { addTo, type Code, i32, ifElse, select } from '../../../../base/wasm/assembler.ts';
import { AFTER_MATCH, AT } from './lzma-layout.ts';
import type { Registers } from './lzma-registers.ts';

const MIN_MATCH_LENGTH = 2;
const n = i32.const;

/** Leaves the length, and the distance as the last one. */
export function match(registers: Registers): Code[] {
  const { bits, state, distances, length, position } = registers;
  const [last, second, third, fourth] = distances;
  const byState = i32.shl(state.get, n(1));
  const byStateAndPosition = i32.add(i32.shl(state.get, n(5)), position.get);
  const become = (first: number, afterAnother: number) =>
    state.set(select(n(first), n(afterAnother), i32.ltU(state.get, n(AFTER_MATCH))));
  const anew = [
    ...[fourth.set(third.get), third.set(second.get), second.set(last.get)],
    ...lengthOf(registers, AT.LENGTH),
    become(7, 10),
    ...distanceOf(registers),
  ];
  const oneByte = [become(9, 11), length.set(n(1))];
  const sameDistance = bits.branch(AT.IS_LONG, byStateAndPosition, oneByte, []);
  return bits.branch(AT.IS_REPEATED, byState, anew, [
    length.set(n(0)),
    ...bits.branch(AT.IS_NOT_LAST, byState, sameDistance, bringForward(registers)),
    ifElse(i32.eqz(length.get), [...lengthOf(registers, AT.REPEATED_LENGTH), become(8, 11)]),
  ]);
}

/** One of the earlier distances becomes the last one. */
function bringForward({ bits, state, distances, a: chosen }: Registers): Code[] {
  const [last, second, third, fourth] = distances;
  const byState = i32.shl(state.get, n(1));
  const fourthOne = [chosen.set(fourth.get), fourth.set(third.get)];
  const thirdOne = [chosen.set(third.get)];
  return [
    ...bits.branch(
      AT.IS_NOT_SECOND,
      byState,
      [chosen.set(second.get)],
      [...bits.branch(AT.IS_NOT_THIRD, byState, thirdOne, fourthOne), third.set(second.get)],
    ),
    second.set(last.get),
    last.set(chosen.get),
  ];
}

/** Two bits determine how many others follow: three, three or eight. */
function lengthOf({ bits, position, length, a: base }: Registers, at: number): Code[] {
  const low = at + 4;
  const middle = low + 2 * 128;
  const high = middle + 2 * 128;
  // The tree's result has a leading one.
  const plus = (more: number, one: number) => addTo(length, n(MIN_MATCH_LENGTH + more - one));
  return [
    base.set(i32.shl(position.get, n(3))),
    ...bits.branch(
      at,
      n(0),
      [...bits.tree(low, base, 3, length), plus(0, 8)],
      bits.branch(
        at + 2,
        n(0),
        [...bits.tree(middle, base, 3, length), plus(8, 8)],
        [base.set(n(0)), ...bits.tree(high, base, 8, length), plus(16, 256)],
      ),
    ),
  ];
}

/** The distance minus one. From 128 on only the highest and the lowest bits have probabilities. */
function distanceOf({ bits, distances, length, a: base, b: slot, c: count, d: place }: Registers): Code[] {
  const [last] = distances;
  const shorter = i32.sub(length.get, n(MIN_MATCH_LENGTH));
  const near = [
    base.set(i32.shl(i32.sub(last.get, slot.get), n(1))),
    ...bits.reverseTree(AT.NEAR, base, count.get, place, last),
  ];
  const far = [
    count.set(i32.sub(count.get, n(4))),
    ...bits.direct(count, base),
    addTo(last, i32.shl(base.get, n(4))),
    base.set(n(0)),
    ...bits.reverseTree(AT.ALIGN, base, n(4), place, last),
  ];
  return [
    base.set(i32.shl(select(shorter, n(3), i32.ltU(shorter, n(3))), n(7))),
    ...bits.tree(AT.SLOT, base, 6, slot),
    last.set(slot.tee(i32.sub(slot.get, n(64)))),
    ifElse(i32.geU(slot.get, n(4)), [
      count.set(i32.sub(i32.shrU(slot.get, n(1)), n(1))),
      last.set(i32.shl(i32.or(n(2), i32.and(slot.get, n(1))), count.get)),
      ifElse(i32.ltU(slot.get, n(14)), near, far),
    ]),
  ];
}
