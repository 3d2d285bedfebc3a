/** All commands. Each defines its own options and help; its implementation is imported when it runs. */
import { Command } from 'commander';
import packageJson from '../../package.json' with { type: 'json' };
import { baselineCommand } from './commands/baseline.ts';
import { completionCommand } from './commands/completion.ts';
import { configCommand } from './commands/config.ts';
import { coverageCommand } from './commands/coverage.ts';
import { deadLetterCommand } from './commands/deadletter.ts';
import { diffCommand } from './commands/diff.ts';
import { doctorCommand } from './commands/doctor.ts';
import { explainCommand } from './commands/explain.ts';
import { findingsCommand } from './commands/findings.ts';
import { hooksCommand } from './commands/hooks.ts';
import { inspectCommand } from './commands/inspect.ts';
import { installCommand } from './commands/install.ts';
import { monitorCommand } from './commands/monitor.ts';
import { cancelCommand, pauseCommand } from './commands/pause.ts';
import { planCommand } from './commands/plan.ts';
import { resumeCommand } from './commands/resume.ts';
import { detectorsCommand } from './commands/rules/detectors.ts';
import { policiesCommand } from './commands/rules/policies.ts';
import { whatIfCommand } from './commands/rules/whatif.ts';
import { scanCommand } from './commands/scan.ts';
import { scansCommand } from './commands/scans.ts';
import { shardsCommand } from './commands/shards.ts';
import { showCommand } from './commands/show.ts';
import { suppressCommand } from './commands/suppress.ts';
import { suppressionsCommand } from './commands/suppressions.ts';
import { workerCommand } from './commands/worker.ts';
import { workersCommand } from './commands/workers.ts';
import { partitionsCommand } from './commands/workflows/partitions.ts';
import { runnerCommand } from './commands/workflows/runner.ts';
import { workflowsCommand } from './commands/workflows/workflows.ts';
import type { SetExitCode } from './exit-code.ts';

export function buildProgram(exit: SetExitCode): Command {
  const program = new Command('seine')
    .description('Find sensitive data: personal, health, financial, secrets. Data stays on your machines.')
    .version(packageJson.version, '-V, --version')
    .enablePositionalOptions() // options after a command belong to that command: `workflows replay --version 7`
    .helpOption('-h, --help', 'show this help')
    .helpCommand('help [command]', 'show help for a command')
    .showHelpAfterError("Run 'seine --help' for usage.")
    .showSuggestionAfterError()
    .addHelpText('after', EXAMPLES)
    .exitOverride();
  for (const command of [
    scanCommand(exit),
    planCommand(),
    resumeCommand(exit),
    workerCommand(exit),
    pauseCommand(),
    cancelCommand(exit),
    deadLetterCommand(exit),
    hooksCommand(exit),
    inspectCommand(exit),
    scansCommand(),
    monitorCommand(exit),
    workersCommand(),
    shardsCommand(),
    showCommand(),
    findingsCommand(),
    explainCommand(exit),
    whatIfCommand(exit),
    coverageCommand(),
    detectorsCommand(),
    policiesCommand(),
    diffCommand(exit),
    baselineCommand(exit),
    suppressCommand(),
    suppressionsCommand(exit),
    runnerCommand(exit),
    partitionsCommand(),
    workflowsCommand(exit),
    configCommand(exit),
    doctorCommand(exit),
    installCommand(),
    completionCommand(program),
  ]) {
    program.addCommand(command.helpOption('-h, --help', 'show this help').exitOverride());
  }
  return program;
}

const EXAMPLES = `
Examples:
  seine scan /srv/share                            scan a folder and show the report
  seine scan s3://bucket/prefix                    a bucket (also gs:// and az://)
  seine worker                                     process the scans of a shared database
  seine scan . --output report.html --fail-on HIGH in a CI pipeline
  seine findings --where 'has(SSN) and tier >= HIGH'
  seine inspect hr/payroll.csv                     findings and score of one file
  seine explain 12-873-0                           why a finding was reported; FILE --at 12:5: why not
  seine whatif --rules strict.yaml                 re-evaluate the last scan with other rules

Environment: DATABASE_URL (use this PostgreSQL instead of the private one), SEINE_DATA (data folder),
  SEINE_THREADS, SEINE_WORKFLOWS, NO_COLOR.`;
