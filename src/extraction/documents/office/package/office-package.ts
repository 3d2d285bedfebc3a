/**
 * A package of parts that refer to each other: what Word, Excel and PowerPoint write. Format: ECMA-376 Part 2 (Open Packaging
 * Conventions).
 */
import { openZip, type ZipDirectory, type ZipMember } from '../../../archives/zip/zip-directory.ts';
import type { ExtractionBudget } from '../../../budget/extraction-budget.ts';
import type { RandomAccess } from '../../../document-item.ts';
import { CorruptInput, LimitExceeded } from '../../../extraction-error.ts';
import { folderOf, resolvePart } from './part-name.ts';
import { eachTag } from './parts.ts';
import type { Relation } from './relations.ts';

const MAX_RELATIONS = 1_000_000;

export class OfficePackage {
  readonly zip: ZipDirectory;

  constructor(zip: ZipDirectory) {
    this.zip = zip;
  }

  static async open(input: RandomAccess, budget: ExtractionBudget): Promise<OfficePackage> {
    return new OfficePackage(await openZip(input, budget));
  }

  /** The main document part: as the package declares, or at its usual location. */
  async main(...usual: readonly string[]): Promise<ZipMember> {
    const said = (await this.relations('')).find(({ type }) => type === 'officeDocument')?.target;
    const candidates = [said, await this.#mainByType(), ...usual];
    for (const name of candidates) {
      const part = name === undefined ? null : this.zip.find(name);
      if (part !== null) return part;
    }
    throw new CorruptInput('missing part');
  }

  /** What a part refers to, in order. */
  async relations(part: string): Promise<readonly Relation[]> {
    const folder = folderOf(part);
    const member = this.zip.find(`${folder}_rels/${part.slice(folder.length)}.rels`);
    if (member === null) return [];
    const relations: Relation[] = [];
    await eachTag(member, 'Relationship', (tag) => {
      if (relations.length === MAX_RELATIONS) throw new LimitExceeded('relations');
      const target = tag.attribute('Target') ?? '';
      const outside = tag.attribute('TargetMode') === 'External';
      relations.push({
        id: tag.attribute('Id') ?? '',
        type: lastWord(tag.attribute('Type') ?? ''),
        target: outside ? target : resolvePart(folder, target),
        outside,
      });
    });
    return relations;
  }

  async #mainByType(): Promise<string | undefined> {
    const types = this.zip.find('[Content_Types].xml');
    if (types === null) return undefined;
    let main: string | undefined;
    await eachTag(types, 'Override', (tag) => {
      if (/\.main(\+xml)?$/i.test(tag.attribute('ContentType') ?? ''))
        main ??= tag.attribute('PartName') ?? undefined;
    });
    return main;
  }
}

function lastWord(type: string): string {
  return type.slice(type.lastIndexOf('/') + 1);
}
