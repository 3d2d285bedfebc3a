/** Parses the examples of a custom detector. */
import type { Example } from '../detection/detector.ts';
import type { YamlFile } from './yaml-file.ts';

/** The positions of the examples, for errors when one fails. */
export interface ExampleNodes {
  readonly match: readonly unknown[];
  readonly not: readonly unknown[];
}

interface ParsedExamples {
  readonly examples: { readonly match: readonly Example[]; readonly not: readonly Example[] };
  readonly nodes: ExampleNodes;
}

export function parseExamples(file: YamlFile, node: unknown): ParsedExamples {
  const { match, not } = file.map(node, 'examples', ['match', 'not']);
  const nodes = { match: [] as unknown[], not: [] as unknown[] };
  const read = (list: unknown, key: 'match' | 'not') =>
    file.list(list, `examples.${key}`, (each) => {
      nodes[key].push(each);
      return parseExample(file, each);
    });
  const examples = {
    match: match === undefined ? [] : read(match, 'match'),
    not: not === undefined ? [] : read(not, 'not'),
  };
  if (examples.match.length === 0) file.fail(node, 'no matching example', 'add examples: { match: [...] }');
  return { examples, nodes };
}

function parseExample(file: YamlFile, node: unknown): Example {
  if (file.isText(node)) return file.string(node, 'an example');
  const { text, value, field } = file.map(node, 'an example', ['text', 'value', 'field']);
  if (text === undefined) file.fail(node, 'an example needs a text', 'add text: …');
  return {
    text: file.string(text, 'text'),
    ...(value !== undefined && { value: file.string(value, 'value') }),
    ...(field !== undefined && { field: file.string(field, 'field') }),
  };
}
