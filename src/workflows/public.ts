/** What a developer of workflows uses: `import { defineWorkflow } from 'seine/workflows'`. */
export type {
  Action,
  ActionContext,
  ActionDone,
  ActionFailed,
  ActionTransaction,
  Policy,
} from './actions/action.ts';
export {
  type ChildCancelled,
  type ChildCompleted,
  type ChildFailed,
  type ChildOptions,
  cancelChild,
  startChild,
} from './children/child.ts';
export { type ClientOptions, openWorkflows, runWorkflows, type Sent, type WorkflowClient } from './client.ts';
export { continueAsNew, reject } from './decision.ts';
export {
  type AttributeValue,
  type Circumstances,
  type Definition,
  defineWorkflow,
  type HeardEvent,
  type Occurrence,
  type OldEvent,
  type Receiver,
  type Schema,
  type Workflow,
} from './define.ts';
export {
  act,
  after,
  at,
  cancelAction,
  cancelTimer,
  complete,
  type Effect,
  every,
  fail,
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
export { rescale, rescaleAll } from './partitions/scaling.ts';
export {
  defineProjection,
  type ProjectedEvent,
  type Projection,
  type ProjectionDefinition,
  type ProjectionTx,
} from './projections/projection.ts';
export type { Runner, RunnerOptions } from './runner/runner.ts';
export { testEnvironment } from './spec/create-test-environment.ts';
export { delayed } from './spec/simulated-actions.ts';
export { ofVersion, specOf } from './spec/spec.ts';
export type { Typed } from './typed.ts';
export type { Wait } from './wait.ts';
export type { Updated, UpdateOptions } from './waiting/await-result.ts';
export type { WaitOptions } from './waiting/workflow-waiters.ts';
