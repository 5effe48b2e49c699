CREATE TABLE "app"."disclosure_policy" (
	"id" uuid PRIMARY KEY NOT NULL,
	"token_id" bigint NOT NULL,
	"epoch" integer NOT NULL,
	"name" text NOT NULL,
	"policy" jsonb NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	"ended_at" timestamp with time zone
);
--> statement-breakpoint
CREATE INDEX "disclosure_policy_agent" ON "app"."disclosure_policy" USING btree ("token_id","epoch","created_at");--> statement-breakpoint
CREATE UNIQUE INDEX "disclosure_policy_active" ON "app"."disclosure_policy" USING btree ("token_id","epoch") WHERE ended_at is null;