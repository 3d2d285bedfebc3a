/** Finds the right heading for a setting that was written under a wrong one. */
import { type AnyGroup, type Shape, settingKeys } from '../declaration/shape.ts';

/** Settings known from other programs under another name, and one that can't be set in the file. */
const KNOWN_MISTAKES: Readonly<Record<string, string>> = {
  data: 'set it with --data or SEINE_DATA: the file itself may be in the data folder',
  pool_size: 'use database.pool',
  workers: 'a process is one worker; use worker.concurrency and worker.threads',
};

export class MisplacedKeys {
  readonly #headings = new Map<string, string[]>();

  constructor(declaration: AnyGroup) {
    this.#collect(declaration, '');
  }

  /** Returns undefined if there is no such setting under any heading. */
  hint(key: string): string | undefined {
    const headings = this.#headings.get(key);
    if (headings) return `it belongs ${headings.join(' or ')}`;
    return Object.hasOwn(KNOWN_MISTAKES, key) ? KNOWN_MISTAKES[key] : undefined;
  }

  #collect(shape: Shape, path: string): void {
    if (shape.shape === 'list') this.#collect(shape.item, path);
    if (shape.shape !== 'group') return;
    for (const [key, inner] of Object.entries(shape.keys)) {
      const heading = path === '' ? 'at the top, not indented' : `under ${path}`;
      for (const name of settingKeys(key, inner)) {
        this.#headings.set(name, [...(this.#headings.get(name) ?? []), heading]);
      }
      this.#collect(inner, path === '' ? key : `${path}.${key}`);
    }
  }
}
