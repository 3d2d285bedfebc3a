/** Elements of HTML that stand within a line of text and say how it looks, not what it is. */
export const INLINE: ReadonlySet<string> = new Set(
  'a b big code em font i mark s small span strong sub sup tt u wbr'.split(' '),
);
