CREATE TABLE "app"."event_place" (
	"name" text PRIMARY KEY NOT NULL,
	"block" bigint NOT NULL,
	"key" text NOT NULL
);
