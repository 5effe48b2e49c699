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
CREATE INDEX "webhook_token_id" ON "app"."webhook" USING btree ("token_id");--> statement-breakpoint
CREATE INDEX "webhook_registration_id" ON "app"."webhook" USING btree ("registration_id");--> statement-breakpoint
CREATE INDEX "webhook_delivery_listed" ON "app"."webhook_delivery" USING btree ("webhook_id","created_at","id");--> statement-breakpoint
CREATE INDEX "webhook_delivery_event_id" ON "app"."webhook_delivery" USING btree ("event_id");--> statement-breakpoint
CREATE INDEX "webhook_delivery_open" ON "app"."webhook_delivery" USING btree ("state","next_try_at") WHERE state in ('pending', 'paused');--> statement-breakpoint
CREATE INDEX "webhook_event_occurred_at" ON "app"."webhook_event" USING btree ("occurred_at");