-- Sums of sizes may exceed a bigint: a single sparse file can claim 8 EiB. Statements of earlier versions read and write this column as before.
alter table ledger alter column bytes type numeric;

-- A path may be longer than an index entry: the scans of a source are found by its hash. Statements compare the source as well, so two of the
-- same hash are not mistaken for each other. Statements of earlier versions find no index now; there are few rows.
create index scan_of_source_hash on scan (tenant, hashtextextended(source, 0), inventory_key, id desc);
drop index scan_of_source;
