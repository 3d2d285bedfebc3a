import {
  addTo,
  block,
  br,
  brIf,
  type Code,
  i32,
  ifElse,
  Locals,
  loop,
  select,
  type WasmFunction,
} from '../../../../base/wasm/assembler.ts';
import { copyOn, goBack } from './lzma-copy.ts';
import { AFTER_MATCH, AT, LITERAL_BYTES, WINDOW } from './lzma-layout.ts';
import { match } from './lzma-match.ts';
import { Registers } from './lzma-registers.ts';

/** Why decoding stopped, other than for lack of input or space: at the end marker, or at a match beyond the window. */
export const ENDED = 1;
export const TOO_FAR = 2;

const MARKER = -1; // a distance that no match has
const n = i32.const;

/** `decode(last, end, reach, ring)`: decodes symbols. State is kept in the memory between calls. */
export function decodeSymbols(): WasmFunction {
  const locals = new Locals(4);
  const registers = new Registers(locals);
  const { bits, copying, last, end, state, position, positionMask, stopped } = registers;
  const { out } = copying;
  const body = [
    ...registers.load(),
    block(
      loop(
        brIf(1, i32.geU(out.get, end.get)),
        brIf(1, i32.gtU(bits.at.get, last.get)),
        position.set(i32.shl(i32.and(out.get, positionMask.get), n(1))),
        ...bits.branch(
          AT.IS_MATCH,
          i32.add(i32.shl(state.get, n(5)), position.get),
          [...literal(registers), br(1)],
          match(registers),
        ),
        ifElse(isTooFar(registers), [
          stopped.set(select(n(ENDED), n(TOO_FAR), i32.eq(copying.distance.get, n(MARKER)))),
          br(2),
        ]),
        ...keepRest(registers),
        ...goBack(copying),
        ...copyOn(copying),
        br(0),
      ),
    ),
    ...registers.save(),
    stopped.get,
  ];
  return { name: 'decode', locals, body };
}

/** In a tree of its own for each context: the position, and the high bits of the byte before. */
function literal({ bits, copying, state, literalBits, literalMask, length, a, b, c, d }: Registers): Code[] {
  const { out, from } = copying;
  const [base, symbol] = [a, length];
  const byPosition = i32.shl(i32.and(out.get, literalMask.get), literalBits.get);
  const before = i32.load8(0, i32.sub(out.get, n(1)));
  const context = i32.add(byPosition, i32.shrU(before, i32.sub(n(8), literalBits.get)));
  return [
    base.set(i32.add(n(AT.LITERAL), i32.mul(n(LITERAL_BYTES), context))),
    ifElse(
      i32.ltU(state.get, n(AFTER_MATCH)),
      [
        ...bits.tree(0, base, 8, symbol),
        state.set(select(n(0), i32.sub(state.get, n(3)), i32.ltU(state.get, n(4)))),
      ],
      [
        ...goBack(copying),
        b.set(i32.load8(0, from.get)),
        ...bits.unlike(base, b, c, d, symbol),
        state.set(i32.sub(state.get, select(n(3), n(6), i32.ltU(state.get, n(10))))),
      ],
    ),
    i32.store8(0, out.get, symbol.get),
    addTo(out, n(1)),
  ];
}

function isTooFar({ copying, reach }: Registers): Code {
  const written = i32.sub(copying.out.get, n(WINDOW));
  return i32.geU(copying.distance.get, select(reach.get, written, reach.get));
}

/** What there is no room for is copied when there is. */
function keepRest({ copying, end, length, rest }: Registers): Code[] {
  return [
    rest.set(i32.sub(end.get, copying.out.get)),
    ifElse(
      i32.gtU(length.get, rest.get),
      [rest.set(i32.sub(length.get, rest.get)), length.set(i32.sub(length.get, rest.get))],
      [rest.set(n(0))],
    ),
  ];
}
