import { longer } from '../../sheets/cell-value.ts';
import type { XmlTokens } from '../../xml/xml-tokens.ts';
import type { PartText } from '../package/parts.ts';
import { RunText } from './run-text.ts';
import { TextFlow } from './text-flow.ts';

/** A chart of a workbook. Its cached values are yielded only if no sheet of the workbook contains them. */
export class ChartText implements PartText {
  readonly flow: TextFlow;
  readonly #runs: RunText;
  readonly #sheets: ReadonlySet<string>;
  #source = '';
  #capturing: 'source' | 'value' | null = null;

  constructor(location: string, sheets: ReadonlySet<string>) {
    this.flow = new TextFlow(location);
    this.#runs = new RunText(this.flow);
    this.#sheets = sheets;
  }

  take(xml: XmlTokens): void {
    if (xml.token === 'text') this.#text(xml);
    else if (xml.token === 'open') this.#open(xml.name);
    else this.#close(xml.name);
    if (xml.token !== 'text') this.#runs.take(xml);
  }

  #text(xml: XmlTokens): void {
    if (this.#capturing === 'source') this.#source = longer(this.#source, xml.text);
    else if (this.#capturing === 'value') this.flow.write(xml.text);
    else this.#runs.take(xml);
  }

  #open(name: string): void {
    if (name === 'f') {
      this.#source = '';
      this.#capturing = 'source';
    } else if (name === 'v' || name === 'pt') this.#capturing = this.#isHere() ? null : 'value';
  }

  /** After a series with a source there may be literal values without one, which exist in the chart only. */
  #close(name: string): void {
    if (this.#capturing === 'value') this.flow.endLine();
    this.#capturing = null;
    if (/Ref$|Dim$/.test(name)) this.#source = '';
  }

  /** `Sheet1!$A$1`, `'Ann''s'!$A$1`; one of another workbook has its number in brackets before. */
  #isHere(): boolean {
    const sheet = this.#source.slice(0, Math.max(0, this.#source.lastIndexOf('!')));
    const bare = sheet.startsWith("'") ? sheet.slice(1, -1).replaceAll("''", "'") : sheet;
    return this.#sheets.has(bare);
  }
}
