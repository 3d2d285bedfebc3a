-- Tables of scan results under standard names, as in 0034.

alter table suspect rename to crash_suspect;
create view suspect as select
  scan_id, tenant, key, attempts
from crash_suspect;

alter table shard_run rename to shard_attempt;
alter table shard_attempt rename column token to fencing_token;
alter table shard_attempt rename column begun_at to started_at;
create view shard_run as select
  lease_id, fencing_token as token, holder, cursor, started_at as begun_at
from shard_attempt;

alter table parted_object rename to segmented_object;
alter table segmented_object rename column identity to version_tag;
alter table segmented_object rename column parts_left to segments_left;
create view parted_object as select
  id, scan_id, tenant, key, size, modified, version_tag as identity, inventory_key, segments_left as parts_left
from segmented_object;

alter table part_result rename to segment_result;
alter table segment_result rename column levels to confidence_histogram;
alter table segment_result rename column contests to overlap_counts;
create view part_result as select
  object_id, from_byte, to_byte, tenant, lease_id, outcome, reason, evidence, bytes_read, newlines, line_start,
  types, findings, confidence_histogram as levels, overlap_counts as contests, suppressed, columns, inventory_key
from segment_result;

alter table object rename to object_result;
alter table object_result rename column levels to confidence_histogram;
alter table object_result rename column contests to overlap_counts;
create view object as select
  id, scan_id, tenant, key, path, folder, outcome, reason, size, modified, score, points, tier, counts,
  confidence_histogram as levels, overlap_counts as contests, suppressed, suppressed_by, policies, columns, note
from object_result;

-- The previous version deletes blocks by their ctid.
alter table inventory rename to inventory_block;
alter table inventory_block rename column faint to sub_threshold;
create view inventory as select
  scan_id, tenant, up_to, entries, sub_threshold as faint, inventory_key, ctid
from inventory_block;

alter table hook rename to scan_hook;
alter table scan_hook rename column round to reopen_count;
alter table scan_hook rename column give_up to max_attempts;
alter table scan_hook rename column done_at to ended_at;
create view hook as select
  scan_id, reopen_count as round, n, tenant, kind, settings, state, attempts, max_attempts as give_up, error,
  result, ended_at as done_at, sent_at
from scan_hook;

select copy_grants('crash_suspect', 'suspect'),
       copy_grants('shard_attempt', 'shard_run'),
       copy_grants('segmented_object', 'parted_object'),
       copy_grants('segment_result', 'part_result'),
       copy_grants('object_result', 'object'),
       copy_grants('inventory_block', 'inventory'),
       copy_grants('scan_hook', 'hook');
drop function copy_grants(regclass, regclass);

comment on column segment_result.confidence_histogram is 'by detector, how many values have so many hundredths of confidence';
comment on column object_result.confidence_histogram is 'by detector, how many values have so many hundredths of confidence; also values without a stored finding';
comment on column object_result.overlap_counts is 'by the detector that won and its confidence: which detectors lost the same bytes';
comment on column inventory_block.sub_threshold is 'objects of the block that have values below the threshold only, deflated';
comment on column scan_hook.reopen_count is 'of the scan when it ended: a scan that is reopened ends again';

-- The committed offsets of readers, and how far they lag behind the log.
alter view reader_place rename to reader_offset;
create view reader_place as select * from reader_offset;

-- Events that a reader has not read, counted up to a limit: of a slot by its index; of a partition slot by slot, some of each.
create function consumer_lag(reader reader_offset, max_count bigint) returns bigint language sql stable as $$
  select case reader.mode
    when 'slots' then (
      select count(*) from (
        select from event
        where event.workflow = reader.workflow and event.slot = reader.part
          and (event.xid, event.position) > (reader.xid, reader.position)
        limit max_count) unread)
    else (
      select count(*) from generate_series(0, 255) as slots(slot), lateral (
        select from event
        where event.workflow = reader.workflow and event.slot = slots.slot
          and (event.xid, event.position) > (reader.xid, reader.position) and mod(hash, reader.total) = reader.part
        limit greatest(max_count / 100, 1)) unread)
    end
$$;

-- When the first event happened that a reader has not read; null: it has read all. As consumer_lag(), slot by slot.
create function oldest_unread_at(reader reader_offset) returns timestamptz language sql stable as $$
  select case reader.mode
    when 'slots' then (
      select event.at from event
      where event.workflow = reader.workflow and event.slot = reader.part
        and (event.xid, event.position) > (reader.xid, reader.position)
      order by event.xid, event.position
      limit 1)
    else (
      select min(unread.at) from generate_series(0, 255) as slots(slot), lateral (
        select event.at from event
        where event.workflow = reader.workflow and event.slot = slots.slot
          and (event.xid, event.position) > (reader.xid, reader.position) and mod(event.hash, reader.total) = reader.part
        order by event.xid, event.position
        limit 1) unread)
    end
$$;

-- The same for processes of the previous version, which pass rows of the view with the old name.
drop function unread(reader_offset, bigint);
drop function unread_since(reader_offset);
create function unread(place reader_place, most bigint) returns bigint language sql stable as
  $$ select consumer_lag(row(place.*)::reader_offset, most) $$;
create function unread_since(place reader_place) returns timestamptz language sql stable as
  $$ select oldest_unread_at(row(place.*)::reader_offset) $$;
