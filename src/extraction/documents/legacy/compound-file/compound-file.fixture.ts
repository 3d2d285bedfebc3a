/** Writes compound files, with their sectors in order or scattered. */
export interface Tree {
  readonly [name: string]: Uint8Array | Tree;
}

export interface Layout {
  readonly sectorBytes?: 512 | 4096;
  /** Stores sectors in another order than their chains. */
  readonly scattered?: boolean;
}

const FREE = 0xffffffff;
const END = 0xfffffffe;
const FAT_SECTOR = 0xfffffffd;
const DIFAT_SECTOR = 0xfffffffc;
const CUTOFF = 4096;

interface Entry {
  readonly name: string;
  readonly kind: 1 | 2 | 5;
  readonly bytes: Uint8Array;
  readonly children: Entry[];
  left: number;
  right: number;
  child: number;
  first: number;
}

/** In memory, with the interface that document readers need. */
export function memory(bytes: Uint8Array) {
  return {
    size: bytes.length,
    read: async (from: number, to: number) => bytes.slice(Math.min(from, bytes.length), to),
  };
}

export function writeCompoundFile(tree: Tree, { sectorBytes = 512, scattered = false }: Layout = {}): Buffer {
  const root = entryOf('Root Entry', tree, 5);
  const entries = [root];
  number(root, entries);
  const mini = miniStream(entries);
  const words = sectorBytes / 4;
  const big = entries.filter(({ kind, bytes }) => kind === 2 && bytes.length >= CUTOFF);
  const chains = [...big.map(({ bytes }) => bytes), mini.table, mini.stream];
  const count = (bytes: Uint8Array) => Math.ceil(bytes.length / sectorBytes);
  const directory = Math.ceil((entries.length * 128) / sectorBytes);
  const data = chains.reduce((sum, bytes) => sum + count(bytes), directory);
  const { fats, lists } = tableSizes(data, words);
  const order = orderOf(data + fats + lists, scattered);
  const file = Buffer.alloc((1 + order.length) * sectorBytes);
  const fat = new Uint32Array(fats * words).fill(FREE);
  let used = 0;
  const put = (bytes: Uint8Array): number => {
    const sectors = order.slice(used, used + count(bytes));
    used += sectors.length;
    sectors.forEach((sector, i) => {
      file.set(bytes.subarray(i * sectorBytes, (i + 1) * sectorBytes), (sector + 1) * sectorBytes);
      fat[sector] = sectors[i + 1] ?? END;
    });
    return sectors[0] ?? END;
  };
  for (const entry of big) entry.first = put(entry.bytes);
  const miniTable = put(mini.table);
  root.first = put(mini.stream);
  const directoryAt = put(directoryBytes(entries, directory * sectorBytes, mini.stream.length));
  const fatSectors = order.slice(used, used + fats);
  const listSectors = order.slice(used + fats);
  for (const sector of fatSectors) fat[sector] = FAT_SECTOR;
  for (const sector of listSectors) fat[sector] = DIFAT_SECTOR;
  fatSectors.forEach((sector, i) => {
    file.set(Buffer.from(fat.buffer, i * sectorBytes, sectorBytes), (sector + 1) * sectorBytes);
  });
  writeHeader(file, { sectorBytes, directoryAt, directory, miniTable, mini: count(mini.table), fats });
  writeList(file, sectorBytes, fatSectors, listSectors);
  return file;
}

function entryOf(name: string, content: Uint8Array | Tree, kind: 1 | 2 | 5): Entry {
  const stream = content instanceof Uint8Array;
  const children = stream
    ? []
    : Object.entries(content).map(([child, inside]) =>
        entryOf(child, inside, inside instanceof Uint8Array ? 2 : 1),
      );
  const bytes = stream ? content : new Uint8Array(0);
  const links = { left: FREE, right: FREE, child: FREE, first: kind === 1 ? 0 : END };
  return { name, kind, bytes, children, ...links };
}

/** Children become balanced trees, ordered by the length of their names and then by their letters. */
function number(parent: Entry, entries: Entry[]): void {
  const key = ({ name }: Entry) => String(name.length).padStart(3, '0') + name.toUpperCase();
  const sorted = parent.children.toSorted((a, b) => (key(a) < key(b) ? -1 : 1));
  const start = entries.length;
  entries.push(...sorted);
  const middle = (from: number, to: number): number => {
    if (from >= to) return FREE;
    const at = (from + to) >>> 1;
    sorted[at]!.left = middle(from, at);
    sorted[at]!.right = middle(at + 1, to);
    return start + at;
  };
  parent.child = middle(0, sorted.length);
  for (const child of sorted) number(child, entries);
}

