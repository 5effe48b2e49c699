CREATE TABLE "app"."gas_share" (
	"network" text NOT NULL,
	"day" text NOT NULL,
	"standing" text NOT NULL,
	"gas" bigint NOT NULL,
	CONSTRAINT "gas_share_network_day_standing_pk" PRIMARY KEY("network","day","standing")
);
--> statement-breakpoint
ALTER TABLE "app"."chronicle_counter" ADD COLUMN "mandatory_day" text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE "app"."chronicle_counter" ADD COLUMN "mandatory_day_count" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "app"."gas_budget" ADD COLUMN "strangers_gas" bigint DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "app"."sponsored_operation" ADD COLUMN "network" text;--> statement-breakpoint
ALTER TABLE "app"."sponsored_operation" ADD COLUMN "standing" text DEFAULT 'stranger' NOT NULL;