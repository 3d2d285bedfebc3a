-- What operators of workflows need: command ids that outlive their events, ended workflows that are purged, messages that were rejected,
-- and the trace that a command belongs to.

-- The ids of commands whose events were deleted: such a command has no second effect either. Written in the transaction that deletes the
-- events, kept until retention.command_ids. See workflows/archive/archive-store.ts.
create table handled_command (
  workflow_key bigint not null references workflow on delete cascade,
  command      bytea not null,            -- the first 16 bytes of the SHA-256 of its id
  at           timestamptz not null,      -- when it had its effect
  primary key (workflow_key, command)
);
create index handled_command_by_age on handled_command (at);

-- An ended workflow of which only its head and its command ids are left: its id is not taken again. See workflows/archive/purge.ts.
alter table workflow add column purged_at timestamptz;
-- Neither column changes with an append, so an append touches no index, as before.
create index workflow_to_purge on workflow (key) where status in ('completed', 'cancelled') and purged_at is null;

-- Messages that their workflow rejected: the last ones of each workflow, for 30 days. See workflows/messages/rejection-store.ts.
create table rejected_message (
  id          bigint generated always as identity primary key,
  tenant      text not null,
  workflow    text not null,
  workflow_id text not null,
  kind        text not null,              -- as of the message
  type        text,                       -- of the command
  timer       text,                       -- its name, if it was a timer
  reason      text not null,
  at          timestamptz not null default clock()
);
create index rejected_message_of_workflow on rejected_message (tenant, workflow, workflow_id, id);
