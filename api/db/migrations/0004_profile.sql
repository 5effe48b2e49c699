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
CREATE INDEX "chronicle_tasks" ON "app"."chronicle" USING btree ("token_id") WHERE change_type = 'task_completed';