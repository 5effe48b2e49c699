-- Counts the statements that change what anonymous answers are made from: see api/platform/database/public-state.ts. A sequence counts
-- at once, also for other transactions, and makes no writer wait.
create sequence app.public_change;
--> statement-breakpoint
-- The first number is also the one that an unused sequence shows.
select nextval('app.public_change');
--> statement-breakpoint
-- The lock is held until the transaction ends: a reader that can take it alone knows that every change that was counted is visible to it.
-- It runs as its owner, because the indexer's role writes nothing else in this schema.
create function app.count_public_change() returns trigger language plpgsql
  security definer set search_path = pg_catalog as $$
begin
  perform pg_advisory_xact_lock_shared(7340118202), nextval('app.public_change');
  return null;
end $$;
--> statement-breakpoint
-- The same for statements that changed at least one row. Jobs send many that change none.
create function app.count_public_change_of_rows() returns trigger language plpgsql
  security definer set search_path = pg_catalog as $$
begin
  if exists (select from changed) then
    perform pg_advisory_xact_lock_shared(7340118202), nextval('app.public_change');
  end if;
  return null;
end $$;
--> statement-breakpoint
do $$
declare
  name text;
begin
  foreach name in array array[
    'alignment_snapshot', 'chronicle', 'chronicle_batch', 'chronicle_state', 'display_setting', 'document_version',
    'endpoint_check_set', 'endpoint_watch', 'public_identity', 'registration', 'soul_secret', 'storage_item', 'storage_upload'
  ] loop
    execute format('create trigger public_change_insert after insert on app.%I referencing new table as changed
      for each statement execute function app.count_public_change_of_rows()', name);
    execute format('create trigger public_change_update after update on app.%I referencing new table as changed
      for each statement execute function app.count_public_change_of_rows()', name);
    execute format('create trigger public_change_delete after delete on app.%I referencing old table as changed
      for each statement execute function app.count_public_change_of_rows()', name);
    execute format('create trigger public_change_truncate after truncate on app.%I
      for each statement execute function app.count_public_change()', name);
  end loop;
end $$;
