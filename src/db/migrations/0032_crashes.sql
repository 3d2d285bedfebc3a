-- What crash protection of deliveries remembers. See workflows/messages/deliver-alone.ts.

-- A holder ended without giving it back, and what was being done for it may be the cause. Until its next holder has gone through that.
alter table lease add column crashed boolean not null default false;
-- Tries during which no other user code ran in the process, and which ended with the process.
alter table message add column crashes integer not null default 0;
