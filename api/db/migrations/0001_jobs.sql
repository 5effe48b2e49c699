CREATE TABLE "app"."job_schedule" (
	"name" text PRIMARY KEY NOT NULL,
	"next_run_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "app"."passport_suspension" (
	"id" uuid PRIMARY KEY NOT NULL,
	"passport_id" numeric(78, 0) NOT NULL,
	"token_id" bigint NOT NULL,
	"epoch" bigint NOT NULL,
	"sealer" text NOT NULL,
	"owner" text NOT NULL,
	"observed_block" bigint NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	"ended_at" timestamp with time zone,
	"recorded_at" timestamp with time zone,
	"record_tx" text
);
--> statement-breakpoint
CREATE TABLE "app"."passport_watch" (
	"round" text PRIMARY KEY NOT NULL,
	"block" bigint NOT NULL,
	"next_id" numeric(78, 0) NOT NULL,
	"seen_block" bigint NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX "passport_suspension_lasting" ON "app"."passport_suspension" USING btree ("passport_id") WHERE ended_at is null;--> statement-breakpoint
CREATE INDEX "passport_suspension_token_id" ON "app"."passport_suspension" USING btree ("token_id");