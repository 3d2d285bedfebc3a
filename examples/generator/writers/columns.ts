/** Parquet files of flat rows. */
import { type BasicType, parquetWriteBuffer } from 'hyparquet-writer';

export interface Column {
  readonly type: BasicType;
  readonly values: readonly (string | number | null)[];
}

export function columns(content: Readonly<Record<string, Column>>): Buffer {
  const columnData = Object.entries(content).map(([name, { type, values }]) => ({
    name,
    type,
    data: type === 'TIMESTAMP' ? values.map((value) => new Date(String(value))) : [...values],
    nullable: values.includes(null),
  }));
  return Buffer.from(parquetWriteBuffer({ columnData, rowGroupSize: 60 }));
}
