-- outside a transaction
-- A message that failed holds back the later ones of its workflow. Looking for one must cost nothing for the others: only the few that failed
-- are in this index.
create index concurrently if not exists message_failing on seine.message (tenant, workflow, workflow_id) where attempts > 0 and parked_at is null;
