/** Tries a custom detector on its own examples, before anything is scanned with it. */
import { customDetector } from '../detection/custom.ts';
import { compileExampleCheck } from '../detection/example-check.ts';
import type { ParsedRule } from './custom-file.ts';
import type { YamlFile } from './yaml-file.ts';

/** The first that does not come out as it says is an error. `threshold`: from there on a finding is reported. */
export function runExamples(file: YamlFile, { rule, nodes }: ParsedRule, threshold: number): void {
  const trial = compileExampleCheck(customDetector(rule), threshold);
  if (trial === null) {
    const what = `the pattern ${rule.pattern} begins with anything, so it would be tried everywhere`;
    return file.fail(
      nodes.pattern,
      what,
      'begin with characters of its own, or with a class such as [A-Z] or \\d',
    );
  }
  for (const key of ['match', 'not'] as const) {
    for (const [n, example] of rule.examples[key].entries()) {
      const wrong = trial(example, key === 'match');
      if (wrong) file.fail(nodes[key][n], `${rule.id} ${wrong.what}`, wrong.hint);
    }
  }
}
