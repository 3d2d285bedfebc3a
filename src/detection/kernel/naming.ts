/** From how far a value may be named: on its line, from the brackets and lines around it, or from the head of a table. */
export const NAMING = { near: 0, lists: 1, columns: 2 } as const;
export type Naming = (typeof NAMING)[keyof typeof NAMING];
