const LETTER = '[AC-HJKMNP-RT-Y]'; // no S, L, O, I, B, Z
const EITHER = '[0-9AC-HJKMNP-RT-Y]';
const SHAPE = new RegExp(`^[1-9]${LETTER}${EITHER}\\d${LETTER}${EITHER}\\d${LETTER}${LETTER}\\d\\d$`);

/** US Medicare Beneficiary Identifier: eleven positions, each with its own alphabet. There is no check digit. */
export function mbiShaped(text: string): boolean {
  return SHAPE.test(text);
}
