/** `seine install`: what is missing of these components. The first failure ends it. */
import { COMPONENT_NAMES, isComponentName } from '../base/components/component.ts';
import { installComponent } from '../base/components/install-component.ts';
import type { CommonFlags } from './options.ts';

export async function installComponents(names: readonly string[], flags: CommonFlags): Promise<void> {
  const wanted = names.includes('all') ? COMPONENT_NAMES : [...new Set(names)].filter(isComponentName);
  const results: { component: string; result: string }[] = [];
  for (const name of wanted) {
    const result = (await installComponent(name)) ? 'installed' : 'already installed';
    results.push({ component: name, result });
    if (!flags.json) process.stdout.write(`${name}: ${result}\n`);
  }
  if (flags.json) process.stdout.write(`${JSON.stringify(results, null, 2)}\n`);
}
