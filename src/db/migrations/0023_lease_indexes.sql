-- outside a transaction
-- The table may be large and is written all the time: its indexes are built beside that. Columns that a checkpoint changes must stay out of
-- them, or its update is not HOT.
create index concurrently if not exists lease_held_by_id on seine.lease (work_id, id) where state = 'held';
create index concurrently if not exists lease_of_work on seine.lease (work_id, id);
drop index concurrently if exists seine.lease_held;
