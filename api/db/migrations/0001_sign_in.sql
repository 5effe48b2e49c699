CREATE TABLE "app"."revoked_token" (
	"jti" text PRIMARY KEY NOT NULL,
	"expires_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE INDEX "revoked_token_expires_at" ON "app"."revoked_token" USING btree ("expires_at");