/** Explicit idempotency keys: which actions must be kept so that nothing is executed twice under its key. */

/** Condition on a row of `action`: its result is not needed for its explicit key. */
export const NO_RESULT_OF_KEY = `(action.idempotency_key is null or action.state <> 'done' or exists (
  select from action later
  where later.workflow_key = action.workflow_key and later.name = action.name
    and later.idempotency_key = action.idempotency_key and later.state = 'done' and later.id > action.id))`;
