import { describe, expect, it } from 'vitest';
import { catalogue } from '../../catalogue.ts';
import { scanText } from '../../scan.fixture.ts';
import { createScanner } from '../../scanner.ts';

const scanner = createScanner(catalogue.filter(({ id }) => id === 'NAME'));

function names(text: string): string[] {
  const bytes = Buffer.from(text);
  return scanText(scanner, text).map(({ start, end }) => bytes.toString('utf8', start, end));
}

describe('a name that needs context', () => {
  it('is found in a sentence, but not among identifiers of a program', () => {
    expect(names('later that week Ingrid found the letter again')).toEqual(['Ingrid']);
    expect(names('const found = later(that, week, Ingrid, letter)')).toEqual([]);
  });

  it('is found in a list of names', () => {
    expect(names('Guests: Renate, Ingrid, Tobias')).toEqual(['Renate', 'Ingrid', 'Tobias']);
    expect(names('Guests: Green, Ingrid, Blue')).toEqual([]);
  });

  it('is found on a line of its own, also in a quoted mail', () => {
    expect(names('x\n> Zbyněk Novák\n> 12345\n')).toEqual(['Zbyněk Novák']);
    expect(names('x\nsee Zqwert Novák: 12345\n')).toEqual([]);
  });

  it('is rejected for a thing that is named after a person', () => {
    expect(names('this is how a Winston logger writes to the file')).toEqual([]);
    expect(names('this is how old Winston logged it to the file')).toEqual(['Winston']);
  });

  it('is rejected for a place', () => {
    expect(names('then they all went to a fair in Ingrid for a day')).toEqual([]);
    expect(names('then they all gave some of it to Ingrid for a day')).toEqual(['Ingrid']);
  });

  it('is rejected for German nouns, which are all capitalised', () => {
    expect(names('gestern hat uns hier der alte Bauer das Tor und den Zaun gezeigt')).toEqual([]);
    expect(names('gestern hat uns hier auch Ingrid noch das Tor und den Zaun gezeigt')).toEqual(['Ingrid']);
  });

  it('is recognised by an initial between two unknown words', () => {
    expect(names('they were told that Zqwert D. Ybcdef had come')).toEqual(['Zqwert D. Ybcdef']);
    expect(names('they were told that Zqwert Ybcdef had come')).toEqual([]);
  });

  it('is found before verbs of people at the beginning of the text', () => {
    expect(names('Ingrid lives by the sea')).toEqual(['Ingrid']);
    expect(names('The rain had stopped. Ingrid was the first to leave the house.')).toEqual(['Ingrid']);
    expect(names('Ingrid, would you be so kind and close the door')).toEqual(['Ingrid']);
    expect(names('Green is what they want. Ingrid = was set')).toEqual([]);
    expect(names('What is your name? Zqwert Ybcdef')).toEqual(['Zqwert Ybcdef']);
    expect(names("I'm Zqwert Ybcdef, how do you do")).toEqual(['Zqwert Ybcdef']);
  });
});
