/** How one part of a package refers to another, or to the world. */
export interface Relation {
  readonly id: string;
  /** The last word of its type, the same in all editions of the format: "hyperlink", "worksheet". */
  readonly type: string;
  /** A part's name, or where it leads outside. */
  readonly target: string;
  readonly outside: boolean;
}

/** Names of the parts that are referred to as one of these types. */
export function partsOf(relations: readonly Relation[], ...types: readonly string[]): readonly string[] {
  return relations
    .filter(({ type, outside }) => !outside && types.includes(type))
    .map(({ target }) => target);
}

/** Where hyperlinks lead, by the ids of their relations. */
export function linksOf(relations: readonly Relation[]): ReadonlyMap<string, string> {
  const links = relations.filter(({ type, outside }) => type === 'hyperlink' && outside);
  return new Map(links.map(({ id, target }) => [id, target]));
}

/** A link's address as people write it. */
export function plainTarget(target: string): string {
  return target.replace(/^mailto:/i, '').replace(/\/$/, '');
}
