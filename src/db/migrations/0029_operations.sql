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
-- Only of workflows with such ids it is worth asking, which few are.
alter table workflow add column command_ids_kept boolean not null default false;

-- An ended workflow of which only its head and its command ids are left: its id is not taken again. See workflows/archive/purge.ts.
-- Its index is built by 0031.
alter table workflow add column purged_at timestamptz;

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

-- The trace of the command that led to it, if one was active: a W3C traceparent. See workflows/telemetry/spans.ts.
alter table event add column trace text;
alter table action add column trace text;
alter table message add column trace text;

-- When the first event happened that a reader has not read; null: it has read all. As unread(), slot by slot.
create function unread_since(place reader_place) returns timestamptz language sql stable as $$
  select case place.mode
    when 'slots' then (
      select event.at from event
      where event.workflow = place.workflow and event.slot = place.part
        and (event.xid, event.position) > (place.xid, place.position)
      order by event.xid, event.position
      limit 1)
    else (
      select min(ahead.at) from generate_series(0, 255) as slots(slot), lateral (
        select event.at from event
        where event.workflow = place.workflow and event.slot = slots.slot
          and (event.xid, event.position) > (place.xid, place.position) and mod(event.hash, place.total) = place.part
        order by event.xid, event.position
        limit 1) ahead)
    end
$$;
