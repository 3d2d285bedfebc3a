import { describe, expect, it } from 'vitest';
import { luhnDigit } from './identifiers.ts';
import { LANGUAGE_DATA } from './languages.ts';
import { scoreTable } from './score-tables.ts';
import { type Cell, type GeneratedTable, makeTable } from './table-file.ts';
import { VARIANTS } from './variants.ts';

const ROWS = 6; // with one long cell

function tablesOf(seed: number): GeneratedTable[] {
  return LANGUAGE_DATA.flatMap((language) =>
    VARIANTS.map((variant, number) => {
      language.faker.seed(seed + number);
      return makeTable(language, variant, number, ROWS);
    }),
  );
}

const tables = tablesOf(1);

describe('generated tables', () => {
  it('are the same for the same seed', () => {
    const again = tablesOf(1);
    expect(again.map(({ bytes }) => bytes)).toEqual(tables.map(({ bytes }) => bytes));
  });

  it('know at which bytes their values are, in every encoding', () => {
    const wrong = tables.flatMap(({ file, bytes, cells }) => {
      const encodings = ['utf8', 'latin1', 'utf16le'] as const;
      const matches = (cell: Cell) =>
        encodings.some((encoding) => bytes.toString(encoding, cell.start, cell.end) === cell.value);
      return cells.filter((cell) => !matches(cell)).map(({ value }) => `${file}: ${value}`);
    });
    expect(wrong).toEqual([]);
  });

  it('have cards with a valid check digit', () => {
    const cards = tables
      .flatMap(({ cells }) => cells)
      .filter(({ kind, sensitive }) => kind === 'card' && sensitive)
      .map(({ value }) => value.replace('.0', '').replaceAll(' ', ''));
    expect(cards.filter((card) => luhnDigit(card.slice(0, -1)) !== card.at(-1))).toEqual([]);
  });

  it('count a finding of most of a value as found, and any other as false', () => {
    const [table] = tables;
    const email = table!.cells.find(({ kind }) => kind === 'email')!;
    const status = table!.cells.find(({ kind }) => kind === 'status')!;
    const finding = (detector: string, { start, end }: Cell) => ({
      ...{ key: table!.file, detector, start, end, line: 2, confidence: 0.9, tier: 'LOW' },
    });
    const { cells, falseFindings } = scoreTable(table!, [
      finding('EMAIL', email),
      finding('NAME', status),
      finding('NAME', email),
    ]);
    expect(cells.filter(({ found }) => found).map(({ cell }) => cell)).toEqual([email]);
    expect(falseFindings.map(({ detector, cell }) => `${detector} ${cell?.kind}`)).toEqual([
      'NAME status',
      'NAME email',
    ]);
  });
});
