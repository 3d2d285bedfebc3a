/** Turns of a pentagon: 0–4 rotate, 5–9 reflect. The check is non-commutative, so that swapped neighbours are noticed. */
function turn(a: number, b: number): number {
  if (a < 5) return b < 5 ? (a + b) % 5 : 5 + ((a + b) % 5);
  return b < 5 ? 5 + ((a - b) % 5) : (a - b + 5) % 5;
}

const STEP = [1, 5, 7, 6, 2, 8, 3, 0, 9, 4];

/**
 * Verhoeff's check digit, the last of `digits`: each digit is permuted according to its position from the right, then combined in the
 * dihedral group D5.
 */
export function verhoeff(digits: string): boolean {
  let state = 0;
  for (let place = 0; place < digits.length; place++) {
    let digit = digits.charCodeAt(digits.length - 1 - place) - 48;
    for (let n = place % 8; n > 0; n--) digit = STEP[digit]!;
    state = turn(state, digit);
  }
  return state === 0;
}
