/** What a developer of workflows uses: `import { defineWorkflow } from 'seine/workflows'`. */
export type {
  Action,
  ActionContext,
  ActionDone,
  ActionFailed,
  ActionTransaction,
  Policy,
} from './actions/action.ts';
export { type ClientOptions, openWorkflows, runWorkflows, type Sent, type WorkflowClient } from './client.ts';
export { continueAsNew, reject } from './decision.ts';
export {
  type Circumstances,
  type Definition,
  defineWorkflow,
  type HeardEvent,
  type Occurrence,
  type OldEvent,
  type Schema,
  type Workflow,
} from './define.ts';
export {
  act,
  after,
  cancelAction,
  cancelTimer,
  complete,
  type Effect,
  every,
  type Interest,
  subscribe,
  tell,
  unsubscribe,
} from './effects.ts';
export { openWorkflowDatabase as openDatabase } from './open-database.ts';
export {
  createPartitionedConfigs,
  makeHashPartitionRule,
  makeReaderName,
  type PartitionConfig,
} from './partitions/partition.ts';
export {
  getMinOffset,
  mergeOffsetsOnScaleDown,
  migrateOffsetsOnScaleUp,
  rebalancePartitions,
} from './partitions/rebalance.ts';
export { rescale } from './partitions/scaling.ts';
export type { Runner, RunnerOptions } from './runner/runner.ts';
export { ofVersion, specOf } from './spec/spec.ts';
export { trial } from './spec/trial.ts';
export { lasting } from './spec/trial-actions.ts';
export type { Typed } from './typed.ts';
export type { Wait } from './wait.ts';
