-- Search attributes of workflows: a few plain values of the state, to find workflows by. In a table of their own: in `workflow`, a changed
-- attribute would make an update of that row write all of its indexes. Locked last, after workflows and actions.
create table workflow_attribute (
  workflow_key bigint primary key references workflow on delete cascade,
  version      bigint not null,            -- of the event whose state it shows
  attributes   jsonb not null
) with (fillfactor = 80);
-- Hashes of name and value: small, and enough for equality; ranges filter what else was found.
create index workflow_attribute_values on workflow_attribute using gin (attributes jsonb_path_ops);
