ALTER TABLE "app"."registration" DROP CONSTRAINT "registration_digest_unique";--> statement-breakpoint
ALTER TABLE "app"."registration" ADD COLUMN "archive_id" text;--> statement-breakpoint
ALTER TABLE "app"."registration" DROP COLUMN "digest";--> statement-breakpoint
ALTER TABLE "app"."registration" DROP COLUMN "salt_encrypted";--> statement-breakpoint
ALTER TABLE "app"."registration" DROP COLUMN "result";