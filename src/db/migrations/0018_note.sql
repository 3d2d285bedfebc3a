-- Something to know about an object, though it was read: its name says something else than its content.
alter table object add column note text;
