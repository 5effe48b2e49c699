CREATE SCHEMA "app";
--> statement-breakpoint
CREATE TABLE "app"."api_key" (
	"hash" "bytea" PRIMARY KEY NOT NULL,
	"kind" text NOT NULL,
	"token_id" bigint,
	"registration_id" uuid,
	"epoch" bigint,
	"created_at" timestamp with time zone NOT NULL,
	"revoked_at" timestamp with time zone
);
--> statement-breakpoint
CREATE TABLE "app"."auth_code" (
	"code_hash" "bytea" PRIMARY KEY NOT NULL,
	"session" jsonb NOT NULL,
	"expires_at" timestamp with time zone NOT NULL,
	"used_at" timestamp with time zone
);
--> statement-breakpoint
CREATE TABLE "app"."idempotency" (
	"key_hash" "bytea" PRIMARY KEY NOT NULL,
	"body_hash" "bytea" NOT NULL,
	"state" text NOT NULL,
	"operation_id" uuid NOT NULL,
	"lease_id" uuid NOT NULL,
	"locked_until" timestamp with time zone NOT NULL,
	"status" smallint,
	"answer_encrypted" "bytea",
	"created_at" timestamp with time zone NOT NULL,
	"expires_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "app"."registration" (
	"id" uuid PRIMARY KEY NOT NULL,
	"digest" text NOT NULL,
	"name" text NOT NULL,
	"owner" text NOT NULL,
	"state" text NOT NULL,
	"payload" jsonb NOT NULL,
	"salt_encrypted" "bytea" NOT NULL,
	"leaves" jsonb NOT NULL,
	"result" jsonb,
	"api_key_encrypted" "bytea",
	"created_at" timestamp with time zone NOT NULL,
	"updated_at" timestamp with time zone NOT NULL,
	CONSTRAINT "registration_digest_unique" UNIQUE("digest")
);
--> statement-breakpoint
CREATE TABLE "app"."relayer_transaction" (
	"operation_id" text PRIMARY KEY NOT NULL,
	"sender" text NOT NULL,
	"nonce" bigint NOT NULL,
	"raw" text NOT NULL,
	"hashes" text[] NOT NULL,
	"status" text NOT NULL,
	"block_number" bigint,
	"gas_limit" bigint NOT NULL,
	"gas_used" bigint,
	"max_fee_per_gas" numeric(78, 0) NOT NULL,
	"max_priority_fee_per_gas" numeric(78, 0) NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	"updated_at" timestamp with time zone NOT NULL,
	CONSTRAINT "relayer_transaction_sender_nonce" UNIQUE("sender","nonce")
);
--> statement-breakpoint
CREATE TABLE "app"."sign_in_nonce" (
	"nonce" text PRIMARY KEY NOT NULL,
	"flow" text NOT NULL,
	"address" text NOT NULL,
	"agent_id" numeric(78, 0),
	"chain_id" bigint NOT NULL,
	"scopes" text[] NOT NULL,
	"min_tier" smallint NOT NULL,
	"message" text NOT NULL,
	"expires_at" timestamp with time zone NOT NULL,
	"used_at" timestamp with time zone
);
--> statement-breakpoint
CREATE TABLE "app"."soul_secret" (
	"token_id" bigint NOT NULL,
	"epoch" bigint NOT NULL,
	"soul_hash" text NOT NULL,
	"salt_encrypted" "bytea" NOT NULL,
	"leaves" jsonb NOT NULL,
	CONSTRAINT "soul_secret_token_id_epoch_pk" PRIMARY KEY("token_id","epoch")
);
--> statement-breakpoint
CREATE TABLE "app"."storage_item" (
	"id" text PRIMARY KEY NOT NULL,
	"bytes" "bytea" NOT NULL,
	"created_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE INDEX "api_key_token_id" ON "app"."api_key" USING btree ("token_id");--> statement-breakpoint
CREATE INDEX "api_key_registration_id" ON "app"."api_key" USING btree ("registration_id");--> statement-breakpoint
CREATE INDEX "auth_code_expires_at" ON "app"."auth_code" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "idempotency_expires_at" ON "app"."idempotency" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "registration_name" ON "app"."registration" USING btree ("name");--> statement-breakpoint
CREATE UNIQUE INDEX "registration_pending_name" ON "app"."registration" USING btree ("name") WHERE state = 'pending';--> statement-breakpoint
CREATE INDEX "registration_state" ON "app"."registration" USING btree ("state","created_at");--> statement-breakpoint
CREATE INDEX "registration_owner" ON "app"."registration" USING btree ("owner","created_at");--> statement-breakpoint
CREATE INDEX "relayer_transaction_status" ON "app"."relayer_transaction" USING btree ("status");--> statement-breakpoint
CREATE INDEX "sign_in_nonce_expires_at" ON "app"."sign_in_nonce" USING btree ("expires_at");