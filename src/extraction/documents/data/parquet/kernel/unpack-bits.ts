import {
  addTo,
  i32,
  type Local,
  Locals,
  type WasmFunction,
  whileTrue,
} from '../../../../../base/wasm/assembler.ts';

/** `unpackBits(from, shift, width, target, end)`: numbers of up to 24 bits, the lowest first, after the first `shift` bits of `from`. */
export function unpackBits(): WasmFunction {
  const locals = new Locals(5);
  const [from, bit, width, target, end] = [0, 1, 2, 3, 4].map((n) => locals.param(n)) as [
    ...[Local, Local, Local, Local, Local],
  ];
  const mask = locals.i32();
  const bytes = i32.load(0, i32.add(from.get, i32.shrU(bit.get, i32.const(3))));
  const body = [
    mask.set(i32.sub(i32.shl(i32.const(1), width.get), i32.const(1))),
    whileTrue(i32.ltU(target.get, end.get), [
      i32.store(0, target.get, i32.and(i32.shrU(bytes, i32.and(bit.get, i32.const(7))), mask.get)),
      addTo(bit, width.get),
      addTo(target, i32.const(4)),
    ]),
    i32.const(0),
  ];
  return { name: 'unpackBits', locals, body };
}
