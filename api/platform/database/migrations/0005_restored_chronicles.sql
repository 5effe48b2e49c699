ALTER TABLE "app"."chronicle" DROP CONSTRAINT "chronicle_authority_check";--> statement-breakpoint
ALTER TABLE "app"."chronicle" ADD CONSTRAINT "chronicle_authority_check" CHECK ("authority" in ('owner', 'session', 'api_key', 'service', 'restored')) NOT VALID;
