import type { RecordFields } from './record-fields.ts';

const TEXT = 0x17;
const WHOLE_NUMBER = 0x1e;
const NUMBER = 0x1f;

/** The value of a formula that is a single literal; null: it calculates, or refers to cells. */
export function literalText(fields: RecordFields): string | null {
  const length = fields.uint32();
  const end = fields.left - length;
  const text = length > 1 ? literal(fields, length) : null;
  fields.skip(fields.left - end);
  // Data that doesn't fit into the formula follows it.
  fields.skip(fields.uint32());
  return text;
}

function literal(fields: RecordFields, length: number): string | null {
  const token = fields.uint8();
  if (token === WHOLE_NUMBER && length === 3) return String(fields.uint16());
  if (token === NUMBER && length === 9) return String(fields.float());
  if (token !== TEXT || length < 3) return null;
  const characters = fields.uint16();
  return 3 + 2 * characters === length ? fields.characters(characters) : null;
}
