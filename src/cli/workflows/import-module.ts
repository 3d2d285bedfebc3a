/**
 * Loads a user module. Its `import 'seine/workflows'` always resolves to this installation, wherever the file is and whatever is
 * installed beside it: a second copy would have its own `Rejection` class, which this process does not recognise.
 */
import { registerHooks } from 'node:module';
import { pathToFileURL } from 'node:url';
import { messageOf, SeineError } from '../../base/errors.ts';
import { findSyntaxError, type SyntaxErrorLocation } from './syntax-error-location.ts';

const PACKAGE = 'seine/workflows';
const PUBLIC = new URL('../../workflows/public.ts', import.meta.url).href;

let isRegistered = false;
/** The modules loaded since the last import of a user module began. */
const loaded = new Set<string>();

export async function importModule(file: string): Promise<object> {
  registerPackage();
  loaded.clear();
  try {
    return await import(pathToFileURL(file).href);
  } catch (error) {
    throw explained(file, error);
  }
}

/** Registered for the whole process: modules may import others later, not only while the first one is loaded. */
function registerPackage(): void {
  if (isRegistered) return;
  isRegistered = true;
  registerHooks({
    resolve: (specifier, context, next) =>
      specifier === PACKAGE ? { url: PUBLIC, shortCircuit: true } : next(specifier, context),
    load: (url, context, next) => {
      loaded.add(url);
      return next(url, context);
    },
  });
}

function explained(file: string, error: unknown): SeineError {
  const message = messageOf(error);
  const location = locationOf(error);
  const { what, instead } = explanationOf(error, message, location);
  const where = location === null ? file : `${location.file}:${location.line}`;
  return new SeineError('usage', `${where} could not be loaded: ${what}`, { hint: instead, cause: error });
}

interface Explanation {
  readonly what: string;
  readonly instead: string;
}

/** How Node names each TypeScript syntax that is more than types, and what to write instead. */
const UNSUPPORTED: readonly (readonly [RegExp, string])[] = [
  [/\benum\b/, "Write a union, type Status = 'open' | 'paid', or const Status = { … } as const."],
  [/\bnamespace\b|\bmodule\b/, 'Export the constants and functions from a module of their own.'],
  [
    /parameter property/,
    'Declare the field in the class, and assign it in the constructor: this.name = name.',
  ],
  [/import equals/, 'Write import … from, or await import(…).'],
  [/export assignment/, 'Write export default.'],
];

function explanationOf(error: unknown, message: string, location: SyntaxErrorLocation | null): Explanation {
  const code = (error as { code?: unknown } | null)?.code;
  if (code === 'ERR_UNSUPPORTED_TYPESCRIPT_SYNTAX') {
    const syntax = /^TypeScript (.*) is not supported/.exec(message)?.[1] ?? 'this syntax';
    const instead = UNSUPPORTED.find(([pattern]) => pattern.test(syntax))?.[1];
    return {
      what: `it uses TypeScript syntax that Node does not run: ${syntax}. Node only removes types.`,
      instead: `${instead ?? 'Write it in JavaScript.'} "erasableSyntaxOnly" in tsconfig.json reports it in the editor.`,
    };
  }
  if (code === 'ERR_MODULE_NOT_FOUND' || code === 'ERR_UNSUPPORTED_DIR_IMPORT')
    return {
      what: message,
      instead: 'Imports of files need their extension, ./order.ts; packages must be installed there.',
    };
  if (location?.text.startsWith('@'))
    return {
      what: 'it uses a decorator, which Node does not run.',
      instead: 'Call the function instead: export const order = decorate(defineWorkflow({ … })).',
    };
  if (error instanceof SyntaxError && / does not provide an export named /.test(message))
    return {
      what: message,
      instead: 'A type is imported with import type { … }, since nothing of it is left at run time.',
    };
  return { what: message, instead: 'Correct the file; --verbose shows the stack.' };
}

/** Node puts file, line and source line of unsupported TypeScript syntax before the stack. */
function locationOf(error: unknown): SyntaxErrorLocation | null {
  if (!(error instanceof SyntaxError)) return null;
  const [first = '', text = ''] = error.stack?.split('\n') ?? [];
  const place = /^(?:file:\/\/)?(\/.*):(\d+)$/.exec(first);
  if (place) return { file: place[1]!, line: Number(place[2]), text: text.trim() };
  return findSyntaxError(loaded);
}
