CREATE TABLE "app"."index_fault" (
	"id" bigserial PRIMARY KEY NOT NULL,
	"found_at" timestamp with time zone NOT NULL,
	"found_by" text NOT NULL,
	"from_block" bigint NOT NULL,
	"to_block" bigint NOT NULL,
	"detail" text,
	"rebuilt_as" text,
	"mended_at" timestamp with time zone,
	CONSTRAINT "index_fault_found_by_check" CHECK ("found_by" in ('reread', 'compared'))
);
--> statement-breakpoint
CREATE TABLE "app"."passport_difference" (
	"passport_id" numeric(78, 0) PRIMARY KEY NOT NULL,
	"token_id" bigint NOT NULL,
	"found_at" timestamp with time zone NOT NULL,
	"seen_block" bigint NOT NULL
);
--> statement-breakpoint
CREATE INDEX "index_fault_open" ON "app"."index_fault" USING btree ("id") WHERE mended_at is null;--> statement-breakpoint
CREATE INDEX "index_fault_mended" ON "app"."index_fault" USING btree ("mended_at");--> statement-breakpoint
CREATE UNIQUE INDEX "index_fault_compared" ON "app"."index_fault" USING btree ("detail") WHERE mended_at is null and found_by = 'compared';--> statement-breakpoint
-- What is made from the index is made from the chain while it differs: see api/platform/database/public-state.ts.
create trigger public_change_insert after insert on app.passport_difference referencing new table as changed
  for each statement execute function app.count_public_change_of_rows();
--> statement-breakpoint
create trigger public_change_update after update on app.passport_difference referencing new table as changed
  for each statement execute function app.count_public_change_of_rows();
--> statement-breakpoint
create trigger public_change_delete after delete on app.passport_difference referencing old table as changed
  for each statement execute function app.count_public_change_of_rows();
--> statement-breakpoint
create trigger public_change_truncate after truncate on app.passport_difference
  for each statement execute function app.count_public_change();
