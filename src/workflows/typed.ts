/** A command or an event: a type and further fields. */
export interface Typed {
  readonly type: string;
}
