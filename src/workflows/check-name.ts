import { checkText } from './user-code/plain-json.ts';

/** Two of them, a tenant and a workflow name fit into one index entry of at most 2,704 bytes. */
const MAX_BYTES = 1000;

/** Ids and names are index keys: they must fit into an index entry and be valid PostgreSQL text. */
export function checkName(what: string, name: string): void {
  checkText(what, name, MAX_BYTES);
}
