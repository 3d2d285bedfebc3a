import type { Piece } from '../../piece.ts';
import type { XmlTokens } from '../xml/xml-tokens.ts';
import { plainTarget } from './relations.ts';
import { RunText } from './run-text.ts';
import { TextFlow } from './text-flow.ts';

const MARGINS = ['oddHeader', 'oddFooter', 'evenHeader', 'evenFooter', 'firstHeader', 'firstFooter'];

/** What a sheet has besides its cells: links, and lines above and below each printed page. */
export class SheetAside {
  readonly #links: TextFlow;
  readonly #margins: RunText;
  readonly #targets: ReadonlyMap<string, string>;
  readonly #unseen: ReadonlySet<string>;

  /** `unseen`: addresses that no cell shows. */
  constructor(sheet: string, targets: ReadonlyMap<string, string>, unseen: ReadonlySet<string>) {
    this.#links = new TextFlow(`${sheet} links`);
    this.#margins = new RunText(new TextFlow(`${sheet} header`), { also: MARGINS });
    this.#targets = targets;
    this.#unseen = unseen;
  }

  take(xml: XmlTokens): void {
    if (xml.token === 'open' && xml.name === 'hyperlink') this.#link(xml);
    this.#margins.take(xml);
  }

  get full(): boolean {
    return this.#links.full || this.#margins.flow.full;
  }

  *written(): Generator<Piece> {
    yield* this.#links.take();
    yield* this.#margins.flow.take();
  }

  *end(): Generator<Piece> {
    yield* this.#links.end();
    yield* this.#margins.flow.end();
  }

  #link(xml: XmlTokens): void {
    const target = this.#targets.get(xml.prefixedAttribute('id') ?? '');
    if (target === undefined || !this.#unseen.has(plainTarget(target))) return;
    this.#links.write(`${xml.attribute('ref') ?? ''}: ${target}`);
    this.#links.endLine();
  }
}
