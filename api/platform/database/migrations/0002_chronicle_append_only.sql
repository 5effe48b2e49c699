-- What a chronicle says is only ever added. The trigger stops every role, the table's owner included; that the API's own role
-- may not even ask is a matter of its grants (see api/db/migrate.ts).
create function app.refuse_chronicle_change() returns trigger language plpgsql as $$
begin
  raise exception 'Chronicles are append-only: % on app.chronicle is refused.', tg_op
    using errcode = 'insufficient_privilege';
end $$;
--> statement-breakpoint
create trigger chronicle_append_only
  before update or delete or truncate on app.chronicle
  for each statement execute function app.refuse_chronicle_change();
