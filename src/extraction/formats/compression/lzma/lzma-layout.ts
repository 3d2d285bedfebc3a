/** Where things are in the decoder's memory, in bytes. Probabilities have two each. */
export const STATE = 0; // state kept between calls, see FIELD
export const PROBS = 64;

const IS_MATCH = PROBS; // 12 states × 16 positions
const IS_REPEATED = IS_MATCH + 2 * 192;
const IS_NOT_LAST = IS_REPEATED + 2 * 12;
const IS_NOT_SECOND = IS_NOT_LAST + 2 * 12;
const IS_NOT_THIRD = IS_NOT_SECOND + 2 * 12;
const IS_LONG = IS_NOT_THIRD + 2 * 12; // 12 states × 16 positions
const SLOT = IS_LONG + 2 * 192; // 4 lengths × 64
const NEAR = SLOT + 2 * 256; // the low bits of distances below 128
const ALIGN = NEAR + 2 * 128; // the lowest four bits of the others
const LENGTH = ALIGN + 2 * 16;
const LENGTHS = 2 * (2 + 16 * 8 + 16 * 8 + 256);
const REPEATED_LENGTH = LENGTH + LENGTHS;
const LITERAL = REPEATED_LENGTH + LENGTHS;

export const AT = {
  ...{ IS_MATCH, IS_REPEATED, IS_NOT_LAST, IS_NOT_SECOND, IS_NOT_THIRD, IS_LONG },
  ...{ SLOT, NEAR, ALIGN, LENGTH, REPEATED_LENGTH, LITERAL },
};

/** Of a literal's tree: the bits alone, those after an expected zero, those after an expected one. */
export const LITERAL_BYTES = 2 * 0x300;
const MAX_LITERAL_BITS = 8 + 4;

/** States from here on: the previous symbol was a match. */
export const AFTER_MATCH = 7;

/** Maximum bytes per symbol: one that begins this far before the end of the input can be decoded. */
export const MAX_SYMBOL_LENGTH = 24;
export const MAX_INPUT = 64 * 1024;
/** Zeros after the input, for reading incomplete symbols. */
export const INPUT_MARGIN = 64;
/** No file has that many probabilities in practice; unused pages take no memory. */
export const INPUT = LITERAL + (LITERAL_BYTES << MAX_LITERAL_BITS);
/**
 * A multiple of 16, so that the low bits of a byte's address equal those of its position, which the contexts need; the byte before it is
 * reserved.
 */
export const WINDOW = 16 * Math.ceil((INPUT + MAX_INPUT + INPUT_MARGIN + 1) / 16);
/** A match may be copied in words that go beyond its end. */
export const WINDOW_MARGIN = 64;

/** Numbers of 32 bits from STATE on. */
export const FIELD = {
  range: 0,
  code: 1,
  state: 2,
  // One less than the distances of the last matches.
  last: 3,
  second: 4,
  third: 5,
  fourth: 6,
  /** Of a match that did not fit. */
  rest: 7,
  /** The input and output positions. */
  at: 8,
  out: 9,
  literalBits: 10,
  literalMask: 11,
  positionMask: 12,
} as const;
export const FIELDS = 13;
