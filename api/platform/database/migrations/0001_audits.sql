CREATE TABLE "app"."audit" (
	"id" uuid PRIMARY KEY NOT NULL,
	"kind" text NOT NULL,
	"token_id" bigint,
	"epoch" integer,
	"organization_id" bigint,
	"signer" text NOT NULL,
	"regulatory_body" text NOT NULL,
	"regulatory_did" text NOT NULL,
	"scope" text NOT NULL,
	"audit_reference" text NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	"upload_expires_at" timestamp with time zone NOT NULL,
	"completed_at" timestamp with time zone,
	"record" jsonb,
	"archive_id" text,
	"delivered_to" text,
	CONSTRAINT "audit_kind_check" CHECK ("kind" in ('regulatory', 'organization'))
);
--> statement-breakpoint
CREATE TABLE "app"."audit_try" (
	"audit_id" uuid NOT NULL,
	"token_id" bigint NOT NULL,
	"tries" integer NOT NULL,
	CONSTRAINT "audit_try_audit_id_token_id_pk" PRIMARY KEY("audit_id","token_id")
);
--> statement-breakpoint
ALTER TABLE "app"."audit_try" ADD CONSTRAINT "audit_try_audit_id_audit_id_fk" FOREIGN KEY ("audit_id") REFERENCES "app"."audit"("id") ON DELETE no action ON UPDATE no action;