function miniStream(entries: readonly Entry[]): { table: Buffer; stream: Buffer } {
  const parts: Buffer[] = [];
  const next: number[] = [];
  for (const entry of entries) {
    if (entry.kind !== 2 || entry.bytes.length >= CUTOFF || entry.bytes.length === 0) continue;
    const count = Math.ceil(entry.bytes.length / 64);
    entry.first = next.length;
    for (let i = 1; i <= count; i++) next.push(i === count ? END : next.length + 1);
    parts.push(Buffer.concat([entry.bytes], count * 64));
  }
  const table = Buffer.alloc(Math.ceil((next.length * 4) / 512) * 512, 0xff);
  next.forEach((sector, i) => {
    table.writeUInt32LE(sector, i * 4);
  });
  return { table, stream: Buffer.concat(parts) };
}

function tableSizes(data: number, words: number): { fats: number; lists: number } {
  let fats = 0;
  let lists = 0;
  for (let before = -1; before !== fats + lists; ) {
    before = fats + lists;
    fats = Math.ceil((data + fats + lists) / words);
    lists = Math.ceil(Math.max(0, fats - 109) / (words - 1));
  }
  return { fats, lists };
}

/** Every seventh first, then the next sevenths. */
function orderOf(count: number, scattered: boolean): number[] {
  const straight = Array.from({ length: count }, (_, i) => i);
  return scattered ? straight.toSorted((a, b) => (a % 7) - (b % 7) || b - a) : straight;
}

function directoryBytes(entries: readonly Entry[], length: number, miniSize: number): Buffer {
  const out = Buffer.alloc(length);
  for (let at = 0; at < length; at += 128) out.fill(0xff, at + 68, at + 80);
  entries.forEach((entry, i) => {
    const at = i * 128;
    out.write(entry.name, at, 64, 'utf16le');
    out.writeUInt16LE(entry.name.length * 2 + 2, at + 64);
    out[at + 66] = entry.kind;
    out[at + 67] = 1;
    out.writeUInt32LE(entry.left, at + 68);
    out.writeUInt32LE(entry.right, at + 72);
    out.writeUInt32LE(entry.child, at + 76);
    out.writeUInt32LE(entry.first, at + 116);
    out.writeUInt32LE(entry.kind === 5 ? miniSize : entry.bytes.length, at + 120);
  });
  return out;
}

interface HeaderFields {
  readonly sectorBytes: number;
  readonly directoryAt: number;
  readonly directory: number;
  readonly miniTable: number;
  readonly mini: number;
  readonly fats: number;
}

function writeHeader(file: Buffer, fields: HeaderFields): void {
  const large = fields.sectorBytes === 4096;
  file.set(Buffer.from('d0cf11e0a1b11ae1', 'hex'));
  file.writeUInt16LE(0x3e, 24);
  file.writeUInt16LE(large ? 4 : 3, 26);
  file.writeUInt16LE(0xfffe, 28);
  file.writeUInt16LE(large ? 12 : 9, 30);
  file.writeUInt16LE(6, 32);
  file.writeUInt32LE(large ? fields.directory : 0, 40);
  file.writeUInt32LE(fields.fats, 44);
  file.writeUInt32LE(fields.directoryAt, 48);
  file.writeUInt32LE(CUTOFF, 56);
  file.writeUInt32LE(fields.miniTable, 60);
  file.writeUInt32LE(fields.mini, 64);
}

function writeList(
  file: Buffer,
  sectorBytes: number,
  fats: readonly number[],
  lists: readonly number[],
): void {
  file.writeUInt32LE(lists[0] ?? END, 68);
  file.writeUInt32LE(lists.length, 72);
  for (let i = 0; i < 109; i++) file.writeUInt32LE(fats[i] ?? FREE, 76 + i * 4);
  const words = sectorBytes / 4;
  lists.forEach((sector, i) => {
    const at = (sector + 1) * sectorBytes;
    for (let j = 0; j < words - 1; j++) {
      file.writeUInt32LE(fats[109 + i * (words - 1) + j] ?? FREE, at + j * 4);
    }
    file.writeUInt32LE(lists[i + 1] ?? END, at + sectorBytes - 4);
  });
}
