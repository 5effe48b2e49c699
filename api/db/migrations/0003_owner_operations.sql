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
CREATE INDEX "owner_operation_state" ON "app"."owner_operation" USING btree ("state","created_at");--> statement-breakpoint
CREATE INDEX "owner_operation_token" ON "app"."owner_operation" USING btree ("token_id","created_at");