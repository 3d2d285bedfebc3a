/** Own idempotency keys: what must be kept of an action so that nothing is done twice under its key. */

/** Nobody needs its result again for its own key. Of a row of `action`. */
export const NO_RESULT_OF_KEY = `(action.idempotency_key is null or action.state <> 'done' or exists (
  select from action later
  where later.workflow_key = action.workflow_key and later.name = action.name
    and later.idempotency_key = action.idempotency_key and later.state = 'done' and later.id > action.id))`;
