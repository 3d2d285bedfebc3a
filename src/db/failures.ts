import { statfsSync } from 'node:fs';
import { codeOf, type ErrorKind, SeineError } from '../base/errors.ts';

interface Meaning {
  readonly kind: ErrorKind;
  readonly message: string;
  readonly hint: string;
  /** The same statement may go well in a moment, although the server is there. */
  readonly retry?: boolean;
}

const NOBODY_THERE: Meaning = {
  kind: 'unavailable',
  message: 'The database cannot be reached.',
  hint: 'Is the server of DATABASE_URL running, and are host and port right?',
};
const REFUSED: Meaning = {
  kind: 'permission',
  message: 'The database does not let us in.',
  hint: 'Check user name and password in DATABASE_URL, and whether the server wants TLS (sslmode=require).',
};
const GOING_DOWN: Meaning = {
  kind: 'unavailable',
  message: 'The database is starting or stopping.',
  hint: 'Try again in a moment.',
};

const IN_EACH_OTHERS_WAY: Meaning = {
  kind: 'conflict',
  message: 'Somebody else was changing the same rows of the database.',
  hint: 'Try again in a moment.',
  retry: true,
};

const STOOD_STILL: Meaning = {
  kind: 'unavailable',
  message: 'The database ended a transaction that stood still.',
  hint: 'Was this process stopped for a while, or its machine overloaded?',
};
const MEANINGS: Readonly<Record<string, Meaning>> = {
  ECONNREFUSED: NOBODY_THERE,
  ENOENT: NOBODY_THERE,
  ENOTFOUND: NOBODY_THERE,
  EAI_AGAIN: NOBODY_THERE,
  EHOSTUNREACH: NOBODY_THERE,
  ENETUNREACH: NOBODY_THERE,
  ETIMEDOUT: NOBODY_THERE,
  ECONNRESET: NOBODY_THERE,
  EPIPE: NOBODY_THERE,
  '08000': NOBODY_THERE,
  '08003': NOBODY_THERE,
  '08006': NOBODY_THERE,
  '25P03': STOOD_STILL,
  '28000': REFUSED,
  '28P01': REFUSED,
  '40001': IN_EACH_OTHERS_WAY,
  '40P01': IN_EACH_OTHERS_WAY,
  '55P03': IN_EACH_OTHERS_WAY,
  '42501': {
    kind: 'permission',
    message: 'The database user lacks a right.',
    hint: 'Let it create a schema (GRANT CREATE ON DATABASE), or let an administrator run the migrations.',
  },
  '3D000': {
    kind: 'not-found',
    message: 'The server has no database of that name.',
    hint: 'Create it, or correct the name in DATABASE_URL.',
  },
  '53100': {
    kind: 'limit',
    message: 'The disk of the database is full.',
    hint: 'Free some space, then go on.',
  },
  '53300': {
    kind: 'unavailable',
    message: 'The database has no free connection.',
    hint: 'Raise max_connections, or start fewer workers.',
  },
  '57P01': GOING_DOWN,
  '57P02': GOING_DOWN,
  '57P03': GOING_DOWN,
};

/** The server went away or comes back: the same statement may work in a moment. */
export function isOutage(error: unknown): boolean {
  return error instanceof SeineError
    ? error.kind === 'unavailable'
    : meaningOf(error)?.kind === 'unavailable';
}

/** What stands between us and the database becomes a SeineError; what a statement did wrong stays as it is, with its code. */
export function explain(error: unknown): unknown {
  if (error instanceof SeineError) return error;
  const meaning = meaningOf(error);
  if (!meaning) return error;
  const { kind, message, hint, retry } = meaning;
  return new SeineError(kind, message, { hint, ...(retry && { retry }), cause: error });
}

function meaningOf(error: unknown): Meaning | undefined {
  const code = codeOf(error);
  if (code !== undefined) return MEANINGS[code];
  // node-postgres has no codes for what happens to the connection itself.
  const text = error instanceof Error ? error.message : '';
  if (/Connection terminated|timeout exceeded when trying to connect|Client has encountered/.test(text))
    return NOBODY_THERE;
  if (/SASL|SCRAM|does not support SSL/.test(text)) return REFUSED;
  return undefined;
}

const FULL = 32 << 20; // a server needs room for its log of changes, or it stops

/** Why the private server of a data folder can't be reached: nobody has to look for a DATABASE_URL that isn't there. */
export function explainPrivate(error: unknown, dataFolder: string): SeineError {
  const { bavail, bsize } = statfsSync(dataFolder);
  if (bavail * bsize < FULL) {
    return new SeineError('limit', `The disk of the data folder ${dataFolder} is full.`, {
      hint: 'Free some space, then go on with: seine resume',
      cause: error,
    });
  }
  if (error instanceof SeineError && error.message !== NOBODY_THERE.message) return error;
  return new SeineError('unavailable', 'The private database stopped.', {
    hint: `It is started again when it is needed. If this comes back: its log is in ${dataFolder}, and seine doctor tells more.`,
    cause: error,
  });
}
