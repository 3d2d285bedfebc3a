-- A cut may lie between two keys of which the places are known: so many keys more or fewer may be in the range. Where objects are
-- slow they are worth another look.
alter table split_hint add slack double precision not null default 0;
