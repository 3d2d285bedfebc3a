-- The policies that an object's findings meet, each with the detectors that speak for it: {"hipaa": ["MRN", "NAME"]}.
alter table object add column policies jsonb not null default '{}';

-- Rule sets can say more than they could; what older scans did not say is what held for them.
update scan set rules = '{
  "version": 1, "thresholds": {}, "packs": [], "packsAsked": [], "custom": [], "sample": null,
  "columns": {"include": [], "exclude": []}, "tables": {"include": [], "exclude": []},
  "policies": {"include": [], "exclude": [], "own": []}
}'::jsonb || rules;
