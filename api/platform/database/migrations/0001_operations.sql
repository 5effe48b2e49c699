CREATE TABLE "app"."chronicle" (
	"token_id" bigint NOT NULL,
	"chronicle_id" bigint NOT NULL,
	"epoch" integer NOT NULL,
	"category" text NOT NULL,
	"change_type" text NOT NULL,
	"recorded_at" timestamp with time zone NOT NULL,
	"data" jsonb NOT NULL,
	"content_hash" text NOT NULL,
	"archive_id" text NOT NULL,
	"leaf" "bytea" NOT NULL,
	"new_soul_hash" text,
	"authority" text NOT NULL,
	"signer" text,
	"nonce" numeric(78, 0),
	"message" jsonb,
	"signature" text,
	"operation_key" text NOT NULL,
	CONSTRAINT "chronicle_token_id_chronicle_id_pk" PRIMARY KEY("token_id","chronicle_id"),
	CONSTRAINT "chronicle_operation_key_unique" UNIQUE("operation_key"),
	CONSTRAINT "chronicle_leaf" UNIQUE("leaf")
);
--> statement-breakpoint
CREATE TABLE "app"."chronicle_batch" (
	"id" bigint PRIMARY KEY NOT NULL,
	"stage" text NOT NULL,
	"leaf_count" integer NOT NULL,
	"root" text,
	"previous_root" text,
	"archive_id" text,
	"failures" integer DEFAULT 0 NOT NULL,
	"tx_hash" text,
	"block_number" bigint,
	"created_at" timestamp with time zone NOT NULL,
	"anchored_at" timestamp with time zone,
	"confirmed_at" timestamp with time zone,
	"announced_seq" bigint DEFAULT 0 NOT NULL,
	"announced_at" timestamp with time zone
);
--> statement-breakpoint
CREATE TABLE "app"."chronicle_counter" (
	"token_id" bigint PRIMARY KEY NOT NULL,
	"last_id" bigint NOT NULL,
	"day" text NOT NULL,
	"day_count" integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE "app"."chronicle_request" (
	"id" text PRIMARY KEY NOT NULL,
	"token_id" bigint NOT NULL,
	"agent_name" text NOT NULL,
	"epoch" integer NOT NULL,
	"category" text NOT NULL,
	"change_type" text NOT NULL,
	"data" jsonb NOT NULL,
	"salt_encrypted" "bytea",
	"description" text,
	"nonce" numeric(78, 0) NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	"expires_at" timestamp with time zone NOT NULL,
	"submitted_at" timestamp with time zone,
	"operation_key" text NOT NULL,
	CONSTRAINT "chronicle_request_operation_key_unique" UNIQUE("operation_key")
);
--> statement-breakpoint
CREATE TABLE "app"."chronicle_state" (
	"token_id" bigint NOT NULL,
	"chronicle_id" bigint NOT NULL,
	"seq" bigserial NOT NULL,
	"tx_hash" text,
	"batch_id" bigint,
	"leaf" "bytea" NOT NULL,
	"proof" "bytea",
	CONSTRAINT "chronicle_state_token_id_chronicle_id_pk" PRIMARY KEY("token_id","chronicle_id")
);
--> statement-breakpoint
CREATE TABLE "app"."evolution" (
	"id" uuid PRIMARY KEY NOT NULL,
	"digest" text NOT NULL,
	"token_id" bigint NOT NULL,
	"state" text NOT NULL,
	"payload" jsonb NOT NULL,
	"salt_encrypted" "bytea",
	"chronicle_id" bigint,
	"created_at" timestamp with time zone NOT NULL,
	"updated_at" timestamp with time zone NOT NULL,
	CONSTRAINT "evolution_digest_unique" UNIQUE("digest")
);
--> statement-breakpoint
CREATE TABLE "app"."gas_budget" (
	"day" text PRIMARY KEY NOT NULL,
	"gas" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "app"."sponsored_operation" (
	"operation_id" text PRIMARY KEY NOT NULL,
	"day" text NOT NULL,
	"gas" bigint NOT NULL,
	"wallet" text,
	"month" text NOT NULL
);
--> statement-breakpoint
CREATE TABLE "app"."wallet_quota" (
	"wallet" text NOT NULL,
	"month" text NOT NULL,
	"registrations" integer NOT NULL,
	CONSTRAINT "wallet_quota_wallet_month_pk" PRIMARY KEY("wallet","month")
);
--> statement-breakpoint
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
CREATE TABLE "app"."revoked_token" (
	"jti" text PRIMARY KEY NOT NULL,
	"expires_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "app"."webhook" (
	"id" uuid PRIMARY KEY NOT NULL,
	"token_id" bigint,
	"registration_id" uuid,
	"epoch" bigint,
	"url" text NOT NULL,
	"events" text[] NOT NULL,
	"notify_email" text,
	"enabled" boolean NOT NULL,
	"disabled_reason" text,
	"disabled_at" timestamp with time zone,
	"ended_at" timestamp with time zone,
	"mailed_at" timestamp with time zone,
	"secret_version" integer NOT NULL,
	"secret_master" smallint NOT NULL,
	"secret_hash" "bytea" NOT NULL,
	"previous_master" smallint,
	"previous_until" timestamp with time zone,
	"rotation" uuid,
	"created_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "app"."webhook_delivery" (
	"id" uuid PRIMARY KEY NOT NULL,
	"webhook_id" uuid NOT NULL,
	"event_id" uuid NOT NULL,
	"state" text NOT NULL,
	"failures" smallint NOT NULL,
	"sequence" integer NOT NULL,
	"next_try_at" timestamp with time zone NOT NULL,
	"lease_id" uuid,
	"locked_until" timestamp with time zone,
	"created_at" timestamp with time zone NOT NULL,
	"delivered_at" timestamp with time zone,
	CONSTRAINT "webhook_delivery_once" UNIQUE("webhook_id","event_id")
);
--> statement-breakpoint
CREATE TABLE "app"."webhook_event" (
	"id" uuid PRIMARY KEY NOT NULL,
	"key" text NOT NULL,
	"event" text NOT NULL,
	"data" json,
	"occurred_at" timestamp with time zone NOT NULL,
	CONSTRAINT "webhook_event_key_unique" UNIQUE("key")
);
--> statement-breakpoint
CREATE TABLE "app"."webhook_try" (
	"delivery_id" uuid NOT NULL,
	"number" integer NOT NULL,
	"started_at" timestamp with time zone NOT NULL,
	"duration_ms" integer NOT NULL,
	"status_code" smallint,
	"error" text,
	CONSTRAINT "webhook_try_delivery_id_number_pk" PRIMARY KEY("delivery_id","number")
);
--> statement-breakpoint
ALTER TABLE "app"."webhook_delivery" ADD CONSTRAINT "webhook_delivery_webhook_id_webhook_id_fk" FOREIGN KEY ("webhook_id") REFERENCES "app"."webhook"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "app"."webhook_delivery" ADD CONSTRAINT "webhook_delivery_event_id_webhook_event_id_fk" FOREIGN KEY ("event_id") REFERENCES "app"."webhook_event"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "app"."webhook_try" ADD CONSTRAINT "webhook_try_delivery_id_webhook_delivery_id_fk" FOREIGN KEY ("delivery_id") REFERENCES "app"."webhook_delivery"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "chronicle_signer_nonce" ON "app"."chronicle" USING btree ("signer","nonce");--> statement-breakpoint
CREATE INDEX "chronicle_request_expires_at" ON "app"."chronicle_request" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "chronicle_state_queued" ON "app"."chronicle_state" USING btree ("seq") WHERE batch_id is null and tx_hash is null;--> statement-breakpoint
CREATE INDEX "chronicle_state_batch" ON "app"."chronicle_state" USING btree ("batch_id","leaf");--> statement-breakpoint
CREATE INDEX "chronicle_state_announce" ON "app"."chronicle_state" USING btree ("batch_id","seq");--> statement-breakpoint
CREATE INDEX "evolution_state" ON "app"."evolution" USING btree ("state","created_at");--> statement-breakpoint
CREATE UNIQUE INDEX "passport_suspension_lasting" ON "app"."passport_suspension" USING btree ("passport_id") WHERE ended_at is null;--> statement-breakpoint
CREATE INDEX "passport_suspension_token_id" ON "app"."passport_suspension" USING btree ("token_id");--> statement-breakpoint
CREATE INDEX "revoked_token_expires_at" ON "app"."revoked_token" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "webhook_token_id" ON "app"."webhook" USING btree ("token_id");--> statement-breakpoint
CREATE INDEX "webhook_registration_id" ON "app"."webhook" USING btree ("registration_id");--> statement-breakpoint
CREATE INDEX "webhook_delivery_listed" ON "app"."webhook_delivery" USING btree ("webhook_id","created_at","id");--> statement-breakpoint
CREATE INDEX "webhook_delivery_event_id" ON "app"."webhook_delivery" USING btree ("event_id");--> statement-breakpoint
CREATE INDEX "webhook_delivery_open" ON "app"."webhook_delivery" USING btree ("state","next_try_at") WHERE state in ('pending', 'paused');--> statement-breakpoint
CREATE INDEX "webhook_event_occurred_at" ON "app"."webhook_event" USING btree ("occurred_at");