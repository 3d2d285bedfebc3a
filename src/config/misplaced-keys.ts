/** A known setting under the wrong heading: where it belongs. */
import { type AnyGroup, type Shape, settingKeys } from './shape.ts';

/** Settings that other programs know under another name, and one that can't be in the file. */
const KNOWN_MISTAKES: Readonly<Record<string, string>> = {
  data: 'the file is looked for in the data folder, so that is said by --data or SEINE_DATA',
  pool_size: 'it is called database.pool',
  workers: 'a process is one worker; what it does at a time is worker.concurrency and worker.threads',
};

export class MisplacedKeys {
  readonly #headings = new Map<string, string[]>();

  constructor(declaration: AnyGroup) {
    this.#collect(declaration, '');
  }

  /** Undefined: no setting is called that anywhere. */
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
