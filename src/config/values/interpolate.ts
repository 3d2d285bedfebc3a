/** `${NAME}` and `${NAME:-otherwise}` in a text are replaced by environment variables; `$${` is a plain `${`. */
import { SeineError } from '../../base/errors.ts';

const VARIABLE = /\$(\$\{)|\$\{([A-Za-z_]\w*)(?::-([^}]*))?\}|(\$\{)/g;

/** Throws a usage error if a variable is not set or malformed. */
export function interpolate(text: string, env: NodeJS.ProcessEnv): string {
  checkVariables(text);
  return text.replace(VARIABLE, (_, escaped, name, otherwise) => {
    if (escaped) return escaped;
    const value = env[name] || otherwise;
    if (value !== undefined) return value;
    throw new SeineError('usage', `The environment variable ${name} is not set.`, {
      hint: `set it, or write ${variableReference(`${name}:-otherwise`)}`,
    });
  });
}

export function checkVariables(text: string): void {
  for (const match of text.matchAll(VARIABLE)) {
    if (match[4] === undefined) continue;
    throw new SeineError('usage', 'A variable has no name, or its } is missing.', {
      hint: `write ${variableReference('NAME')}, or $$ for a literal $`,
    });
  }
}

/** Whether anything in the text comes from the environment. */
export function hasVariables(text: string): boolean {
  return [...text.matchAll(VARIABLE)].some((match) => match[2] !== undefined);
}

/** The literal parts of the text and the defaults of its variables. */
export function literalPart(text: string): string {
  return text.replace(VARIABLE, (_, escaped, _name, otherwise) => escaped ?? otherwise ?? '');
}

/** Escapes a text so that `interpolate` returns it unchanged. */
export function escapeVariables(text: string): string {
  return text.replaceAll('${', '$$${');
}

/** A variable reference as written in a file. */
export function variableReference(name: string): string {
  return `\${${name}}`;
}
