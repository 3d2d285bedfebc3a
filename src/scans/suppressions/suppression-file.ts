/**
 * Suppressions as a file, to keep under version control or to transfer to another installation. Values are
 * stored as keyed hashes only, with the check value of the key: fingerprints by another key would silently
 * never match.
 */
import { SeineError } from '../../base/errors.ts';
import { keyFromBytes, keyOf } from '../../base/key.ts';
import { keyJson } from '../results/finding-json.ts';
import { checkKeyOfFile } from '../results/fingerprint-key.ts';
import type { NewSuppression, Suppression } from './suppression.ts';

const KIND = 'seine suppressions';
const VERSION = 1;

export function formatSuppressions(suppressions: readonly Suppression[], keyCheck: string): string {
  const file = {
    kind: KIND,
    schemaVersion: VERSION,
    keyCheck,
    suppressions: suppressions.map(suppressionJson),
  };
  return `${JSON.stringify(file, null, 2)}\n`;
}

/** The JSON form, in files and with --json. */
export function suppressionJson(entry: Suppression): Record<string, unknown> {
  const { object, ...rest } = entry;
  if (object === null) return { ...rest, object };
  const { key, keyHex } = keyJson(object);
  return { ...rest, object: key, ...(keyHex !== undefined && { objectHex: keyHex }) };
}

export function isSuppressionFile(text: string): boolean {
  return text.trimStart().startsWith('{');
}

export function parseSuppressions(text: string, name: string, keyCheck: string): NewSuppression[] {
  const file = parse(text, name);
  if (file.kind !== KIND || file.schemaVersion !== VERSION || !Array.isArray(file.suppressions))
    throw wrong(name, `it is no "${KIND}" of version ${VERSION}`);
  const entries = file.suppressions.map((entry: unknown, i) => entryOf(entry, i, name));
  if (entries.some((entry) => entry.fingerprint !== null)) checkKeyOfFile(name, file.keyCheck, keyCheck);
  return entries;
}

function parse(text: string, name: string): Record<string, unknown> {
  try {
    return JSON.parse(text) as Record<string, unknown>;
  } catch (error) {
    throw wrong(name, 'it is not JSON', error);
  }
}

function entryOf(entry: unknown, i: number, name: string): NewSuppression {
  const fields = (typeof entry === 'object' && entry !== null ? entry : {}) as Record<string, unknown>;
  const text = (field: string) =>
    typeof fields[field] === 'string' && fields[field] !== '' ? fields[field] : null;
  const needed = (field: string) => {
    const value = text(field);
    if (value === null) throw wrong(name, `entry ${i + 1} has no "${field}"`);
    return value;
  };
  const fingerprint = text('fingerprint');
  const [object, hex] = [text('object'), text('objectHex')];
  const path = fingerprint === null && object === null ? needed('path') : text('path');
  return {
    detector: needed('detector'),
    fingerprint,
    path,
    source: text('source'),
    object: hex !== null ? keyFromBytes(Buffer.from(hex, 'hex')) : object === null ? null : keyOf(object),
    reason: needed('reason'),
    owner: needed('owner'),
    expiresAt: dateOf(text('expiresAt'), i, name),
  };
}

function dateOf(text: string | null, i: number, name: string): Date | null {
  if (text === null) return null;
  const date = new Date(text);
  if (Number.isNaN(date.getTime())) throw wrong(name, `"expiresAt" of entry ${i + 1} is no date`);
  return date;
}

function wrong(name: string, why: string, cause?: unknown): SeineError {
  return new SeineError('usage', `${name} can't be read: ${why}.`, {
    hint: 'seine suppressions export writes such a file; a .gitleaksignore can be imported as it is.',
    cause,
  });
}
