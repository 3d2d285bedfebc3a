/** A command or an event: a type, and whatever belongs to it. */
export interface Typed {
  readonly type: string;
}
