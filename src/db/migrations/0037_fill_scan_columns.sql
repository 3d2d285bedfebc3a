-- outside a transaction
-- Fills the columns of 0036: its triggers do that with any update.
do $$
declare
  after bigint := -1;
  up_to bigint;
begin
  loop
    select max(id) into up_to from (select id from seine.scan where id > after order by id limit 100) as page;
    exit when up_to is null;
    update seine.scan set tenant = tenant where id > after and id <= up_to;
    commit;
    after := up_to;
  end loop;
  update seine.worker set pid = pid;
  update seine.layout set mode = mode;
  update seine.projection set name = name;
  commit;
end $$;

create index concurrently if not exists scan_of_parent on seine.scan (parent_scan);
create index concurrently if not exists scan_not_rolled_up on seine.scan (finished_at) where finished_at is not null and rolled_up is distinct from reopen_count;
create index concurrently if not exists layout_of_group on seine.layout (group_id);
create unique index concurrently if not exists projection_of_group on seine.projection (group_id);
