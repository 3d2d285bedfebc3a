/** Rows in the shapes that exports come in. */
type Cell = string | number | boolean | null;
type Row = Readonly<Record<string, Cell>>;

export function csv(rows: readonly Row[], separator = ','): string {
  const header = Object.keys(rows[0] ?? {});
  const lines = rows.map((row) => header.map((name) => cell(row[name] ?? '', separator)).join(separator));
  return `${[header.join(separator), ...lines].join('\n')}\n`;
}

export function tsv(rows: readonly Row[]): string {
  return csv(rows, '\t');
}

export function ndjson(records: readonly object[]): string {
  return `${records.map((record) => JSON.stringify(record)).join('\n')}\n`;
}

export function json(value: object): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}

/** One element per row, its cells as child elements. */
export function xml(root: string, element: string, rows: readonly Row[]): string {
  const escaped = (value: Cell) => String(value).replaceAll('&', '&amp;').replaceAll('<', '&lt;');
  const children = (row: Row) =>
    Object.entries(row).map(([name, value]) => `    <${name}>${escaped(value)}</${name}>\n`);
  const body = rows.map((row) => `  <${element}>\n${children(row).join('')}  </${element}>\n`).join('');
  return `<?xml version="1.0" encoding="UTF-8"?>\n<${root}>\n${body}</${root}>\n`;
}

export function sqlInserts(table: string, rows: readonly Row[]): string {
  const literal = (value: Cell) =>
    typeof value === 'string' ? `'${value.replaceAll("'", "''")}'` : String(value ?? 'NULL');
  const columns = Object.keys(rows[0] ?? {}).join(', ');
  const line = (row: Row) =>
    `INSERT INTO ${table} (${columns}) VALUES (${Object.values(row).map(literal).join(', ')});\n`;
  return rows.map(line).join('');
}

/** One record as `label: value` lines, the way people type a form into a text file. */
export function card(row: Row): string {
  return `${Object.entries(row)
    .map(([label, value]) => `${label}: ${value}`)
    .join('\n')}\n`;
}

function cell(value: Cell, separator: string): string {
  const text = String(value);
  const quoted = text.includes(separator) || text.includes('"') || text.includes('\n');
  return quoted ? `"${text.replaceAll('"', '""')}"` : text;
}
