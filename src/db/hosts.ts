/**
 * The servers of a DATABASE_URL with several hosts (`postgres://user@h1,h2:5433/db`), with the semantics of
 * libpq; node-postgres supports only one host. We write, so with several hosts only a writable one is used,
 * whatever `target_session_attrs` is.
 */
import pg from 'pg';
import { codeOf, SeineError } from '../base/errors.ts';

export class Hosts {
  readonly #urls: readonly string[];
  #at = 0;

  constructor(url: string) {
    this.#urls = expand(url);
    this.#urls.forEach(checkAddress);
  }

  get current(): string {
    return this.#urls[this.#at]!;
  }

  get count(): number {
    return this.#urls.length;
  }

  /** Moves on from `failed`, unless another connection has already done so. */
  failOver(failed: string): void {
    if (this.current === failed) this.#at = (this.#at + 1) % this.#urls.length;
  }
}

function expand(url: string): string[] {
  const parts = /^([a-z]+:\/\/(?:[^@/?]*@)?)([^/?@]*)(.*)$/s.exec(url);
  if (!parts) return [url];
  const [, before, hosts, after] = parts;
  const rest = after!.replace(/([?&])target_session_attrs=[^&]*&?/, '$1').replace(/[?&]$/, '');
  return hosts!.split(',').map((host) => `${before}${host}${rest}`);
}

/**
 * Parsed by node-postgres itself, which connects only later. Node's error quotes the address, so it is not
 * kept as the cause.
 */
function checkAddress(url: string): void {
  try {
    new pg.Client({ connectionString: url });
  } catch (error) {
    if (codeOf(error) !== 'ERR_INVALID_URL' && !(error instanceof URIError)) throw error;
    throw new SeineError('usage', 'The address of the database (DATABASE_URL) is not valid.', {
      hint: 'In its password write / as %2F, # as %23, ? as %3F, @ as %40 and % as %25.',
    });
  }
}
