/**
 * Where a secret is kept. A configuration holds references only; the secret is resolved when it is used and not kept longer. The name of
 * a reference may be shown and stored, its value never.
 */
import { readFileSync, statSync } from 'node:fs';
import { codeOf, SeineError } from '../../base/errors.ts';
import { interpolate } from './interpolate.ts';

export type Reference =
  | { readonly from: 'env'; readonly name: string }
  | { readonly from: 'file'; readonly path: string }
  /** Text with `${NAME}` in it, or a URL without a secret. */
  | { readonly from: 'text'; readonly text: string };

/** For messages: the variable or the file. */
export function formatReference(reference: Reference): string {
  if (reference.from === 'env') return reference.name;
  return reference.from === 'file' ? reference.path : reference.text;
}

/** The current value of the reference. */
export function resolveReference(reference: Reference, env: NodeJS.ProcessEnv = process.env): string {
  if (reference.from === 'file') return readSecret(reference.path);
  if (reference.from === 'text') return interpolate(reference.text, env);
  const value = env[reference.name];
  if (value) return value;
  throw new SeineError('usage', `The environment variable ${reference.name} is not set.`, {
    hint: 'The configuration refers to it: set it where Seine runs.',
  });
}

/** A larger file is not a secret. */
const MAX_BYTES = 64 * 1024;

function readSecret(path: string): string {
  const problem = (what: string, cause?: unknown) =>
    new SeineError('usage', `The secret file ${path} ${what}.`, {
      hint: 'The configuration refers to it: put it where Seine runs.',
      cause,
    });
  let text: string;
  try {
    if (statSync(path).size > MAX_BYTES) throw problem('is too large for a secret');
    text = readFileSync(path, 'utf8');
  } catch (error) {
    if (error instanceof SeineError) throw error;
    throw problem(codeOf(error) === 'ENOENT' ? 'does not exist' : `cannot be read (${codeOf(error)})`, error);
  }
  // Editors and `echo` append a line break that is not part of the secret.
  const secret = text.replace(/\r?\n$/, '');
  if (secret === '') throw problem('is empty');
  return secret;
}
