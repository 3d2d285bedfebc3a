import { CorruptInput } from '../../../extraction-error.ts';
import type { ReadAhead } from '../read-ahead.ts';
import type { PageBudget } from './page-budget.ts';
import { isTrue, Thrift } from './thrift.ts';

const WHAT = 'Parquet page';
/** Most headers have some dozen bytes; some hold the largest and the smallest value of the page. */
const HEAD_LENGTHS = [4 * 1024, 64 * 1024, 1024 * 1024];

export interface PageHeader {
  readonly kind: 'data' | 'data v2' | 'dictionary' | 'other';
  /** Where the page itself begins. */
  readonly start: number;
  readonly uncompressedSize: number;
  readonly compressedSize: number;
  readonly values: number;
  readonly encoding: number;
  /** Of the numbers of a first version's page: how its levels are encoded. */
  readonly levelEncodings: readonly number[];
  readonly definitionBytes: number;
  readonly repetitionBytes: number;
  readonly compressed: boolean;
}

const KINDS = ['data', 'other', 'dictionary', 'data v2'] as const;

export async function readPageHeader(
  source: ReadAhead,
  at: number,
  end: number,
  spending: PageBudget,
): Promise<PageHeader> {
  for (const headLength of HEAD_LENGTHS) {
    const bytes = await source.read(at, Math.min(headLength, end - at));
    try {
      return parse(bytes, at);
    } catch (error) {
      if (bytes.length < headLength) throw error;
      // Many chunks may reference the same bytes, so reading them again is charged.
      spending.countBytes(headLength);
    }
  }
  throw new CorruptInput(WHAT);
}

function parse(bytes: Uint8Array, at: number): PageHeader {
  const thrift = new Thrift(bytes, WHAT);
  const numbers = [0, -1, -1, -1];
  let page: PageNumbers = { values: 0, encoding: -1 };
  thrift.struct((field) => {
    if (field >= 1 && field <= 3) numbers[field] = thrift.integer();
    else if (field === 5) page = readData(thrift);
    else if (field === 7) page = readDictionary(thrift);
    else if (field === 8) page = readDataV2(thrift);
  });
  const [, type = -1, uncompressedSize = -1, compressedSize = -1] = numbers;
  const kind = KINDS[type];
  const { values, encoding, levelEncodings = [], definitionBytes = 0, repetitionBytes = 0 } = page;
  const sizes = [uncompressedSize, compressedSize, values, definitionBytes, repetitionBytes];
  if (kind === undefined || sizes.some((size) => !(size >= 0 && size < 2 ** 31)))
    throw new CorruptInput(WHAT);
  if (definitionBytes + repetitionBytes > Math.min(compressedSize, uncompressedSize))
    throw new CorruptInput(WHAT);
  return {
    kind,
    start: at + thrift.at,
    uncompressedSize,
    compressedSize,
    values,
    encoding,
    levelEncodings,
    definitionBytes,
    repetitionBytes,
    compressed: page.compressed !== false,
  };
}

interface PageNumbers {
  values: number;
  encoding: number;
  levelEncodings?: number[];
  definitionBytes?: number;
  repetitionBytes?: number;
  compressed?: boolean;
}

function readData(thrift: Thrift): PageNumbers {
  const [, values = 0, encoding = -1, ...levelEncodings] = readNumbers(thrift, [0, 0, -1, -1, -1]);
  return { values, encoding, levelEncodings };
}

function readDictionary(thrift: Thrift): PageNumbers {
  const [, values = 0, encoding = -1] = readNumbers(thrift, [0, 0, -1]);
  return { values, encoding };
}

function readDataV2(thrift: Thrift): PageNumbers {
  const numbers = [0, 0, 0, 0, -1, 0, 0];
  let compressed = true;
  thrift.struct((field, type) => {
    if (field >= 1 && field < numbers.length) numbers[field] = thrift.integer();
    else if (field === 7) compressed = isTrue(type);
  });
  const [, values = 0, , , encoding = -1, definitionBytes = 0, repetitionBytes = 0] = numbers;
  return { values, encoding, definitionBytes, repetitionBytes, compressed };
}

function readNumbers(thrift: Thrift, numbers: number[]): number[] {
  thrift.struct((field) => {
    if (field >= 1 && field < numbers.length) numbers[field] = thrift.integer();
  });
  return numbers;
}
