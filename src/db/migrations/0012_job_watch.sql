-- When somebody last looked for jobs whose process has died: one process does it for all.
create table job_watch (watched_at timestamptz not null);
insert into job_watch values ('-infinity');
