-- What the columns of an object's tables hold, where that is clear: [{column, detector, share, confidence, values}].
alter table object add column columns jsonb;

-- What was seen of them in a part: see scans/columns/column-tally.ts. They are judged when the last part has ended.
alter table part_result add column columns json;
