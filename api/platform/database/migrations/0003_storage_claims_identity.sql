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
CREATE TABLE "app"."storage_upload" (
	"id" text PRIMARY KEY NOT NULL,
	"was_only_here" boolean DEFAULT false NOT NULL,
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
CREATE TABLE "app"."owner_nonce" (
	"signer" text NOT NULL,
	"nonce" numeric(78, 0) NOT NULL,
	"digest" text NOT NULL,
	"used_at" timestamp with time zone NOT NULL,
	CONSTRAINT "owner_nonce_signer_nonce_pk" PRIMARY KEY("signer","nonce")
);
--> statement-breakpoint
CREATE TABLE "app"."owner_operation" (
	"id" uuid PRIMARY KEY NOT NULL,
	"kind" text NOT NULL,
	"token_id" bigint NOT NULL,
	"epoch" integer NOT NULL,
	"digest" text NOT NULL,
	"signer" text NOT NULL,
	"nonce" numeric(78, 0) NOT NULL,
	"message" jsonb NOT NULL,
	"signature" text NOT NULL,
	"request_hash" text NOT NULL,
	"operation_key" text NOT NULL,
	"payload" jsonb NOT NULL,
	"state" text NOT NULL,
	"result" jsonb,
	"created_at" timestamp with time zone NOT NULL,
	"updated_at" timestamp with time zone NOT NULL,
	CONSTRAINT "owner_operation_digest_unique" UNIQUE("digest"),
	CONSTRAINT "owner_operation_signer_nonce" UNIQUE("signer","nonce")
);
--> statement-breakpoint
CREATE TABLE "app"."derived_chronicle" (
	"key" text PRIMARY KEY NOT NULL,
	"token_id" bigint NOT NULL,
	"category" text NOT NULL,
	"data" jsonb NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	"chronicle_id" bigint
);
--> statement-breakpoint
CREATE TABLE "app"."display_setting" (
	"token_id" bigint NOT NULL,
	"epoch" integer NOT NULL,
	"owner_address" text NOT NULL,
	"operator_address" text NOT NULL,
	"operator_label" text NOT NULL,
	"show_wallet_balances" boolean NOT NULL,
	"show_transaction_count" boolean NOT NULL,
	"updated_at" timestamp with time zone NOT NULL,
	CONSTRAINT "display_setting_token_id_epoch_pk" PRIMARY KEY("token_id","epoch")
);
--> statement-breakpoint
CREATE TABLE "app"."public_identity" (
	"token_id" bigint NOT NULL,
	"epoch" integer NOT NULL,
	"version" integer NOT NULL,
	"identity" jsonb NOT NULL,
	"updated_at" timestamp with time zone NOT NULL,
	CONSTRAINT "public_identity_token_id_epoch_pk" PRIMARY KEY("token_id","epoch")
);
--> statement-breakpoint
ALTER TABLE "app"."storage_item" ADD COLUMN "data_hash" "bytea";--> statement-breakpoint
ALTER TABLE "app"."storage_item" ADD COLUMN "content_type" text;--> statement-breakpoint
ALTER TABLE "app"."storage_upload" ADD CONSTRAINT "storage_upload_id_storage_item_id_fk" FOREIGN KEY ("id") REFERENCES "app"."storage_item"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "agent_registration_open_name" ON "app"."agent_registration" USING btree ("name") WHERE state in ('pending', 'claiming');--> statement-breakpoint
CREATE INDEX "agent_registration_address" ON "app"."agent_registration" USING btree ("address") WHERE state = 'pending';--> statement-breakpoint
CREATE INDEX "agent_registration_state" ON "app"."agent_registration" USING btree ("state","expires_at");--> statement-breakpoint
CREATE INDEX "agent_registration_claim" ON "app"."agent_registration" USING btree ("claim_id");--> statement-breakpoint
CREATE INDEX "name_challenge_expires_at" ON "app"."name_challenge" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "name_lock_address" ON "app"."name_lock" USING btree ("address");--> statement-breakpoint
CREATE INDEX "storage_upload_unsettled" ON "app"."storage_upload" USING btree ("next_look_at") WHERE acknowledged_at is null and (open_tries > 0 or was_only_here);--> statement-breakpoint
CREATE INDEX "storage_upload_unseen" ON "app"."storage_upload" USING btree ("next_look_at") WHERE acknowledged_at is not null and seen_at is null;--> statement-breakpoint
CREATE INDEX "document_upload_operation" ON "app"."document_upload" USING btree ("operation_id");--> statement-breakpoint
CREATE UNIQUE INDEX "document_upload_open" ON "app"."document_upload" USING btree ("token_id","epoch","document_id") WHERE used_at is null;--> statement-breakpoint
CREATE INDEX "owner_operation_state" ON "app"."owner_operation" USING btree ("state","created_at");--> statement-breakpoint
CREATE INDEX "owner_operation_token" ON "app"."owner_operation" USING btree ("token_id","created_at");--> statement-breakpoint
CREATE INDEX "chronicle_tasks" ON "app"."chronicle" USING btree ("token_id") WHERE change_type = 'task_completed';