CREATE TABLE "app"."storage_upload" (
	"id" text PRIMARY KEY NOT NULL,
	"open_tries" integer NOT NULL,
	"tries" integer NOT NULL,
	"last_failure" text,
	"last_message" text,
	"touched_at" timestamp with time zone NOT NULL,
	"next_look_at" timestamp with time zone NOT NULL,
	"receipt" jsonb,
	"acknowledged_at" timestamp with time zone,
	"seen_at" timestamp with time zone
);
--> statement-breakpoint
ALTER TABLE "app"."storage_item" ADD COLUMN "data_hash" "bytea";--> statement-breakpoint
ALTER TABLE "app"."storage_item" ADD COLUMN "content_type" text;--> statement-breakpoint
ALTER TABLE "app"."storage_upload" ADD CONSTRAINT "storage_upload_id_storage_item_id_fk" FOREIGN KEY ("id") REFERENCES "app"."storage_item"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "storage_upload_unsettled" ON "app"."storage_upload" USING btree ("next_look_at") WHERE acknowledged_at is null and open_tries > 0;--> statement-breakpoint
CREATE INDEX "storage_upload_unseen" ON "app"."storage_upload" USING btree ("next_look_at") WHERE acknowledged_at is not null and seen_at is null;