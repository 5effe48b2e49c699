CREATE TABLE "app"."operation" (
	"id" uuid PRIMARY KEY NOT NULL,
	"kind" text NOT NULL,
	"settlement" text NOT NULL,
	"state" text NOT NULL,
	"request_hash" text NOT NULL,
	"operation_key" text NOT NULL,
	"payload" jsonb NOT NULL,
	"secrets" jsonb,
	"accepted_block" bigint NOT NULL,
	"tx_hash" text,
	"block_number" bigint,
	"result" jsonb,
	"reason" jsonb,
	"created_at" timestamp with time zone NOT NULL,
	"updated_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "app"."operation_signature" (
	"operation_id" uuid NOT NULL,
	"role" text NOT NULL,
	"position" integer NOT NULL,
	"chain_id" bigint NOT NULL,
	"contract" text NOT NULL,
	"primary_type" text NOT NULL,
	"signer" text NOT NULL,
	"nonce" numeric(78, 0) NOT NULL,
	"digest" text NOT NULL,
	"message" jsonb NOT NULL,
	"signature" text NOT NULL,
	"released_at" timestamp with time zone,
	CONSTRAINT "operation_signature_operation_id_role_pk" PRIMARY KEY("operation_id","role")
);
--> statement-breakpoint
CREATE TABLE "app"."operation_subject" (
	"operation_id" uuid NOT NULL,
	"kind" text NOT NULL,
	"id" numeric(78, 0) NOT NULL,
	"epoch" integer,
	CONSTRAINT "operation_subject_operation_id_kind_id_pk" PRIMARY KEY("operation_id","kind","id")
);
--> statement-breakpoint
ALTER TABLE "app"."operation_signature" ADD CONSTRAINT "operation_signature_operation_id_operation_id_fk" FOREIGN KEY ("operation_id") REFERENCES "app"."operation"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "app"."operation_subject" ADD CONSTRAINT "operation_subject_operation_id_operation_id_fk" FOREIGN KEY ("operation_id") REFERENCES "app"."operation"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "operation_state" ON "app"."operation" USING btree ("state","created_at");--> statement-breakpoint
CREATE INDEX "operation_kind" ON "app"."operation" USING btree ("kind","created_at");--> statement-breakpoint
CREATE UNIQUE INDEX "operation_signature_nonce" ON "app"."operation_signature" USING btree ("chain_id","contract","signer","nonce") WHERE released_at is null;--> statement-breakpoint
CREATE UNIQUE INDEX "operation_signature_digest" ON "app"."operation_signature" USING btree ("digest") WHERE released_at is null;--> statement-breakpoint
CREATE INDEX "operation_subject_id" ON "app"."operation_subject" USING btree ("kind","id");