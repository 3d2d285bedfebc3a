import type { Key } from '../../base/key.ts';
import { compileGlob, type Glob, pathText } from '../../sources/glob.ts';

/** A glob as in --include: one that matches a folder includes everything in it. */
export class PathMatcher {
  readonly #glob: Glob;

  constructor(pattern: string) {
    this.#glob = compileGlob(pattern);
  }

  covers(key: Key): boolean {
    if (this.#glob.matches(pathText(key), false)) return true;
    for (let end = key.indexOf('/'); end !== -1; end = key.indexOf('/', end + 1))
      if (this.#glob.matches(pathText(key.slice(0, end) as Key), true)) return true;
    return false;
  }
}
