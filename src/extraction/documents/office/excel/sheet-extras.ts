import type { DocumentItem } from '../../../document-item.ts';
import { marginLines } from '../../sheets/margin-lines.ts';
import { plainTarget } from '../package/relations.ts';
import { TextFlow } from '../text/text-flow.ts';

const MAX_CELLS = 64;

/** What a sheet has besides its cells: links, lines above and below each printed page, what may be chosen for a cell. */
export class SheetExtras {
  readonly #links: TextFlow;
  readonly #margins: TextFlow;
  readonly #choices: TextFlow;
  readonly #targets: ReadonlyMap<string, string>;
  readonly #unseen: ReadonlySet<string>;

  /** `unseen`: addresses that no cell shows. */
  constructor(sheet: string, targets: ReadonlyMap<string, string>, unseen: ReadonlySet<string>) {
    this.#links = new TextFlow(`${sheet} links`);
    this.#margins = new TextFlow(`${sheet} header`);
    this.#choices = new TextFlow(`${sheet} validation`);
    this.#targets = targets;
    this.#unseen = unseen;
  }

  /** `id`: of the relationship with the target. */
  link(cells: string, id: string): void {
    const target = this.#targets.get(id);
    if (target === undefined || !this.#unseen.has(plainTarget(target))) return;
    this.#links.writeLine(`${cells}: ${target}`);
  }

  margin(text: string): void {
    for (const line of marginLines(text)) this.#margins.writeLine(line);
  }

  /** A validation rule: allowed values and messages. */
  validation(cells: string, texts: readonly string[]): void {
    for (const text of texts)
      if (text !== '') this.#choices.writeLine(`${cells.slice(0, MAX_CELLS)}: ${text}`);
  }

  get full(): boolean {
    return this.#links.full || this.#margins.full || this.#choices.full;
  }

  *written(): Generator<DocumentItem> {
    yield* this.#links.take();
    yield* this.#margins.take();
    yield* this.#choices.take();
  }

  *end(): Generator<DocumentItem> {
    yield* this.#links.end();
    yield* this.#margins.end();
    yield* this.#choices.end();
  }
}
