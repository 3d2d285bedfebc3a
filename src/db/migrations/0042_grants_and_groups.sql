-- What 0033 to 0041 leave out.

-- In the groups of dead letters numbers are replaced by #, also within sentences. 0043 changes the rows.
create or replace function reason_code(reason text) returns text language sql immutable as $$
  select coalesce((
    select regexp_replace(reason, pattern, replacement)
    from (values
    ('^vanished before it was read(: .*)?$', 'deleted\1'),
    ('^changed while it was read(: .*)?$', 'changed\1'),
    ('^no permission(: .*)?$', 'no-permission\1'),
    ('^could not be read(: .*)?$', 'read-failed\1'),
    ('^beyond a limit(: .*)?$', 'source-limit\1'),
    ('^the source refused the request(: .*)?$', 'request-rejected\1'),
    ('^not what the source lists(: .*)?$', 'listing-mismatch\1'),
    ('^in use(: .*)?$', 'in-use\1'),
    ('^internal error(: .*)?$', 'internal-error\1'),
    ('^the store lists an invalid size(: .*)?$', 'invalid-size\1'),
    ('^its name is not UTF-[8#](: .*)?$', 'name-not-utf8\1'),
    ('^larger than the size limit(: .*)?$', 'too-large\1'),
    ('^symbolic link(: .*)?$', 'symbolic-link\1'),
    ('^not a regular file(: .*)?$', 'not-regular-file\1'),
    ('^sparse file, not read to its end(: .*)?$', 'sparse-file\1'),
    ('^unsupported format(: .*)?$', 'unsupported-format\1'),
    ('^unsupported inside(: .*)?$', 'unsupported-inside\1'),
    ('^picture: OCR is off(: .*)?$', 'ocr-off\1'),
    ('^document reader failed(: .*)?$', 'reader-failed\1'),
    ('^document reader ended \((.*)\)$', 'reader-exited: \1'),
    ('^document reader hangs(: .*)?$', 'reader-stalled\1'),
    ('^detection made no progress(: .*)?$', 'detection-stalled\1'),
    ('^crashed detection(: .*)?$', 'detection-crashed\1'),
    ('^its detection thread ended(: .*)?$', 'detection-thread-exited\1'),
    ('^ended the process again and again(: .*)?$', 'worker-crashed\1'),
    ('^crashed the worker (.*) times$', 'worker-crashes: \1'),
    ('^its result could not be stored(: .*)?$', 'result-not-stored\1'),
    ('^the scan was opened again(: .*)?$', 'scan-reopened\1'),
    ('^the scan is gone(: .*)?$', 'scan-deleted\1'),
    ('^not asked for when a scan is (.*)$', 'hook-not-requested: \1'),
    ('^The receiver wants no more deliveries \((?:410|#)\)\.(: .*)?$', 'receiver-gone\1')) as earlier(pattern, replacement)
    where reason ~ pattern
    limit 1), reason)
$$;
-- Roles that may use the tables of leases may use the jobs, too: until 0033 jobs were in tables of their own. The view that replaces
-- the one of places has its grants.
do $$
declare
  entry record;
begin
  for entry in
    select case when acl.grantee = 0 then 'public' else acl.grantee::regrole::text end as grantee, acl.privilege_type as privilege,
           to_relation
    from (values ('seine.range_lease'::regclass, 'seine.job'::regclass), ('seine.reader_offset', 'seine.reader_place')) as copied(from_relation, to_relation)
    join pg_class on pg_class.oid = from_relation cross join aclexplode(relacl) as acl
    where acl.privilege_type in ('SELECT', 'INSERT', 'UPDATE', 'DELETE') and acl.grantee <> relowner
  loop
    execute format('grant %s on %s to %s', entry.privilege, entry.to_relation, entry.grantee);
  end loop;
end $$;
