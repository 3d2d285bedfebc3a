-- Search attributes of workflows: a few plain values of the state, to find workflows by. In a table of their own: in `workflow`, a changed
-- attribute would make an update of that row write all of its indexes. Locked last, after workflows and actions.
create table workflow_attribute (
  workflow_key bigint primary key references workflow on delete cascade,
  version      bigint not null,            -- of the event whose state it shows
  attributes   jsonb not null
) with (fillfactor = 80);
-- Hashes of name and value: small, and enough for equality; ranges filter what else was found.
create index workflow_attribute_values on workflow_attribute using gin (attributes jsonb_path_ops);

-- Projections: read models that runners update from the log. See workflows/projections/projection.ts.
create table projection (
  name          text primary key,
  workflows     text[] not null,           -- whose events it reads
  work_id       bigint not null references work,
  lease_id      bigint not null references lease, -- its cursor is the offset; a rebuild begins another one
  setup         text not null default 'init' check (setup in ('init', 'reset', 'done')), -- what comes before the next event
  epoch         bigint not null default 1, -- grows with every rebuild
  rebuild_until xid8,                      -- the horizon when the last rebuild began: it is over when the cursor has passed it
  attempts      integer not null default 0, -- failures at the event that is next
  retry_at      timestamptz,
  parked_at     timestamptz,               -- it failed too often: nothing is applied until it is resumed or rebuilt
  error         text,
  at_workflow   text,                      -- the event that failed; null: init or reset did
  at_id         text,
  at_version    bigint,
  changed_at    timestamptz not null default clock()
);
create unique index projection_of_lease on projection (lease_id);
create unique index projection_of_work on projection (work_id);

-- Projections are readers, too: what they have not read is not deleted. Of each workflow they read all as one part.
create or replace view reader_place as
with place as (
  select layout.workflow, layout.mode, layout.epoch, layout.total, reader.part, reader.name, reader.lease_id
  from layout
  join reader on reader.workflow = layout.workflow and reader.retired_at is null
  union all
  select workflow, 'static', projection.epoch, 1, 0, 'projection ' || projection.name, projection.lease_id
  from projection, unnest(projection.workflows) as workflow)
select place.workflow, place.mode, place.epoch, place.total, place.part, place.name, place.lease_id,
       case when lease.cursor = '' then '0'::xid8
            else ('x' || encode(substr(lease.cursor, 1, 8), 'hex'))::bit(64)::bigint::text::xid8 end as xid,
       case when lease.cursor = '' then 0
            else ('x' || encode(substr(lease.cursor, 9, 8), 'hex'))::bit(64)::bigint end as position
from place join lease on lease.id = place.lease_id;

-- How far each workflow was applied: the offset of a projection finds its events, this decides. By its lease, since a rebuild begins anew.
create table projection_progress (
  workflow_key bigint not null references workflow on delete cascade,
  lease_id     bigint not null,            -- no reference: it would need an index, and rows go with their projection
  version      bigint not null,
  primary key (workflow_key, lease_id)
) with (fillfactor = 80);
