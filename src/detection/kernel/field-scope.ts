/** Where the name of a value may be: on its line, in the brackets and lines around it, or in the head of a table. */
export const FIELD_SCOPE = { near: 0, lists: 1, columns: 2 } as const;
export type FieldScope = (typeof FIELD_SCOPE)[keyof typeof FIELD_SCOPE];
