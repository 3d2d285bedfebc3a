import type { ExtractionBudget } from '../../../budget/extraction-budget.ts';
import type { EmbeddedEntry } from '../../../document-item.ts';
import { LimitExceeded } from '../../../extraction-error.ts';
import { Base64 } from '../../../formats/base64.ts';
import type { XmlTokens } from '../../xml/xml-tokens.ts';

/** What is embedded in an XML file in letters: pictures and objects. It is no text of the document. */
export class BinaryData {
  readonly #element: string;
  readonly #budget: ExtractionBudget;
  #entries: EmbeddedEntry[] = [];
  #count = 0;
  /** The depth of the element we are in; 0: none. */
  #depth = 0;
  #name: string | null = null;
  #kept = false;
  #parts: Uint8Array[] = [];
  #length = 0;
  #decoder: Base64 | null = null;
  #exceeded = false; // decoded in steps, to bound memory

  /** `element`: that has such data. */
  constructor(element: string, budget: ExtractionBudget) {
    this.#element = element;
    this.#budget = budget;
  }

  /** Returns true if the token belongs to such data. `kept`: its content is needed. */
  take(xml: XmlTokens, kept: boolean): boolean {
    if (this.#depth === 0) {
      if (xml.token !== 'open' || xml.name !== this.#element) return false;
      this.#begin(xml, kept);
    } else if (xml.token === 'text') {
      if (this.#kept) this.#decoder?.write(Buffer.from(xml.text, 'latin1'));
    } else if (xml.token === 'close' && xml.depth < this.#depth) this.#end();
    return true;
  }

  get ready(): boolean {
    return this.#entries.length > 0;
  }

  *items(): Generator<EmbeddedEntry> {
    const entries = this.#entries;
    this.#entries = [];
    yield* entries;
  }

  /** After all items. */
  finish(): void {
    if (this.#exceeded) throw new LimitExceeded('embedded object');
  }

  #begin(xml: XmlTokens, kept: boolean): void {
    this.#depth = xml.depth;
    this.#kept = kept;
    this.#name = xml.attribute('name');
    this.#decoder = new Base64((bytes) => this.#add(bytes));
  }

  #add(bytes: Uint8Array): void {
    this.#length += bytes.length;
    if (this.#length <= this.#budget.limits.heldBytes) this.#parts.push(Uint8Array.from(bytes));
    else this.#drop();
  }

  /** Too large to keep in memory; the document continues after it. */
  #drop(): void {
    this.#exceeded = true;
    this.#kept = false;
    this.#parts = [];
  }

  #end(): void {
    if (this.#kept) this.#decoder?.end();
    this.#decoder = null;
    this.#depth = 0;
    const parts = this.#parts;
    this.#parts = [];
    this.#length = 0;
    if (parts.length === 0) return;
    this.#budget.countEntry();
    const name = this.#name?.replace(/^.*\//, '') || `object ${++this.#count}`;
    this.#entries.push({ is: 'entry', name, bytes: given(parts) });
  }
}

async function* given(parts: readonly Uint8Array[]): AsyncGenerator<Uint8Array> {
  yield* parts;
}
