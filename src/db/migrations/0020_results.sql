-- Sums of sizes may exceed a bigint: a single sparse file can claim 8 EiB. Statements of earlier versions read and write this column as before.
alter table ledger alter column bytes type numeric;
