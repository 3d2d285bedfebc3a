/** The table of tables: it begins on the first page, and every file has it. */
import { wholeName } from '../../../whole-name.ts';
import type { PartErrors } from '../../part-errors.ts';
import { cellAt, partsOf } from './cell.ts';
import type { Database } from './database.ts';
import { headOf, integerOf, isText, sizeOf, textOf } from './record.ts';
import { walkTree } from './tree.ts';

const MAX_RECORD_LENGTH = 2 * 1024 * 1024;

export interface Table {
  readonly name: string;
  readonly root: number;
  /** The statement that made it; empty if it is too long to be one. */
  readonly sql: string;
}

/** In order of creation. Views and virtual tables have no pages. */
export async function* listTables(database: Database, errors: PartErrors): AsyncGenerator<Table> {
  for await (const { page, from, to } of walkTree(database.pages, 1, errors)) {
    for (let i = from; i < to; i++) {
      try {
        const cell = cellAt(page, i, database.pages.usable);
        const record = await beginning(partsOf(database.pages, page, cell));
        const [type, name, , root, sql] = fiveValues(record, database);
        if (type !== 'table' || typeof root !== 'number' || root === 0) continue;
        yield { name: wholeName(textIn(name)), root, sql: textIn(sql) };
      } catch (error) {
        errors.record(error);
      }
    }
  }
}

async function beginning(parts: AsyncGenerator<Uint8Array>): Promise<Uint8Array> {
  const taken: Uint8Array[] = [];
  let length = 0;
  for await (const part of parts) {
    taken.push(part);
    length += part.length;
    if (length > MAX_RECORD_LENGTH) break;
  }
  return taken.length === 1 ? taken[0]! : Buffer.concat(taken);
}

type Value = string | number | null;

function fiveValues(record: Uint8Array, { encoding }: Database): Value[] {
  const { types, end } = headOf(record, 0, record.length);
  const values: Value[] = [];
  for (let at = end; types.at < end && values.length < 5; ) {
    const type = Number(types.next());
    const to = at + sizeOf(type);
    if (to > record.length) values.push(null);
    else if (isText(type)) values.push(textOf(record, at, to, encoding));
    else values.push(type >= 1 && type <= 6 ? Number(integerOf(record, at, to)) : null);
    at = to;
  }
  return values;
}

function textIn(value: Value | undefined): string {
  return typeof value === 'string' ? value : '';
}
