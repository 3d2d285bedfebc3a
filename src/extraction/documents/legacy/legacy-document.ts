import type { ExtractionBudget } from '../../budget/extraction-budget.ts';
import type { DocumentItem, RandomAccess, ReadingOptions } from '../../document-item.ts';
import { CorruptInput, Encrypted, Unsupported } from '../../extraction-error.ts';
import { PartErrors } from '../part-errors.ts';
import type { Storage } from './compound-file/compound-directory.ts';
import { openCompoundFile } from './compound-file/compound-file.ts';
import { documentProperties } from './compound-file/property-set.ts';
import { embeddedObjects, holdsObject, type ReadStored, readObject } from './embedded-objects.ts';
import { readExcel97 } from './excel/excel-97.ts';
import { readOutlookMessage } from './outlook/outlook-message.ts';
import { readPowerPoint97 } from './powerpoint/powerpoint-97.ts';
import { readWord97 } from './word/word-97.ts';

export type LegacyType = 'word-97' | 'excel-97' | 'powerpoint-97' | 'outlook-message' | 'encrypted';

/** The stream that identifies the type of a compound file. Documents since 2007 are compound files if they have a password. */
const STREAMS: readonly (readonly [name: string, kind: LegacyType])[] = [
  ['EncryptedPackage', 'encrypted'],
  ['WordDocument', 'word-97'],
  ['Workbook', 'excel-97'],
  ['Book', 'excel-97'],
  ['PowerPoint Document', 'powerpoint-97'],
  ['__properties_version1.0', 'outlook-message'],
];

/** null: a compound file of another program. */
export function sniffCompoundFile(root: Storage): LegacyType | null {
  return STREAMS.find(([name]) => root.stream(name) !== null)?.[1] ?? null;
}

/** Documents of Office up to 2003, and messages of Outlook. */
export async function* readLegacy(
  input: RandomAccess,
  budget: ExtractionBudget,
  _options: ReadingOptions,
): AsyncGenerator<DocumentItem> {
  const { root, damaged } = await openCompoundFile(input);
  const errors = new PartErrors();
  yield* errors.attempt(await readRoot(root, budget));
  if (damaged) errors.record(new CorruptInput('compound file directory'));
  errors.throwFirst();
}

/** Documents since 2007 store each embedded object in a separate compound file, which contains nothing else. */
async function readRoot(root: Storage, budget: ExtractionBudget): Promise<AsyncGenerator<DocumentItem>> {
  const document = readStored(budget)(root, 0);
  if (document !== null) return document;
  if (!(await holdsObject(root))) throw new Unsupported('OLE compound file');
  return readObject(root, budget, 0, readStored(budget));
}

function readStored(budget: ExtractionBudget): ReadStored {
  return (storage, depth) => {
    const type = sniffCompoundFile(storage);
    return type === null ? null : readDocument(storage, type, budget, depth);
  };
}

async function* readDocument(
  storage: Storage,
  type: LegacyType,
  budget: ExtractionBudget,
  depth: number,
): AsyncGenerator<DocumentItem> {
  const errors = new PartErrors();
  yield* errors.attempt(readText(storage, type, budget, depth));
  yield* errors.attempt(documentProperties(storage));
  yield* errors.attempt(embeddedObjects(storage, budget, depth, readStored(budget)));
  errors.throwFirst();
}

async function* readText(
  storage: Storage,
  type: LegacyType,
  budget: ExtractionBudget,
  depth: number,
): AsyncGenerator<DocumentItem> {
  if (type === 'encrypted') throw new Encrypted();
  if (type === 'word-97') yield* readWord97(storage, budget);
  else if (type === 'excel-97') yield* readExcel97(storage, budget);
  else if (type === 'powerpoint-97') yield* readPowerPoint97(storage, budget);
  else {
    yield* readOutlookMessage(storage, budget, (object) =>
      readObject(object, budget, depth, readStored(budget)),
    );
  }
}
