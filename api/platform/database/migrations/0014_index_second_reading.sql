CREATE TABLE "app"."index_reread" (
	"base" text NOT NULL,
	"block" bigint NOT NULL,
	"seen_at" timestamp with time zone NOT NULL,
	"reread_at" timestamp with time zone,
	CONSTRAINT "index_reread_base_block_pk" PRIMARY KEY("base","block")
);
