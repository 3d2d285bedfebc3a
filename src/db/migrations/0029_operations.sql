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
