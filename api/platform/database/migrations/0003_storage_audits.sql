CREATE TABLE "app"."storage_audit" (
	"id" uuid PRIMARY KEY NOT NULL,
	"started_at" timestamp with time zone NOT NULL,
	"finished_at" timestamp with time zone NOT NULL,
	"items" integer NOT NULL,
	"problems" integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX "storage_audit_finished_at" ON "app"."storage_audit" USING btree ("finished_at");