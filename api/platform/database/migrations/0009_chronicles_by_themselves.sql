DROP INDEX CONCURRENTLY IF EXISTS "app"."chronicle_state_by_itself";--> statement-breakpoint
CREATE INDEX CONCURRENTLY "chronicle_state_by_itself" ON "app"."chronicle_state" USING btree ("seq") WHERE tx_hash is not null;
