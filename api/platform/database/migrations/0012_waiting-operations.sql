CREATE TABLE "app"."operation_party" (
	"operation_id" uuid NOT NULL,
	"role" text NOT NULL,
	"signer" text NOT NULL,
	CONSTRAINT "operation_party_operation_id_role_pk" PRIMARY KEY("operation_id","role")
);
--> statement-breakpoint
ALTER TABLE "app"."operation" ADD COLUMN "request" jsonb;--> statement-breakpoint
ALTER TABLE "app"."operation" ADD COLUMN "accepted_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "app"."operation_party" ADD CONSTRAINT "operation_party_operation_id_operation_id_fk" FOREIGN KEY ("operation_id") REFERENCES "app"."operation"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "operation_party_signer" ON "app"."operation_party" USING btree ("signer");--> statement-breakpoint
CREATE UNIQUE INDEX "operation_decision" ON "app"."operation" USING btree ("kind","request_hash") WHERE request is not null and state in ('waiting', 'accepted');