/** A schema as it is written in JSON, made ready for reading. Named types may be used again, even within themselves. */
import { CorruptInput, LimitExceeded } from '../../../extraction-error.ts';
import { wholeName } from '../../../whole-name.ts';

const MAX_DEPTH = 64;

export type AvroType =
  | { readonly is: 'null' | 'boolean' | 'float' | 'double' | 'string' }
  | { readonly is: 'int' | 'long'; readonly logical: string }
  | { readonly is: 'bytes'; readonly decimals: number | null }
  | {
      readonly is: 'fixed';
      readonly decimals: number | null;
      readonly size: number;
      readonly logical: string;
    }
  | { readonly is: 'enum'; readonly symbols: readonly string[] }
  | { readonly is: 'record'; readonly fields: readonly AvroField[] }
  | { readonly is: 'array' | 'map'; readonly of: AvroType }
  | { readonly is: 'union'; readonly branches: readonly AvroType[] };

export type AvroRecord = Extract<AvroType, { is: 'record' }>;

export interface AvroField {
  readonly name: string;
  /** The same, for text. */
  readonly label: Uint8Array;
  readonly type: AvroType;
}

export function parseSchema(json: string): AvroType {
  let parsed: unknown;
  try {
    parsed = JSON.parse(json);
  } catch {
    // The oldest files have the bare name of a primitive type.
    parsed = json.trim();
  }
  return new SchemaReader().type(parsed, '', 0);
}

class SchemaReader {
  readonly #named = new Map<string, AvroType>();

  type(schema: unknown, namespace: string, depth: number): AvroType {
    if (depth > MAX_DEPTH) throw new LimitExceeded('Avro schema');
    if (typeof schema === 'string') return this.#byName(schema, namespace);
    if (Array.isArray(schema))
      return { is: 'union', branches: schema.map((branch) => this.type(branch, namespace, depth + 1)) };
    const described = objectOf(schema);
    const { type } = described;
    // Some writers nest a type: {"type": {"type": "string"}}.
    if (typeof type !== 'string') return this.type(type, namespace, depth + 1);
    const logical = textIn(described, 'logicalType') ?? '';
    switch (type) {
      case 'record':
      case 'error':
        return this.#record(described, namespace, depth);
      case 'enum':
        return this.#name(described, namespace, { is: 'enum', symbols: symbolsIn(described) });
      case 'fixed':
        return this.#name(described, namespace, { is: 'fixed', logical, ...fixedIn(described) });
      case 'array':
        return { is: 'array', of: this.type(described.items, namespace, depth + 1) };
      case 'map':
        return { is: 'map', of: this.type(described.values, namespace, depth + 1) };
      case 'bytes':
        return { is: 'bytes', decimals: decimalsIn(described) };
      case 'int':
      case 'long':
        return { is: type, logical };
      default:
        return this.#byName(type, namespace);
    }
  }

  /** The name is registered before the fields are parsed, because they may reference it. */
  #record(described: Described, namespace: string, depth: number): AvroType {
    const fields: AvroField[] = [];
    const record = this.#name(described, namespace, { is: 'record', fields });
    const inner = namespaceOf(fullName(described, namespace));
    if (!Array.isArray(described.fields)) throw damaged();
    for (const one of described.fields) {
      const field = objectOf(one);
      const name = wholeName(textIn(field, 'name') ?? '');
      fields.push({ name, label: Buffer.from(name), type: this.type(field.type, inner, depth + 1) });
    }
    return record;
  }

  #name(described: Described, namespace: string, type: AvroType): AvroType {
    this.#named.set(fullName(described, namespace), type);
    return type;
  }

  #byName(name: string, namespace: string): AvroType {
    const plain = PRIMITIVES.get(name);
    if (plain !== undefined) return plain;
    const known = this.#named.get(namespace === '' ? name : `${namespace}.${name}`) ?? this.#named.get(name);
    if (known === undefined) throw damaged();
    return known;
  }
}

const PRIMITIVES: ReadonlyMap<string, AvroType> = new Map<string, AvroType>([
  ['null', { is: 'null' }],
  ['boolean', { is: 'boolean' }],
  ['int', { is: 'int', logical: '' }],
  ['long', { is: 'long', logical: '' }],
  ['float', { is: 'float' }],
  ['double', { is: 'double' }],
  ['bytes', { is: 'bytes', decimals: null }],
  ['string', { is: 'string' }],
]);

type Described = Readonly<Record<string, unknown>>;

function objectOf(schema: unknown): Described {
  if (typeof schema !== 'object' || schema === null) throw damaged();
  return schema as Described;
}

function textIn(described: Described, key: string): string | null {
  const value = described[key];
  return typeof value === 'string' ? value : null;
}

function fullName(described: Described, namespace: string): string {
  const name = textIn(described, 'name');
  if (name === null) throw damaged();
  const own = textIn(described, 'namespace') ?? namespace;
  return name.includes('.') || own === '' ? name : `${own}.${name}`;
}

function namespaceOf(name: string): string {
  return name.slice(0, Math.max(0, name.lastIndexOf('.')));
}

function symbolsIn({ symbols }: Described): readonly string[] {
  if (!Array.isArray(symbols) || !symbols.every((symbol) => typeof symbol === 'string')) throw damaged();
  return symbols;
}

function fixedIn(described: Described): { size: number; decimals: number | null } {
  const { size } = described;
  if (!(typeof size === 'number' && Number.isSafeInteger(size) && size >= 0)) throw damaged();
  return { size, decimals: decimalsIn(described) };
}

/** null: it is no decimal. */
function decimalsIn(described: Described): number | null {
  if (described.logicalType !== 'decimal') return null;
  return typeof described.scale === 'number' ? described.scale : 0;
}

function damaged(): CorruptInput {
  return new CorruptInput('Avro schema');
}
