export interface SetFixture {
  readonly codePage: number;
  /** Of properties that have no usual name. */
  readonly names?: Readonly<Record<number, string>>;
  readonly values: Readonly<Record<number, string | number | Buffer>>;
}

/** The stream of property sets. */
export function propertySets(sets: readonly SetFixture[]): Buffer {
  const bodies = sets.map(setBytes);
  const head = Buffer.alloc(28 + 20 * sets.length);
  head.writeUInt16LE(0xfffe, 0);
  head.writeUInt32LE(sets.length, 24);
  let at = head.length;
  bodies.forEach((body, i) => {
    head.writeUInt32LE(at, 44 + 20 * i);
    at += body.length;
  });
  return Buffer.concat([head, ...bodies]);
}

function setBytes({ codePage, names, values }: SetFixture): Buffer {
  const properties: [number, Buffer][] = [
    [1, typed(2, word(codePage))],
    ...(names === undefined ? [] : [[0, dictionary(names, codePage)] as [number, Buffer]]),
    ...Object.entries(values).map(([id, value]): [number, Buffer] => [
      Number(id),
      valueBytes(value, codePage),
    ]),
  ];
  const head = Buffer.alloc(8 + 8 * properties.length);
  let at = head.length;
  properties.forEach(([id, bytes], i) => {
    head.writeUInt32LE(id, 8 + 8 * i);
    head.writeUInt32LE(at, 12 + 8 * i);
    at += bytes.length;
  });
  head.writeUInt32LE(at, 0);
  head.writeUInt32LE(properties.length, 4);
  return Buffer.concat([head, ...properties.map(([, bytes]) => bytes)]);
}

function valueBytes(value: string | number | Buffer, codePage: number): Buffer {
  if (typeof value === 'number') return typed(3, word(value));
  if (typeof value !== 'string') return typed(71, value);
  const bytes = encoded(`${value}\0`, codePage);
  return typed(30, Buffer.concat([word(bytes.length), bytes]));
}

function dictionary(names: Readonly<Record<number, string>>, codePage: number): Buffer {
  const entries = Object.entries(names).flatMap(([id, name]) => {
    const bytes = encoded(`${name}\0`, codePage);
    return [word(Number(id)), word(name.length + 1), codePage === 1200 ? padded(bytes) : bytes];
  });
  return padded(Buffer.concat([word(Object.keys(names).length), ...entries]));
}

const word = (value: number) => Buffer.from(Uint32Array.of(value).buffer);
const encoded = (text: string, codePage: number) =>
  Buffer.from(text, codePage === 1200 ? 'utf16le' : 'latin1');
const padded = (bytes: Buffer) => Buffer.concat([bytes], Math.ceil(bytes.length / 4) * 4);
const typed = (type: number, value: Buffer) => padded(Buffer.concat([word(type), value]));
