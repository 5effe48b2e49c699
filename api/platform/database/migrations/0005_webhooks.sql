ALTER TABLE "app"."webhook" ADD COLUMN "owner" text;--> statement-breakpoint
ALTER TABLE "app"."webhook" ADD COLUMN "failed_tries" uuid[] DEFAULT '{}' NOT NULL;--> statement-breakpoint
ALTER TABLE "app"."webhook" ADD COLUMN "failing_since" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "app"."webhook" ADD COLUMN "warned_at" timestamp with time zone;--> statement-breakpoint
CREATE INDEX "webhook_lane" ON "app"."webhook" USING btree (coalesce("owner", "registration_id"::text, "id"::text));--> statement-breakpoint
CREATE INDEX "webhook_delivery_pending" ON "app"."webhook_delivery" USING btree ("webhook_id","next_try_at") WHERE state = 'pending';--> statement-breakpoint
CREATE INDEX "webhook_delivery_leased" ON "app"."webhook_delivery" USING btree ("webhook_id") WHERE locked_until is not null;