-- What a workflow ended with. See workflows/waiting and workflows/children/child.ts.
alter table workflow
  add column result  json,                -- of complete(result)
  add column failure text;                -- of fail(error): it is completed, without success

-- Workflows that others have started. The parent has an event when one has ended; one that must not outlive its parent is cancelled.
create table child (
  id              bigint generated always as identity primary key,
  tenant          text not null,
  workflow        text not null,
  workflow_id     text not null,
  hash            numeric not null,       -- of its id: whose part it is in cancels it
  name            text not null,          -- its events are <name>.completed, <name>.failed, <name>.cancelled
  parent_key      bigint not null references workflow on delete cascade,
  parent_workflow text not null,
  parent_hash     numeric not null,
  on_parent_end   text not null check (on_parent_end in ('cancel', 'abandon')),
  refused         boolean not null default false, -- the id was taken: it never was this parent's child
  outcome         text check (outcome in ('completed', 'failed', 'cancelled')), -- null: it has not ended
  result          json,
  error           text,
  told_at         timestamptz,            -- its parent has the event
  cancel_at       timestamptz             -- its parent ended, and it must end too
);
create unique index child_of_id on child (tenant, workflow, workflow_id) where not refused;
create index child_of_parent on child (parent_key);
create index child_to_tell on child (parent_workflow, id) where outcome is not null and told_at is null;
create index child_to_cancel on child (workflow, id) where cancel_at is not null and outcome is null;

-- The command that starts a child: if it is rejected, the child has failed.
alter table message add column child_id bigint;
