/** The schema is a tree, written from the root down; what is stored are its leaves. */
import { CorruptInput } from '../../../extraction-error.ts';
import { NameList, wholeName } from '../../../whole-name.ts';
import { isTrue, type Thrift } from './thrift.ts';

const MAX_DEPTH = 64;
const MAX_PATH_LENGTH = 1024;
const REQUIRED = 0;
const REPEATED = 2;
const CONVERTED_MAP = [1, 2];
const CONVERTED_LIST = 3;

/** What a variant is made of has these names in every file. */
const VARIANT_PARTS: ReadonlySet<string> = new Set(['metadata', 'value', 'typed_value']);

export interface SchemaElement {
  readonly type: number;
  readonly typeLength: number;
  readonly repetition: number;
  readonly name: string;
  readonly children: number;
  readonly converted: number;
  readonly scale: number;
  readonly logical: Logical;
}

/** `is`: the field number in the union of logical types; 0: unset. */
export interface Logical {
  readonly is: number;
  readonly scale: number;
  /** 1: milliseconds, 2: microseconds, 3: nanoseconds. */
  readonly unit: number;
  readonly signed: boolean;
}

export const LOGICAL = {
  string: 1,
  map: 2,
  list: 3,
  enum: 4,
  decimal: 5,
  date: 6,
  time: 7,
  timestamp: 8,
  integer: 10,
  json: 12,
  bson: 13,
  uuid: 14,
  float16: 15,
  variant: 16,
  geometry: 17,
  geography: 18,
} as const;

export interface Column {
  readonly name: string;
  readonly element: SchemaElement;
  /** It holds values of a variant, which has a form of its own. */
  readonly variant: boolean;
  readonly maxDefinition: number;
  readonly maxRepetition: number;
}

interface Branch {
  readonly name: string;
  readonly variant: boolean;
  readonly maxDefinition: number;
  readonly maxRepetition: number;
  /** The kind of the parent element: names inside lists and maps are not meaningful. */
  readonly within: 'group' | 'list' | 'list item' | 'map';
}

export function columnsOf(elements: readonly SchemaElement[]): readonly Column[] {
  const columns: Column[] = [];
  const names = new NameList();
  let next = 1;
  const walk = (above: Branch, depth: number): void => {
    const element = elements[next++];
    if (element === undefined || depth > MAX_DEPTH) throw new CorruptInput('Parquet schema');
    const branch = branchOf(above, element);
    for (let i = 0; i < element.children; i++) walk(branch, depth + 1);
    if (element.children <= 0 && element.type >= 0)
      columns.push({ ...branch, name: names.keep(branch.name), element });
  };
  const root: Branch = { name: '', variant: false, maxDefinition: 0, maxRepetition: 0, within: 'group' };
  for (let i = 0; i < (elements[0]?.children ?? 0); i++) walk(root, 1);
  return columns;
}

function branchOf(above: Branch, element: SchemaElement): Branch {
  const { repetition, logical, converted, children } = element;
  const silent =
    (above.variant && VARIANT_PARTS.has(element.name)) ||
    (repetition === REPEATED && (above.within === 'list' || above.within === 'map')) ||
    above.within === 'list item';
  return {
    name: silent ? above.name : pathOf(above.name, element.name),
    variant: above.variant || logical.is === LOGICAL.variant,
    maxDefinition: above.maxDefinition + (repetition === REQUIRED ? 0 : 1),
    maxRepetition: above.maxRepetition + (repetition === REPEATED ? 1 : 0),
    within: isList(logical, converted)
      ? 'list'
      : isMap(logical, converted)
        ? 'map'
        : above.within === 'list' && children === 1
          ? 'list item'
          : 'group',
  };
}

function pathOf(above: string, name: string): string {
  if (above === '') return name;
  return above.length > MAX_PATH_LENGTH ? above : `${above}.${name}`;
}

function isList(logical: Logical, converted: number): boolean {
  return logical.is === LOGICAL.list || converted === CONVERTED_LIST;
}

function isMap(logical: Logical, converted: number): boolean {
  return logical.is === LOGICAL.map || CONVERTED_MAP.includes(converted);
}

export function readElement(thrift: Thrift): SchemaElement {
  const numbers = [0, -1, 0, REQUIRED, 0, 0, -1, 0];
  let name = '';
  let logical: Logical = { is: 0, scale: 0, unit: 0, signed: true };
  thrift.struct((field) => {
    if (field === 4) name = wholeName(Buffer.from(thrift.binary()).toString('utf8'));
    else if (field >= 1 && field < numbers.length) numbers[field] = thrift.integer();
    else if (field === 10) logical = readLogical(thrift);
  });
  const [, type = -1, typeLength = 0, repetition = 0, , children = 0, converted = -1, scale = 0] = numbers;
  return { type, typeLength, repetition, name, children, converted, scale, logical };
}

function readLogical(thrift: Thrift): Logical {
  const logical = { is: 0, scale: 0, unit: 0, signed: true };
  thrift.struct((is) => {
    logical.is = is;
    thrift.struct((field, type) => {
      if (is === LOGICAL.decimal && field === 1) logical.scale = thrift.integer();
      else if (is === LOGICAL.integer && field === 2) logical.signed = isTrue(type);
      else if ((is === LOGICAL.time || is === LOGICAL.timestamp) && field === 2)
        thrift.struct((unit) => {
          logical.unit = unit;
        });
    });
  });
  return logical;
}
