DROP INDEX CONCURRENTLY IF EXISTS "app"."alignment_snapshot_dropped";--> statement-breakpoint
CREATE INDEX CONCURRENTLY "alignment_snapshot_dropped" ON "app"."alignment_snapshot" USING btree ("created_at") WHERE state = 'dropped';--> statement-breakpoint
DROP INDEX CONCURRENTLY IF EXISTS "app"."document_upload_expires_at";--> statement-breakpoint
CREATE INDEX CONCURRENTLY "document_upload_expires_at" ON "app"."document_upload" USING btree ("expires_at");--> statement-breakpoint
DROP INDEX CONCURRENTLY IF EXISTS "app"."endpoint_host_began_at";--> statement-breakpoint
CREATE INDEX CONCURRENTLY "endpoint_host_began_at" ON "app"."endpoint_host" USING btree ("began_at");--> statement-breakpoint
DROP INDEX CONCURRENTLY IF EXISTS "app"."webhook_ended";--> statement-breakpoint
CREATE INDEX CONCURRENTLY "webhook_ended" ON "app"."webhook" USING btree ("ended_at") WHERE ended_at is not null;--> statement-breakpoint
DROP INDEX CONCURRENTLY IF EXISTS "app"."gas_share_day";--> statement-breakpoint
CREATE INDEX CONCURRENTLY "gas_share_day" ON "app"."gas_share" USING btree ("day");--> statement-breakpoint
DROP INDEX CONCURRENTLY IF EXISTS "app"."sponsored_operation_day";--> statement-breakpoint
CREATE INDEX CONCURRENTLY "sponsored_operation_day" ON "app"."sponsored_operation" USING btree ("day");--> statement-breakpoint
DROP INDEX CONCURRENTLY IF EXISTS "app"."wallet_quota_month";--> statement-breakpoint
CREATE INDEX CONCURRENTLY "wallet_quota_month" ON "app"."wallet_quota" USING btree ("month");--> statement-breakpoint
DROP INDEX CONCURRENTLY IF EXISTS "app"."registration_api_key";--> statement-breakpoint
CREATE INDEX CONCURRENTLY "registration_api_key" ON "app"."registration" USING btree ("created_at") WHERE api_key_encrypted is not null;
