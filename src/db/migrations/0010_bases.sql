-- A scan that has ended no longer needs the one it was compared with, so that one may go.
alter table scan
  drop constraint scan_base_scan_fkey,
  add constraint scan_base_scan_fkey foreign key (base_scan) references scan on delete set null;
create index scan_of_base on scan (base_scan);
