DO $$ BEGIN
	IF EXISTS (SELECT FROM "app"."owner_operation") OR EXISTS (SELECT FROM "app"."owner_nonce") THEN
		RAISE EXCEPTION 'This database was written by an older version. Start with a new, empty database.';
	END IF;
END $$;--> statement-breakpoint
DROP TABLE "app"."owner_nonce" CASCADE;--> statement-breakpoint
DROP TABLE "app"."owner_operation" CASCADE;