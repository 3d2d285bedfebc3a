/** Medians, and numbers as people read them. */

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  if (sorted.length === 0) return Number.NaN;
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
}

export function seconds(value: number): string {
  return Number.isNaN(value) ? '–' : `${value.toFixed(value < 10 ? 2 : 1)} s`;
}

export function megabytes(bytes: number): string {
  return `${(bytes / 1e6).toFixed(bytes < 1e7 ? 1 : 0)} MB`;
}

export function count(value: number): string {
  return Math.round(value).toLocaleString('en-US');
}

export function times(ratio: number): string {
  return `${ratio.toFixed(2)}x`;
}

/** The first column to the left, the others to the right. */
export function table(rows: readonly (readonly string[])[], indent = '  '): string {
  const widths = rows[0]!.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  const cell = (text: string, column: number) =>
    column === 0 ? text.padEnd(widths[0]!) : text.padStart(widths[column]!);
  return rows.map((row) => indent + row.map(cell).join('  ').trimEnd()).join('\n');
}

/** Says plainly whether what was asked for was reached. */
export function checkMaximum(what: string, measured: number, max: number, unit: string): string {
  const reached = measured <= max ? 'reached' : 'FALLS SHORT';
  return `${what}: asked for at most ${max}${unit}, measured ${measured.toFixed(2)}${unit}: ${reached}`;
}
