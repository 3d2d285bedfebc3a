-- outside a transaction
-- The reasons of rows that are there, as codes. Processes of the previous version go on storing sentences, which are shown as before.
do $$
declare
  one bigint;
  after bigint;
  up_to bigint;
begin
  for one in select id from seine.scan order by id loop
    with moved as (
      delete from seine.ledger
      where scan_id = one and reason <> '' and seine.reason_code(reason) <> reason
      returning *)
    insert into seine.ledger (scan_id, tenant, lease_id, outcome, reason, objects, bytes)
    select scan_id, tenant, lease_id, outcome, seine.reason_code(reason), sum(objects), sum(bytes)
    from moved group by scan_id, tenant, lease_id, outcome, seine.reason_code(reason)
    on conflict (scan_id, lease_id, outcome, reason)
    do update set objects = ledger.objects + excluded.objects, bytes = ledger.bytes + excluded.bytes;
    update seine.scan_hook set error = seine.reason_code(error)
    where scan_id = one and error is not null and seine.reason_code(error) <> error;
    commit;
  end loop;

  after := 0;
  loop
    select max(id) into up_to from (select id from seine.object_result where id > after order by id limit 5000) as page;
    exit when up_to is null;
    update seine.object_result set reason = seine.reason_code(reason)
    where id > after and id <= up_to and reason <> '' and seine.reason_code(reason) <> reason;
    commit;
    after := up_to;
  end loop;

  after := 0;
  loop
    select max(id) into up_to from (select id from seine.dead_letter where id > after order by id limit 1000) as page;
    exit when up_to is null;
    update seine.dead_letter set reason = seine.reason_code(reason), signature = seine.reason_code(signature)
    where id > after and id <= up_to and seine.reason_code(reason) <> reason;
    commit;
    after := up_to;
  end loop;

  for one in select id from seine.segmented_object order by id loop
    update seine.segment_result set reason = seine.reason_code(reason)
    where object_id = one and reason <> '' and seine.reason_code(reason) <> reason;
    commit;
  end loop;
end $$;
