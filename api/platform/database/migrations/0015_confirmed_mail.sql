CREATE TABLE "app"."mail_confirmation" (
	"id" uuid PRIMARY KEY NOT NULL,
	"webhook_id" uuid NOT NULL,
	"token_hash" "bytea" NOT NULL,
	"token_master" smallint NOT NULL,
	"address_hash" "bytea" NOT NULL,
	"subject" text NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	"expires_at" timestamp with time zone NOT NULL,
	"used_at" timestamp with time zone,
	CONSTRAINT "mail_confirmation_token_hash_unique" UNIQUE("token_hash")
);
--> statement-breakpoint
ALTER TABLE "app"."webhook" ADD COLUMN "mail_confirmed_at" timestamp with time zone;--> statement-breakpoint
CREATE INDEX "mail_confirmation_address" ON "app"."mail_confirmation" USING btree ("address_hash","created_at");--> statement-breakpoint
CREATE INDEX "mail_confirmation_subject" ON "app"."mail_confirmation" USING btree ("subject","created_at");--> statement-breakpoint
CREATE INDEX "mail_confirmation_created_at" ON "app"."mail_confirmation" USING btree ("created_at");