import { Command } from 'commander';
import { SeineError } from '../../base/errors.ts';
import { parseWholeNumber } from '../../config.ts';
import { FILTER_FIELDS, FILTER_FUNCTIONS } from '../../filter/fields.ts';
import { type CommonFlags, withCommonOptions } from '../options.ts';
import { OUTPUT_FORMATS } from '../output/formats.ts';

interface FindingsFlags extends CommonFlags {
  readonly where?: string;
  readonly policy?: string;
  readonly scan?: string;
  readonly limit?: string;
  readonly format?: string;
  readonly objects?: boolean;
}

export function findingsCommand(): Command {
  const command = new Command('findings')
    .description('the findings of a scan, filtered')
    .argument('[scan]', 'number of the scan (default: the newest that has ended)')
    .option(
      '-w, --where <filter>',
      'only those that match, such as: has(SSN) and tier >= HIGH and path ~ "hr/"',
    )
    .option('--policy <name>', 'only what made a policy fire, such as hipaa')
    .option('--objects', 'list the objects instead of each finding')
    .option('--limit <number>', 'at most so many')
    .option('--format <format>', 'jsonl or csv instead of a table')
    .addHelpText('after', filterHelp());
  return withCommonOptions(command).action(async (id: string | undefined, flags: FindingsFlags) => {
    const { listFindings } = await import('../results/list-findings.ts');
    const format = flags.json ? 'jsonl' : flags.format;
    if (format !== undefined && format !== 'jsonl' && format !== 'csv') {
      const known = (OUTPUT_FORMATS as readonly string[]).includes(format);
      throw new SeineError('usage', `seine findings writes jsonl or csv, not ${format}.`, {
        hint: known
          ? `seine scan … --output report.${format} writes that.`
          : 'Say --format jsonl or --format csv.',
      });
    }
    const limit = parseWholeNumber(
      '--limit',
      flags.limit,
      Number.MAX_SAFE_INTEGER,
      1,
      Number.MAX_SAFE_INTEGER,
    );
    await listFindings(id, { ...flags, format: format ?? 'table', limit });
  });
}

function filterHelp(): string {
  const fields = FILTER_FIELDS.map((field) => `  ${field.name.padEnd(18)}${field.about}`);
  const functions = FILTER_FUNCTIONS.map((fn) => `  ${fn.usage.padEnd(18)}${fn.about}`);
  return `
Filter: fields and functions joined by and, or, not and parentheses; = != > < >= <= ~ !~ contains.
${[...fields, ...functions].join('\n')}`;
}
