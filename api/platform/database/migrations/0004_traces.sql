ALTER TABLE "app"."webhook_delivery" ADD COLUMN "traceparent" text;--> statement-breakpoint
ALTER TABLE "app"."operation" ADD COLUMN "traceparent" text;--> statement-breakpoint
ALTER TABLE "app"."relayer_transaction" ADD COLUMN "traceparent" text;