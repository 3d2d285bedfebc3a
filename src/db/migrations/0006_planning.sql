-- What planning and stealing leave behind for others.

alter table lease
  add column fixed           boolean not null default false, -- its range is no stretch of the listing: nobody may split it
  add column looked_at_until timestamptz; -- somebody is looking where to cut it; others look elsewhere until then

alter table scan
  add column estimate jsonb; -- objects and bytes with their interval, as the plan saw them
