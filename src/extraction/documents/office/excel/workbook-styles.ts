import type { ZipMember } from '../../../archives/zip/zip-directory.ts';
import { LimitExceeded } from '../../../extraction-error.ts';
import { builtInFormat, type NumberFormat, parseFormat } from '../../sheets/number-format.ts';
import { xmlTokens } from '../../xml/xml-tokens.ts';

const MAX_STYLES = 1_000_000;

/** How the numbers of a workbook are shown, by the style that a cell refers to. */
export class CellFormats {
  readonly all: NumberFormat[] = [];
  readonly #own = new Map<number, NumberFormat>();

  define(id: number, code: string): void {
    this.#check();
    this.#own.set(id, parseFormat(code));
  }

  /** The next style shows numbers so. */
  add(id: number): void {
    this.#check();
    this.all.push(this.#own.get(id) ?? builtInFormat(id));
  }

  #check(): void {
    if (this.all.length + this.#own.size > MAX_STYLES) throw new LimitExceeded('styles');
  }
}

export async function fillStyles(formats: CellFormats, part: ZipMember): Promise<void> {
  let ofCells = false;
  for await (const xml of xmlTokens(part.bytes()))
    while (xml.next()) {
      if (xml.name === 'cellXfs') ofCells = xml.token === 'open';
      if (xml.token !== 'open') continue;
      const id = Number(xml.attribute('numFmtId') ?? 0);
      if (xml.name === 'numFmt') formats.define(id, xml.attribute('formatCode') ?? '');
      else if (xml.name === 'xf' && ofCells) formats.add(id);
    }
}
