/** HTML elements inside a line of text that affect only its appearance. */
export const INLINE: ReadonlySet<string> = new Set(
  'a b big code em font i mark s small span strong sub sup tt u wbr'.split(' '),
);
