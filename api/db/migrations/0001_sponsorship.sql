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
