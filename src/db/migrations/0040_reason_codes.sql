-- Stored reasons become codes (see scans/results/reason-code.ts): what earlier versions store as a sentence, as a code with its detail. Text
-- that has no code stays.
create function reason_code(reason text) returns text language sql immutable as $$
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
    ('^its name is not UTF-8(: .*)?$', 'name-not-utf8\1'),
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
    ('^The receiver wants no more deliveries \(410\)\.(: .*)?$', 'receiver-gone\1')) as earlier(pattern, replacement)
    where reason ~ pattern
    limit 1), reason)
$$;

-- A process of the previous version that finalizes a scan knows the sentences, not the codes: it would take objects that workers of this
-- version left out by an error for complete.
create function keep_scan_incomplete() returns trigger language plpgsql as $$
declare
  error_codes text[] := '{changed,no-permission,read-failed,source-limit,request-rejected,listing-mismatch,in-use,internal-error,invalid-size,name-not-utf8,reader-failed,reader-exited}';
begin
  -- Objects that were read by a retry are subtracted.
  if (select sum(objects) > 0 from seine.ledger
      where scan_id = new.id and outcome in ('partial', 'skipped') and split_part(seine.reason_code(reason), ':', 1) = any(error_codes))
  then
    new.status := 'incomplete';
    new.error := coalesce(new.error, 'some objects could not be read');
  end if;
  return new;
end $$;
create trigger keep_incomplete before update of status on scan for each row
  when (new.status = 'completed' and old.status = 'finalizing') execute function keep_scan_incomplete();
