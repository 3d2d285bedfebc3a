/** Partial answers: `items(name,size),nextPageToken`. */
import { refuse } from './answer.ts';

type Chosen = Map<string, Chosen | null>;

export function chosenFields(
  value: Record<string, unknown>,
  fields: string | undefined,
): Record<string, unknown> {
  return fields === undefined ? value : pick(value, parse(fields));
}

function pick(value: Record<string, unknown>, chosen: Chosen): Record<string, unknown> {
  const entries = Object.entries(value).flatMap(([name, inner]) => {
    const deeper = chosen.get(name);
    if (deeper === undefined) return [];
    return [[name, deeper === null ? inner : within(inner, deeper)]];
  });
  return Object.fromEntries(entries);
}

function within(value: unknown, chosen: Chosen): unknown {
  if (Array.isArray(value)) return value.map((one) => within(one, chosen));
  return pick(value as Record<string, unknown>, chosen);
}

function parse(fields: string): Chosen {
  const chosen: Chosen = new Map();
  for (const part of fields.match(/[^,()]+(\([^()]*\))?/g) ?? []) {
    const [, name = '', inner] = /^(\w+)(?:\((.*)\))?$/.exec(part) ?? [];
    if (name === '') refuse(400, 'invalidParameter', `Invalid field selection ${part}`, 'fields');
    chosen.set(name, inner === undefined ? null : parse(inner));
  }
  return chosen;
}
