ALTER TABLE "app"."api_key" ADD COLUMN "id" uuid DEFAULT gen_random_uuid() NOT NULL;--> statement-breakpoint
ALTER TABLE "app"."api_key" ADD COLUMN "holder" text DEFAULT 'owner' NOT NULL;--> statement-breakpoint
ALTER TABLE "app"."api_key" ADD COLUMN "hint" text;--> statement-breakpoint
ALTER TABLE "app"."api_key" ADD COLUMN "exchanged_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "app"."claim_draft" ADD COLUMN "owner" text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE "app"."claim_draft" ADD COLUMN "requester" text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE "app"."claim_draft" ADD COLUMN "agent_keeps" boolean DEFAULT true NOT NULL;--> statement-breakpoint
ALTER TABLE "app"."api_key" ADD CONSTRAINT "api_key_id_unique" UNIQUE("id");