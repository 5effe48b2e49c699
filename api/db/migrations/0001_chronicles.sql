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
CREATE UNIQUE INDEX "chronicle_signer_nonce" ON "app"."chronicle" USING btree ("signer","nonce");--> statement-breakpoint
CREATE INDEX "chronicle_request_expires_at" ON "app"."chronicle_request" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "chronicle_state_queued" ON "app"."chronicle_state" USING btree ("seq") WHERE batch_id is null and tx_hash is null;--> statement-breakpoint
CREATE INDEX "chronicle_state_batch" ON "app"."chronicle_state" USING btree ("batch_id","leaf");--> statement-breakpoint
CREATE INDEX "chronicle_state_announce" ON "app"."chronicle_state" USING btree ("batch_id","seq");--> statement-breakpoint
CREATE INDEX "evolution_state" ON "app"."evolution" USING btree ("state","created_at");