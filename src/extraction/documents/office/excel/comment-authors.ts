import { NameList, wholeName } from '../../../whole-name.ts';
import type { OfficePackage } from '../package/office-package.ts';
import { eachTag, type Parts } from '../package/parts.ts';
import { partsOf, type Relation } from '../package/relations.ts';
import { isBinary } from './binary/binary-records.ts';

/** A generous limit; further names are dropped. */
const MAX_COUNT = 65_536;
/** The author of a threaded comment's placeholder is an id, not a person. */
const STANDS_IN = /^tc=\{/;

/** Participants of threaded comments, by id. */
export type Persons = ReadonlyMap<string, string>;

export async function personsOf(
  office: OfficePackage,
  parts: Parts,
  relations: readonly Relation[],
): Promise<Persons> {
  const persons = new Map<string, string>();
  const names = new NameList();
  const part = office.zip.find(partsOf(relations, 'person')[0] ?? '');
  if (part === null || isBinary(part)) return persons;
  const list = eachTag(part, 'person', (tag) => {
    const name = wholeName(tag.attribute('displayName') ?? '');
    if (persons.size < MAX_COUNT) persons.set(tag.attribute('id') ?? '', names.keep(name));
  });
  await parts.optional(list);
  return persons;
}

/** The authors of a sheet's comments, which refer to them by index. */
export class CommentAuthors {
  readonly #names: string[] = [];
  readonly #list = new NameList();

  add(name: string): void {
    if (this.#names.length < MAX_COUNT)
      this.#names.push(STANDS_IN.test(name) ? '' : this.#list.keep(wholeName(name.trim())));
  }

  of(index: number): string {
    return this.#names[index] ?? '';
  }
}
