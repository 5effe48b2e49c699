CREATE TABLE "app"."endpoint_check" (
	"set_id" uuid NOT NULL,
	"position" smallint NOT NULL,
	"token_id" bigint NOT NULL,
	"started_at" timestamp with time zone NOT NULL,
	"kind" text NOT NULL,
	"endpoint" text NOT NULL,
	"state" text NOT NULL,
	"latency_ms" integer,
	"certificate_ends" timestamp with time zone,
	CONSTRAINT "endpoint_check_set_id_position_pk" PRIMARY KEY("set_id","position"),
	CONSTRAINT "endpoint_check_kind_check" CHECK ("kind" in ('a2a', 'mcp', 'x402', 'oasf', 'web')),
	CONSTRAINT "endpoint_check_state_check" CHECK ("state" in ('answers', 'silent', 'domain_not_proven', 'not_checked'))
);
--> statement-breakpoint
CREATE TABLE "app"."endpoint_check_set" (
	"id" uuid PRIMARY KEY NOT NULL,
	"token_id" bigint NOT NULL,
	"started_at" timestamp with time zone NOT NULL,
	"statement" text NOT NULL,
	"signature" text NOT NULL
);
--> statement-breakpoint
CREATE TABLE "app"."endpoint_host" (
	"host" text PRIMARY KEY NOT NULL,
	"began_at" timestamp with time zone NOT NULL,
	"requests" integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE "app"."endpoint_watch" (
	"token_id" bigint PRIMARY KEY NOT NULL,
	"due_at" timestamp with time zone,
	"started_at" timestamp with time zone,
	"answering" boolean DEFAULT false NOT NULL
);
--> statement-breakpoint
ALTER TABLE "app"."endpoint_check" ADD CONSTRAINT "endpoint_check_set_id_endpoint_check_set_id_fk" FOREIGN KEY ("set_id") REFERENCES "app"."endpoint_check_set"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "endpoint_check_agent" ON "app"."endpoint_check" USING btree ("token_id","started_at");--> statement-breakpoint
CREATE INDEX "endpoint_check_age" ON "app"."endpoint_check" USING btree ("started_at");--> statement-breakpoint
CREATE INDEX "endpoint_check_set_agent" ON "app"."endpoint_check_set" USING btree ("token_id","started_at");--> statement-breakpoint
CREATE INDEX "endpoint_check_set_age" ON "app"."endpoint_check_set" USING btree ("started_at");--> statement-breakpoint
CREATE INDEX "endpoint_watch_due" ON "app"."endpoint_watch" USING btree ("due_at");--> statement-breakpoint
CREATE INDEX "endpoint_watch_answering" ON "app"."endpoint_watch" USING btree ("token_id") WHERE answering;