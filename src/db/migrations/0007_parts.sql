-- Huge objects that are read by parts: see scans/parts/part.ts. Rows live from the checkpoint that meets the object until its
-- last part has ended.

create table parted_object (
  id         bigint generated always as identity primary key,
  scan_id    bigint not null references scan on delete cascade,
  tenant     text not null,
  key        bytea not null,
  size       bigint not null,
  modified   double precision,       -- milliseconds since 1970
  identity   text not null,
  inventory_key text not null,       -- the scan's when it was met: rules may change while it is interrupted
  parts_left integer not null        -- whoever brings it to 0 writes what became of the object
);
create index parted_object_of_scan on parted_object (scan_id);

-- What was found so far: one row for each checkpoint of a part. Lines and columns count from the row's first byte.
create table part_result (
  object_id  bigint not null references parted_object on delete cascade,
  from_byte  bigint not null,
  to_byte    bigint not null,
  tenant     text not null,
  lease_id   bigint not null,
  outcome    text not null check (outcome in ('scanned', 'partial', 'skipped', 'dead')),
  reason     text not null default '',
  evidence   json,
  bytes_read bigint not null,
  newlines   bigint not null,
  line_start bigint not null,        -- where the line begins that the row ends in
  types      json not null,          -- [{detector, count, confidence}] in order of place
  findings   json not null,
  primary key (object_id, from_byte)
);
create index part_result_of_lease on part_result (lease_id);
