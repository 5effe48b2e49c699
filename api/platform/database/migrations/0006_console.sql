CREATE TABLE "app"."console_cookie" (
	"secret_hash" "bytea" PRIMARY KEY NOT NULL,
	"session_id" uuid NOT NULL
);
--> statement-breakpoint
ALTER TABLE "app"."sign_in_nonce" DROP CONSTRAINT "sign_in_nonce_flow_check";--> statement-breakpoint
ALTER TABLE "app"."console_cookie" ADD CONSTRAINT "console_cookie_session_id_session_id_fk" FOREIGN KEY ("session_id") REFERENCES "app"."session"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "console_cookie_session_id" ON "app"."console_cookie" USING btree ("session_id");--> statement-breakpoint
ALTER TABLE "app"."sign_in_nonce" ADD CONSTRAINT "sign_in_nonce_flow_check" CHECK ("flow" in ('wallet', 'agent', 'account')) NOT VALID;