/**
 * The schema version of a stored state: `stateVersion` of the definition that wrote it. Snapshots of another version are not used, since the events
 * can be folded again. The state of `continueAsNew` can't be recomputed, because earlier events may be deleted: it is migrated, or the workflow fails.
 * Using it unmigrated would yield a state that no `evolve` ever returned.
 */
import { SeineError } from '../../base/errors.ts';
import type { AnyWorkflow } from '../define.ts';
import { callUserCode } from '../user-code/code-error.ts';
import { NewerVersionRequired } from './newer-version.ts';

/** Migrates a state stored by version `from` to the current version. */
export function migrateStoredState(workflow: AnyWorkflow, stored: unknown, from: number): unknown {
  const { name, stateVersion, migrateState = {} } = workflow;
  if (from > stateVersion) {
    throw new NewerVersionRequired(
      `A state of ${name} was stored by state version ${from}; this process has state version ${stateVersion}.`,
      `Deploy the newer code of ${name} here.`,
    );
  }
  let state = stored;
  for (let version = from; version < stateVersion; version++) {
    const migrate = migrateState[version];
    if (!migrate) {
      throw new SeineError(
        'internal',
        `A state that ${name} continued with is of state version ${version}; the code has ${stateVersion} and no migration.`,
        {
          hint: `Add migrateState: { ${version}: (state) => … } that returns a state of version ${version + 1}.`,
        },
      );
    }
    const given = state;
    const place = () =>
      ({ callback: 'migrateState', workflow: name, subject: `a state of version ${version}` }) as const;
    state = callUserCode(place, () => migrate(given));
  }
  return state;
}
