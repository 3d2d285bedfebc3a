import { checkText } from './user-code/plain-json.ts';

/** Two of them, a tenant and the name of a workflow fit together into an entry of an index, of at most 2,704 bytes. */
const MAX_BYTES = 1000;

/** Ids and names are looked up in the database: they must fit into its indexes, and be text that it can hold. */
export function checkName(what: string, name: string): void {
  checkText(what, name, MAX_BYTES);
}
