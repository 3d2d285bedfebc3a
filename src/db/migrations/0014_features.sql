-- What a finding's confidence is made of, and how sure all values of an object are: enough to judge them by other rules
-- without reading the object again. Null: written before this was kept.

-- {base, context, entropy, contested}: before the surroundings were weighed, what these added or took, bits per character,
-- and the detectors that claimed the same bytes and lost. What is nothing is left out.
alter table finding add column features jsonb;

-- levels: by detector, how many values have so many hundredths of confidence, {"EMAIL": {"85": 120, "95": 3}}. Exact: also those
-- of which no finding is kept, and those below the threshold.
-- contests: by the detector that won and its level, who lost the same bytes and at which levels, {"IBAN": {"95": {"CREDIT_CARD": [85]}}}.
alter table object add column levels jsonb;
alter table object add column contests jsonb;

alter table part_result add column levels json;
alter table part_result add column contests json;

-- Of the block's objects that have no row, those with values below the threshold: [[key, levels, contests], …], deflated.
alter table inventory add column faint bytea;
