-- The next lease of a work is found at once, however many have ended.
create index lease_waiting on lease (work_id, not_before, id) where state = 'waiting';
