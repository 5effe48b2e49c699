CREATE TABLE "app"."disclosure" (
	"id" uuid PRIMARY KEY NOT NULL,
	"token_id" bigint NOT NULL,
	"epoch" integer NOT NULL,
	"agent_name" text NOT NULL,
	"fields" text[] NOT NULL,
	"recipient_token_id" bigint,
	"recipient_did" text,
	"recipient_name" text,
	"trigger" text NOT NULL,
	"issued_at" timestamp with time zone NOT NULL,
	"expires_at" timestamp with time zone,
	"revoked_at" timestamp with time zone,
	"revoke_reason" text
);
--> statement-breakpoint
CREATE TABLE "app"."disclosure_request" (
	"id" uuid PRIMARY KEY NOT NULL,
	"requester_token_id" bigint NOT NULL,
	"requester_epoch" integer NOT NULL,
	"requester_name" text NOT NULL,
	"requester_did" text NOT NULL,
	"target_token_id" bigint NOT NULL,
	"target_epoch" integer NOT NULL,
	"target_name" text NOT NULL,
	"target_did" text NOT NULL,
	"requested_fields" text[] NOT NULL,
	"given" text[] NOT NULL,
	"pending" jsonb NOT NULL,
	"rejected" jsonb NOT NULL,
	"reason" text NOT NULL,
	"freshness_required" boolean NOT NULL,
	"endpoint" text,
	"public_key" text,
	"webhook_sent" boolean NOT NULL,
	"state" text NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	"expires_at" timestamp with time zone NOT NULL,
	"answer_mode" text,
	"fulfilled_fields" text[],
	"denied_fields" text[],
	"disclosure_id" uuid,
	"answer_expires_at" timestamp with time zone,
	"answered_at" timestamp with time zone,
	"requester_notified" boolean,
	"attempts" integer DEFAULT 0 NOT NULL
);
--> statement-breakpoint
CREATE INDEX "disclosure_agent" ON "app"."disclosure" USING btree ("token_id","epoch","issued_at");--> statement-breakpoint
CREATE INDEX "disclosure_request_open" ON "app"."disclosure_request" USING btree ("expires_at") WHERE state in ('pending_approval', 'partially_fulfilled');--> statement-breakpoint
CREATE INDEX "disclosure_request_requester" ON "app"."disclosure_request" USING btree ("requester_token_id","state");