CREATE TABLE "app"."document_upload" (
	"token_hash" "bytea" PRIMARY KEY NOT NULL,
	"operation_id" text NOT NULL,
	"key_version" smallint NOT NULL,
	"token_id" bigint NOT NULL,
	"epoch" integer NOT NULL,
	"document_id" text NOT NULL,
	"type" text NOT NULL,
	"title" text NOT NULL,
	"format" text NOT NULL,
	"content_hash" text NOT NULL,
	"immutable" boolean NOT NULL,
	"chronicle_id" bigint,
	"created_at" timestamp with time zone NOT NULL,
	"expires_at" timestamp with time zone NOT NULL,
	"used_at" timestamp with time zone
);
--> statement-breakpoint
CREATE TABLE "app"."document_version" (
	"token_id" bigint NOT NULL,
	"epoch" integer NOT NULL,
	"document_id" text NOT NULL,
	"version" integer NOT NULL,
	"type" text NOT NULL,
	"title" text NOT NULL,
	"format" text NOT NULL,
	"content_hash" text NOT NULL,
	"immutable" boolean NOT NULL,
	"archive_id" text,
	"uploaded_at" timestamp with time zone,
	"chronicle_id" bigint,
	"breaks_immutability" boolean DEFAULT false NOT NULL,
	CONSTRAINT "document_version_token_id_epoch_document_id_version_pk" PRIMARY KEY("token_id","epoch","document_id","version")
);
--> statement-breakpoint
CREATE INDEX "document_upload_operation" ON "app"."document_upload" USING btree ("operation_id");--> statement-breakpoint
CREATE UNIQUE INDEX "document_upload_open" ON "app"."document_upload" USING btree ("token_id","epoch","document_id") WHERE used_at is null;