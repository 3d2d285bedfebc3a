/** Tests a custom detector with its own examples, before it is used in a scan. */
import { customDetector } from '../detection/custom.ts';
import { compileExampleCheck } from '../detection/examples.ts';
import type { ParsedRule } from './custom-file.ts';
import type { YamlFile } from './yaml-file.ts';

/**
 * Reports the first example with an unexpected result as an error. `threshold`: findings are reported from
 * it on.
 */
export function runExamples(file: YamlFile, { rule, nodes }: ParsedRule, threshold: number): void {
  const trial = compileExampleCheck(customDetector(rule), threshold);
  if (trial === null) {
    const what = `the pattern ${rule.pattern} can start with any character, so it would be tried everywhere`;
    return file.fail(
      nodes.pattern,
      what,
      'start with literal characters, or with a class such as [A-Z] or \\d',
    );
  }
  for (const key of ['match', 'not'] as const) {
    for (const [n, example] of rule.examples[key].entries()) {
      const wrong = trial(example, key === 'match');
      if (wrong) file.fail(nodes[key][n], `${rule.id} ${wrong.what}`, wrong.hint);
    }
  }
}
