-- What the source was when the scan began: the mounts below a folder, and whether it held anything. A process that goes on with the scan
-- compares, because a share that is not mounted looks like an empty folder. See scans/initial-state.ts. Null: nothing is known, as of scans of earlier versions.
alter table scan add column initial_state jsonb;
