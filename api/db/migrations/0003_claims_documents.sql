CREATE TABLE "app"."agent_registration" (
	"id" uuid PRIMARY KEY NOT NULL,
	"token_hash" "bytea" NOT NULL,
	"operation_key" uuid NOT NULL,
	"name" text NOT NULL,
	"address" text NOT NULL,
	"state" text NOT NULL,
	"content" jsonb,
	"salt_encrypted" "bytea",
	"leaves" jsonb,
	"document" text,
	"created_at" timestamp with time zone NOT NULL,
	"expires_at" timestamp with time zone NOT NULL,
	"claim_id" uuid,
	"token_id" bigint,
	"owner" text,
	"ended_at" timestamp with time zone,
	CONSTRAINT "agent_registration_token_hash_unique" UNIQUE("token_hash"),
	CONSTRAINT "agent_registration_operation_key_unique" UNIQUE("operation_key")
);
--> statement-breakpoint
CREATE TABLE "app"."claim_draft" (
	"registration_id" uuid NOT NULL,
	"nonce" numeric(78, 0) NOT NULL,
	"edits_mac" "bytea" NOT NULL,
	"request" jsonb NOT NULL,
	"message" jsonb NOT NULL,
	"salt_encrypted" "bytea" NOT NULL,
	"leaves" jsonb NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	CONSTRAINT "claim_draft_registration_id_nonce_pk" PRIMARY KEY("registration_id","nonce")
);
--> statement-breakpoint
CREATE TABLE "app"."name_challenge" (
	"id" uuid PRIMARY KEY NOT NULL,
	"name" text NOT NULL,
	"seconds" bigint NOT NULL,
	"expires_at" timestamp with time zone NOT NULL,
	"used_by" uuid
);
--> statement-breakpoint
CREATE TABLE "app"."name_lock" (
	"name" text PRIMARY KEY NOT NULL,
	"holder" uuid NOT NULL,
	"address" text NOT NULL,
	"expires_at" timestamp with time zone,
	CONSTRAINT "name_lock_holder_unique" UNIQUE("holder")
);
--> statement-breakpoint
CREATE TABLE "app"."document_upload" (
	"token_hash" "bytea" PRIMARY KEY NOT NULL,
	"operation_id" text NOT NULL,
	"key_version" smallint NOT NULL,
	"token_id" bigint NOT NULL,
	"epoch" integer NOT NULL,
	"document_id" text NOT NULL,
	"type" text NOT NULL,
	"title" text NOT NULL,
	"format" text NOT NULL,
	"content_hash" text NOT NULL,
	"immutable" boolean NOT NULL,
	"chronicle_id" bigint,
	"created_at" timestamp with time zone NOT NULL,
	"expires_at" timestamp with time zone NOT NULL,
	"used_at" timestamp with time zone
);
--> statement-breakpoint
CREATE TABLE "app"."document_version" (
	"token_id" bigint NOT NULL,
	"epoch" integer NOT NULL,
	"document_id" text NOT NULL,
	"version" integer NOT NULL,
	"type" text NOT NULL,
	"title" text NOT NULL,
	"format" text NOT NULL,
	"content_hash" text NOT NULL,
	"immutable" boolean NOT NULL,
	"archive_id" text,
	"uploaded_at" timestamp with time zone,
	"chronicle_id" bigint,
	"breaks_immutability" boolean DEFAULT false NOT NULL,
	CONSTRAINT "document_version_token_id_epoch_document_id_version_pk" PRIMARY KEY("token_id","epoch","document_id","version")
);
--> statement-breakpoint
CREATE UNIQUE INDEX "agent_registration_open_name" ON "app"."agent_registration" USING btree ("name") WHERE state in ('pending', 'claiming');--> statement-breakpoint
CREATE INDEX "agent_registration_address" ON "app"."agent_registration" USING btree ("address") WHERE state = 'pending';--> statement-breakpoint
CREATE INDEX "agent_registration_state" ON "app"."agent_registration" USING btree ("state","expires_at");--> statement-breakpoint
CREATE INDEX "agent_registration_claim" ON "app"."agent_registration" USING btree ("claim_id");--> statement-breakpoint
CREATE INDEX "name_challenge_expires_at" ON "app"."name_challenge" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "name_lock_address" ON "app"."name_lock" USING btree ("address");--> statement-breakpoint
CREATE INDEX "document_upload_operation" ON "app"."document_upload" USING btree ("operation_id");--> statement-breakpoint
CREATE UNIQUE INDEX "document_upload_open" ON "app"."document_upload" USING btree ("token_id","epoch","document_id") WHERE used_at is null;