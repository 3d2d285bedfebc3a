import type { ZipMember } from '../../archives/zip-directory.ts';
import { Limit } from '../../obstacle.ts';
import { builtInFormat, type NumberFormat, parseFormat } from '../sheets/number-format.ts';
import { xmlTokens } from '../xml/xml-tokens.ts';

const MOST_STYLES = 1_000_000;

/** How the numbers of a workbook are shown, by the style that a cell refers to. */
export async function readStyles(part: ZipMember): Promise<readonly NumberFormat[]> {
  const own = new Map<number, NumberFormat>();
  const formats: NumberFormat[] = [];
  let ofCells = false;
  for await (const xml of xmlTokens(part.bytes()))
    while (xml.next()) {
      if (xml.name === 'cellXfs') ofCells = xml.token === 'open';
      if (xml.token !== 'open') continue;
      if (formats.length + own.size > MOST_STYLES) throw new Limit('styles');
      const id = Number(xml.attribute('numFmtId') ?? 0);
      if (xml.name === 'numFmt') own.set(id, parseFormat(xml.attribute('formatCode') ?? ''));
      else if (xml.name === 'xf' && ofCells) formats.push(own.get(id) ?? builtInFormat(id));
    }
  return formats;
}
