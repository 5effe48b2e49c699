CREATE TABLE "app"."alignment_batch" (
	"id" bigserial PRIMARY KEY NOT NULL,
	"stage" text NOT NULL,
	"failures" integer DEFAULT 0 NOT NULL,
	"tx_hash" text,
	"block_number" bigint,
	"created_at" timestamp with time zone NOT NULL,
	"confirmed_at" timestamp with time zone,
	CONSTRAINT "alignment_batch_stage_check" CHECK ("stage" in ('open', 'recorded', 'confirmed'))
);
--> statement-breakpoint
CREATE TABLE "app"."alignment_snapshot" (
	"id" text PRIMARY KEY NOT NULL,
	"token_id" bigint NOT NULL,
	"agent_name" text NOT NULL,
	"epoch" integer NOT NULL,
	"trigger" text NOT NULL,
	"state" text NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	"drop_reason" text,
	"scored_block" bigint,
	"scored_hash" text,
	"scored_at" timestamp with time zone,
	"score" integer,
	"breakdown" jsonb,
	"content" text,
	"archive_id" text,
	"batch_id" bigint,
	"previous_score" integer,
	"tx_hash" text,
	"recorded_at" timestamp with time zone,
	"operation_key" text,
	CONSTRAINT "alignment_snapshot_operation_key_unique" UNIQUE("operation_key"),
	CONSTRAINT "alignment_snapshot_trigger_check" CHECK ("trigger" in ('requested', 'scheduled')),
	CONSTRAINT "alignment_snapshot_state_check" CHECK ("state" in ('computing', 'computed', 'archived', 'recorded', 'dropped'))
);
--> statement-breakpoint
ALTER TABLE "app"."alignment_snapshot" ADD CONSTRAINT "alignment_snapshot_batch_id_alignment_batch_id_fk" FOREIGN KEY ("batch_id") REFERENCES "app"."alignment_batch"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "alignment_snapshot_unfinished" ON "app"."alignment_snapshot" USING btree ("token_id") WHERE state in ('computing', 'computed', 'archived');--> statement-breakpoint
CREATE INDEX "alignment_snapshot_work" ON "app"."alignment_snapshot" USING btree ("state","created_at","id") WHERE state in ('computing', 'computed', 'archived');--> statement-breakpoint
CREATE INDEX "alignment_snapshot_agent" ON "app"."alignment_snapshot" USING btree ("token_id","epoch","created_at");--> statement-breakpoint
CREATE INDEX "alignment_snapshot_batch" ON "app"."alignment_snapshot" USING btree ("batch_id");
