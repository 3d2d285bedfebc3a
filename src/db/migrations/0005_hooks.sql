-- What follows the end of a scan: webhooks and exports, each once per end. See scans/hooks/run-hook.ts.

create table hook (
  scan_id  bigint not null references scan on delete cascade,
  round    integer not null default 0,  -- the end it belongs to: a scan that is opened again ends again
  n        integer not null,            -- from 0, in the order of the settings
  tenant   text not null,
  kind     text not null check (kind in ('webhook', 'export')),
  settings jsonb not null,              -- secrets are named here, never held
  state    text not null default 'waiting' check (state in ('waiting', 'done', 'failed', 'skipped')),
  attempts integer not null default 0,  -- tries that have ended
  give_up  integer not null default 8,  -- the number of attempts after which it has failed
  error    text,                        -- of the last try, or why it was skipped
  result   jsonb,
  done_at  timestamptz,
  primary key (scan_id, round, n)
);
