CREATE TABLE "app"."emergency_stop" (
	"id" uuid PRIMARY KEY NOT NULL,
	"token_id" bigint NOT NULL,
	"epoch" integer NOT NULL,
	"authority" text NOT NULL,
	"stopped_at" timestamp with time zone NOT NULL,
	"api_keys" integer NOT NULL,
	"sessions" integer NOT NULL,
	"webhooks" integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE "app"."session" (
	"id" uuid PRIMARY KEY NOT NULL,
	"holder" text NOT NULL,
	"passport_id" bigint NOT NULL,
	"manages" text,
	"audience" text NOT NULL,
	"scopes" text[] NOT NULL,
	"opened_at" timestamp with time zone,
	"expires_at" timestamp with time zone NOT NULL,
	"last_used_at" timestamp with time zone
);
--> statement-breakpoint
ALTER TABLE "app"."api_key" ADD COLUMN "last_used_at" timestamp with time zone;--> statement-breakpoint
CREATE INDEX "emergency_stop_token_id" ON "app"."emergency_stop" USING btree ("token_id");--> statement-breakpoint
CREATE INDEX "session_passport_id" ON "app"."session" USING btree ("passport_id");--> statement-breakpoint
CREATE INDEX "session_holder" ON "app"."session" USING btree ("holder");--> statement-breakpoint
CREATE INDEX "session_expires_at" ON "app"."session" USING btree ("expires_at");