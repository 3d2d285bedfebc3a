/** Records within records become columns of the row; what may be there any number of times stays one cell. */
import { NameList } from '../../../whole-name.ts';
import type { AvroRecord, AvroType } from './avro-schema.ts';

const MAX_DEPTH = 32;
/** A few named types that reference each other could otherwise expand to an astronomical number of columns. */
const MAX_COLUMNS = 10_000;
const MAX_PATH_LENGTH = 1024;

export type Step =
  | { readonly is: 'cell'; readonly type: AvroType }
  | { readonly is: 'row'; readonly steps: readonly Step[]; readonly width: number }
  /** One of a union's branches is a record, the others are null. */
  | {
      readonly is: 'maybe';
      readonly branch: number;
      readonly branches: number;
      readonly row: Step;
      readonly width: number;
    };

export interface Columns {
  /** null: the values are no records, and have no names. */
  readonly names: readonly string[] | null;
  readonly row: Step;
}

export function columnsOf(type: AvroType): Columns {
  const names: string[] = [];
  const row = stepOf(type, '', names, new Set());
  const list = new NameList();
  return { names: row.is === 'cell' ? null : names.map((name) => list.keep(name)), row };
}

function stepOf(type: AvroType, name: string, names: string[], within: ReadonlySet<AvroType>): Step {
  if (type.is === 'record' && isSpreadable(type, names, within)) return rowOf(type, name, names, within);
  if (type.is === 'union') {
    const others = type.branches.filter(({ is }) => is !== 'null');
    const [record] = others;
    if (others.length === 1 && record?.is === 'record' && isSpreadable(record, names, within)) {
      const before = names.length;
      const row = rowOf(record, name, names, within);
      const branch = type.branches.indexOf(record);
      return { is: 'maybe', branch, branches: type.branches.length, row, width: names.length - before };
    }
  }
  names.push(name);
  return { is: 'cell', type };
}

function isSpreadable(record: AvroRecord, names: readonly string[], within: ReadonlySet<AvroType>): boolean {
  if (within.has(record) || within.size >= MAX_DEPTH) return false;
  return record.fields.length > 0 && names.length < MAX_COLUMNS;
}

function rowOf(record: AvroRecord, name: string, names: string[], within: ReadonlySet<AvroType>): Step {
  const inside = new Set([...within, record]);
  const before = names.length;
  const steps = record.fields.map((field) => stepOf(field.type, pathOf(name, field.name), names, inside));
  return { is: 'row', steps, width: names.length - before };
}

function pathOf(above: string, name: string): string {
  if (above === '') return name;
  return above.length > MAX_PATH_LENGTH ? above : `${above}.${name}`;
}
