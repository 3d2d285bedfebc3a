-- outside a transaction
-- The groups of dead letters that 0041 did not know.
do $$
declare
  after bigint := 0;
  up_to bigint;
begin
  loop
    select max(id) into up_to from (select id from seine.dead_letter where id > after order by id limit 1000) as page;
    exit when up_to is null;
    update seine.dead_letter set signature = seine.reason_code(signature)
    where id > after and id <= up_to and signature like '%#%' and seine.reason_code(signature) <> signature;
    commit;
    after := up_to;
  end loop;
end $$;
