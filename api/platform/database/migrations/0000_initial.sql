CREATE SCHEMA "app";
--> statement-breakpoint
CREATE TABLE "app"."chronicle" (
	"token_id" bigint NOT NULL,
	"chronicle_id" bigint NOT NULL,
	"epoch" integer NOT NULL,
	"category" text NOT NULL,
	"change_type" text NOT NULL,
	"recorded_at" timestamp with time zone NOT NULL,
	"data" jsonb NOT NULL,
	"content_hash" text NOT NULL,
	"archive_id" text NOT NULL,
	"leaf" "bytea" NOT NULL,
	"new_soul_hash" text,
	"authority" text NOT NULL,
	"signer" text,
	"nonce" numeric(78, 0),
	"message" jsonb,
	"signature" text,
	"operation_key" text NOT NULL,
	CONSTRAINT "chronicle_token_id_chronicle_id_pk" PRIMARY KEY("token_id","chronicle_id"),
	CONSTRAINT "chronicle_operation_key_unique" UNIQUE("operation_key"),
	CONSTRAINT "chronicle_leaf" UNIQUE("leaf"),
	CONSTRAINT "chronicle_category_check" CHECK ("category" in ('technical', 'certification', 'achievement', 'experience', 'endorsement', 'document', 'other')),
	CONSTRAINT "chronicle_authority_check" CHECK ("authority" in ('owner', 'session', 'api_key', 'service'))
);
--> statement-breakpoint
CREATE TABLE "app"."chronicle_batch" (
	"id" bigint PRIMARY KEY NOT NULL,
	"stage" text NOT NULL,
	"leaf_count" integer NOT NULL,
	"root" text,
	"previous_root" text,
	"archive_id" text,
	"failures" integer DEFAULT 0 NOT NULL,
	"tx_hash" text,
	"block_number" bigint,
	"created_at" timestamp with time zone NOT NULL,
	"anchored_at" timestamp with time zone,
	"confirmed_at" timestamp with time zone,
	"announced_seq" bigint DEFAULT 0 NOT NULL,
	"announced_at" timestamp with time zone,
	CONSTRAINT "chronicle_batch_stage_check" CHECK ("stage" in ('open', 'built', 'anchored', 'confirmed'))
);
--> statement-breakpoint
CREATE TABLE "app"."chronicle_counter" (
	"token_id" bigint PRIMARY KEY NOT NULL,
	"last_id" bigint NOT NULL,
	"day" text NOT NULL,
	"day_count" integer NOT NULL,
	"mandatory_day" text DEFAULT '' NOT NULL,
	"mandatory_day_count" integer DEFAULT 0 NOT NULL
);
--> statement-breakpoint
CREATE TABLE "app"."chronicle_request" (
	"id" text PRIMARY KEY NOT NULL,
	"token_id" bigint NOT NULL,
	"agent_name" text NOT NULL,
	"epoch" integer NOT NULL,
	"category" text NOT NULL,
	"change_type" text NOT NULL,
	"data" jsonb NOT NULL,
	"salt_encrypted" "bytea",
	"description" text,
	"nonce" numeric(78, 0) NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	"expires_at" timestamp with time zone NOT NULL,
	"submitted_at" timestamp with time zone,
	"operation_key" text NOT NULL,
	CONSTRAINT "chronicle_request_operation_key_unique" UNIQUE("operation_key"),
	CONSTRAINT "chronicle_request_category_check" CHECK ("category" in ('technical', 'certification', 'achievement', 'experience', 'endorsement', 'document', 'other'))
);
--> statement-breakpoint
CREATE TABLE "app"."chronicle_state" (
	"token_id" bigint NOT NULL,
	"chronicle_id" bigint NOT NULL,
	"seq" bigserial NOT NULL,
	"tx_hash" text,
	"batch_id" bigint,
	"leaf" "bytea" NOT NULL,
	"proof" "bytea",
	CONSTRAINT "chronicle_state_token_id_chronicle_id_pk" PRIMARY KEY("token_id","chronicle_id")
);
--> statement-breakpoint
CREATE TABLE "app"."derived_chronicle" (
	"key" text PRIMARY KEY NOT NULL,
	"token_id" bigint NOT NULL,
	"category" text NOT NULL,
	"data" jsonb NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	"chronicle_id" bigint,
	CONSTRAINT "derived_chronicle_category_check" CHECK ("category" in ('technical', 'certification', 'achievement', 'experience', 'endorsement', 'document', 'other'))
);
--> statement-breakpoint
CREATE TABLE "app"."agent_registration" (
	"id" uuid PRIMARY KEY NOT NULL,
	"token_hash" "bytea" NOT NULL,
	"operation_key" uuid NOT NULL,
	"name" text NOT NULL,
	"address" text NOT NULL,
	"state" text NOT NULL,
	"content" jsonb,
	"salt_encrypted" "bytea",
	"leaves" jsonb,
	"document" text,
	"created_at" timestamp with time zone NOT NULL,
	"expires_at" timestamp with time zone NOT NULL,
	"claim_id" uuid,
	"token_id" bigint,
	"owner" text,
	"ended_at" timestamp with time zone,
	CONSTRAINT "agent_registration_token_hash_unique" UNIQUE("token_hash"),
	CONSTRAINT "agent_registration_operation_key_unique" UNIQUE("operation_key"),
	CONSTRAINT "agent_registration_state_check" CHECK ("state" in ('pending', 'claiming', 'claimed', 'deleted'))
);
--> statement-breakpoint
CREATE TABLE "app"."claim_draft" (
	"registration_id" uuid NOT NULL,
	"nonce" numeric(78, 0) NOT NULL,
	"owner" text NOT NULL,
	"requester" text NOT NULL,
	"agent_keeps" boolean NOT NULL,
	"edits_mac" "bytea" NOT NULL,
	"request" jsonb NOT NULL,
	"message" jsonb NOT NULL,
	"salt_encrypted" "bytea" NOT NULL,
	"leaves" jsonb NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	CONSTRAINT "claim_draft_registration_id_nonce_pk" PRIMARY KEY("registration_id","nonce")
);
--> statement-breakpoint
CREATE TABLE "app"."disclosure" (
	"id" uuid PRIMARY KEY NOT NULL,
	"token_id" bigint NOT NULL,
	"epoch" integer NOT NULL,
	"agent_name" text NOT NULL,
	"fields" text[] NOT NULL,
	"recipient_token_id" bigint,
	"recipient_did" text,
	"recipient_name" text,
	"trigger" text NOT NULL,
	"issued_at" timestamp with time zone NOT NULL,
	"expires_at" timestamp with time zone,
	"revoked_at" timestamp with time zone,
	"revoke_reason" text,
	CONSTRAINT "disclosure_trigger_check" CHECK ("trigger" in ('manual', 'policy_auto', 'disclosure_request', 'disclosure_request_p2p', 'regulatory_audit', 'org_audit'))
);
--> statement-breakpoint
CREATE TABLE "app"."disclosure_policy" (
	"id" uuid PRIMARY KEY NOT NULL,
	"token_id" bigint NOT NULL,
	"epoch" integer NOT NULL,
	"name" text NOT NULL,
	"policy" jsonb NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	"ended_at" timestamp with time zone
);
--> statement-breakpoint
CREATE TABLE "app"."disclosure_request" (
	"id" uuid PRIMARY KEY NOT NULL,
	"requester_token_id" bigint NOT NULL,
	"requester_epoch" integer NOT NULL,
	"requester_name" text NOT NULL,
	"requester_did" text NOT NULL,
	"target_token_id" bigint NOT NULL,
	"target_epoch" integer NOT NULL,
	"target_name" text NOT NULL,
	"target_did" text NOT NULL,
	"requested_fields" text[] NOT NULL,
	"given" text[] NOT NULL,
	"pending" jsonb NOT NULL,
	"rejected" jsonb NOT NULL,
	"reason" text NOT NULL,
	"freshness_required" boolean NOT NULL,
	"endpoint" text,
	"public_key" text,
	"webhook_sent" boolean NOT NULL,
	"state" text NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	"expires_at" timestamp with time zone NOT NULL,
	"answer_mode" text,
	"fulfilled_fields" text[],
	"denied_fields" text[],
	"disclosure_id" uuid,
	"answer_expires_at" timestamp with time zone,
	"answered_at" timestamp with time zone,
	"requester_notified" boolean,
	"attempts" integer DEFAULT 0 NOT NULL,
	CONSTRAINT "disclosure_request_state_check" CHECK ("state" in ('pending_approval', 'partially_fulfilled', 'fulfilled', 'expired', 'cancelled')),
	CONSTRAINT "disclosure_request_answer_mode_check" CHECK ("answer_mode" in ('api_relayed', 'p2p_direct'))
);
--> statement-breakpoint
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
	"used_at" timestamp with time zone,
	CONSTRAINT "document_upload_format_check" CHECK ("format" in ('markdown', 'md', 'text/markdown', 'plaintext', 'text', 'txt', 'text/plain', 'json', 'application/json', 'yaml', 'yml', 'application/yaml', 'csv', 'text/csv', 'pdf', 'application/pdf'))
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
	CONSTRAINT "document_version_token_id_epoch_document_id_version_pk" PRIMARY KEY("token_id","epoch","document_id","version"),
	CONSTRAINT "document_version_format_check" CHECK ("format" in ('markdown', 'md', 'text/markdown', 'plaintext', 'text', 'txt', 'text/plain', 'json', 'application/json', 'yaml', 'yml', 'application/yaml', 'csv', 'text/csv', 'pdf', 'application/pdf'))
);
--> statement-breakpoint
CREATE TABLE "app"."emergency_stop" (
	"id" uuid PRIMARY KEY NOT NULL,
	"token_id" bigint NOT NULL,
	"epoch" integer NOT NULL,
	"authority" text NOT NULL,
	"stopped_at" timestamp with time zone NOT NULL,
	"api_keys" integer NOT NULL,
	"sessions" integer NOT NULL,
	"webhooks" integer NOT NULL,
	CONSTRAINT "emergency_stop_authority_check" CHECK ("authority" in ('session', 'signature'))
);
--> statement-breakpoint
CREATE TABLE "app"."api_key" (
	"hash" "bytea" PRIMARY KEY NOT NULL,
	"id" uuid DEFAULT gen_random_uuid() NOT NULL,
	"kind" text NOT NULL,
	"holder" text NOT NULL,
	"hint" text NOT NULL,
	"token_id" bigint,
	"registration_id" uuid,
	"epoch" integer,
	"created_at" timestamp with time zone NOT NULL,
	"revoked_at" timestamp with time zone,
	"last_used_at" timestamp with time zone,
	"exchanged_at" timestamp with time zone,
	CONSTRAINT "api_key_id_unique" UNIQUE("id"),
	CONSTRAINT "api_key_kind_check" CHECK ("kind" in ('live', 'provisional')),
	CONSTRAINT "api_key_holder_check" CHECK ("holder" in ('agent', 'owner'))
);
--> statement-breakpoint
CREATE TABLE "app"."passport_suspension" (
	"id" uuid PRIMARY KEY NOT NULL,
	"passport_id" numeric(78, 0) NOT NULL,
	"token_id" bigint NOT NULL,
	"epoch" integer NOT NULL,
	"sealer" text NOT NULL,
	"owner" text NOT NULL,
	"observed_block" bigint NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	"ended_at" timestamp with time zone,
	"recorded_at" timestamp with time zone,
	"record_tx" text
);
--> statement-breakpoint
CREATE TABLE "app"."passport_watch" (
	"round" text PRIMARY KEY NOT NULL,
	"block" bigint NOT NULL,
	"next_id" numeric(78, 0) NOT NULL,
	"seen_block" bigint NOT NULL,
	CONSTRAINT "passport_watch_round_check" CHECK ("round" in ('traces', 'poll'))
);
--> statement-breakpoint
CREATE TABLE "app"."name_challenge" (
	"id" uuid PRIMARY KEY NOT NULL,
	"name" text NOT NULL,
	"seconds" bigint NOT NULL,
	"expires_at" timestamp with time zone NOT NULL,
	"used_by" uuid
);
--> statement-breakpoint
CREATE TABLE "app"."name_lock" (
	"name" text PRIMARY KEY NOT NULL,
	"holder" uuid NOT NULL,
	"address" text NOT NULL,
	"expires_at" timestamp with time zone,
	CONSTRAINT "name_lock_holder_unique" UNIQUE("holder")
);
--> statement-breakpoint
CREATE TABLE "app"."display_setting" (
	"token_id" bigint NOT NULL,
	"epoch" integer NOT NULL,
	"owner_address" text NOT NULL,
	"operator_address" text NOT NULL,
	"operator_label" text NOT NULL,
	"show_wallet_balances" boolean NOT NULL,
	"show_transaction_count" boolean NOT NULL,
	"updated_at" timestamp with time zone NOT NULL,
	CONSTRAINT "display_setting_token_id_epoch_pk" PRIMARY KEY("token_id","epoch"),
	CONSTRAINT "display_setting_owner_address_check" CHECK ("owner_address" in ('full', 'truncated', 'hidden')),
	CONSTRAINT "display_setting_operator_address_check" CHECK ("operator_address" in ('full', 'truncated', 'hidden'))
);
--> statement-breakpoint
CREATE TABLE "app"."public_identity" (
	"token_id" bigint NOT NULL,
	"epoch" integer NOT NULL,
	"version" integer NOT NULL,
	"identity" jsonb NOT NULL,
	"updated_at" timestamp with time zone NOT NULL,
	CONSTRAINT "public_identity_token_id_epoch_pk" PRIMARY KEY("token_id","epoch")
);
--> statement-breakpoint
CREATE TABLE "app"."auth_code" (
	"code_hash" "bytea" PRIMARY KEY NOT NULL,
	"session" jsonb NOT NULL,
	"expires_at" timestamp with time zone NOT NULL,
	"used_at" timestamp with time zone
);
--> statement-breakpoint
CREATE TABLE "app"."revoked_token" (
	"jti" text PRIMARY KEY NOT NULL,
	"expires_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "app"."session" (
	"id" uuid PRIMARY KEY NOT NULL,
	"holder" text NOT NULL,
	"passport_id" bigint NOT NULL,
	"manages" text,
	"audience" text NOT NULL,
	"scopes" text[] NOT NULL,
	"opened_at" timestamp with time zone,
	"expires_at" timestamp with time zone NOT NULL,
	"last_used_at" timestamp with time zone,
	CONSTRAINT "session_manages_check" CHECK ("manages" in ('agent', 'account')),
	CONSTRAINT "session_scopes_check" CHECK ("scopes" <@ array['identity', 'profile', 'soul', 'chronicles', 'certs', 'services', 'human_verified', 'did', 'manage']::text[])
);
--> statement-breakpoint
CREATE TABLE "app"."sign_in_nonce" (
	"nonce" text PRIMARY KEY NOT NULL,
	"flow" text NOT NULL,
	"address" text NOT NULL,
	"agent_id" numeric(78, 0),
	"chain_id" bigint NOT NULL,
	"scopes" text[] NOT NULL,
	"min_tier" smallint NOT NULL,
	"audience" text,
	"message" text NOT NULL,
	"expires_at" timestamp with time zone NOT NULL,
	"used_at" timestamp with time zone,
	CONSTRAINT "sign_in_nonce_flow_check" CHECK ("flow" in ('wallet', 'agent')),
	CONSTRAINT "sign_in_nonce_scopes_check" CHECK ("scopes" <@ array['identity', 'profile', 'soul', 'chronicles', 'certs', 'services', 'human_verified', 'did', 'manage']::text[]),
	CONSTRAINT "sign_in_nonce_min_tier_check" CHECK (min_tier in (1, 2, 3))
);
--> statement-breakpoint
CREATE TABLE "app"."webhook" (
	"id" uuid PRIMARY KEY NOT NULL,
	"token_id" bigint,
	"registration_id" uuid,
	"owner" text,
	"epoch" integer,
	"url" text NOT NULL,
	"events" text[] NOT NULL,
	"notify_email" text,
	"enabled" boolean NOT NULL,
	"disabled_reason" text,
	"disabled_at" timestamp with time zone,
	"ended_at" timestamp with time zone,
	"failed_tries" uuid[] DEFAULT '{}' NOT NULL,
	"failing_since" timestamp with time zone,
	"mailed_at" timestamp with time zone,
	"warned_at" timestamp with time zone,
	"secret_version" integer NOT NULL,
	"secret_master" smallint NOT NULL,
	"secret_hash" "bytea" NOT NULL,
	"previous_master" smallint,
	"previous_until" timestamp with time zone,
	"rotation" uuid,
	"created_at" timestamp with time zone NOT NULL,
	CONSTRAINT "webhook_events_check" CHECK ("events" <@ array['owner.claimed', 'binding.created', 'binding.revoked', 'alignment.changed', 'freshness.requested', 'chronicle.recorded', 'embodiment.updated', 'passport.transferred', 'soul.resealed', 'soul.burned', 'disclosure.requested', 'disclosure.fulfilled', 'disclosure.expired', 'disclosure.revoked', 'audit.requested', 'webhook.failing', 'webhook.disabled']::text[]),
	CONSTRAINT "webhook_disabled_reason_check" CHECK ("disabled_reason" in ('owner', 'failures'))
);
--> statement-breakpoint
CREATE TABLE "app"."webhook_delivery" (
	"id" uuid PRIMARY KEY NOT NULL,
	"webhook_id" uuid NOT NULL,
	"event_id" uuid NOT NULL,
	"state" text NOT NULL,
	"failures" smallint NOT NULL,
	"sequence" integer NOT NULL,
	"next_try_at" timestamp with time zone NOT NULL,
	"lease_id" uuid,
	"locked_until" timestamp with time zone,
	"created_at" timestamp with time zone NOT NULL,
	"delivered_at" timestamp with time zone,
	CONSTRAINT "webhook_delivery_once" UNIQUE("webhook_id","event_id"),
	CONSTRAINT "webhook_delivery_state_check" CHECK ("state" in ('pending', 'delivered', 'failed', 'paused', 'missed', 'cancelled'))
);
--> statement-breakpoint
CREATE TABLE "app"."webhook_event" (
	"id" uuid PRIMARY KEY NOT NULL,
	"key" text NOT NULL,
	"event" text NOT NULL,
	"data" json,
	"occurred_at" timestamp with time zone NOT NULL,
	CONSTRAINT "webhook_event_key_unique" UNIQUE("key"),
	CONSTRAINT "webhook_event_event_check" CHECK ("event" in ('owner.claimed', 'binding.created', 'binding.revoked', 'alignment.changed', 'freshness.requested', 'chronicle.recorded', 'embodiment.updated', 'passport.transferred', 'soul.resealed', 'soul.burned', 'disclosure.requested', 'disclosure.fulfilled', 'disclosure.expired', 'disclosure.revoked', 'audit.requested', 'webhook.failing', 'webhook.disabled', 'webhook.test'))
);
--> statement-breakpoint
CREATE TABLE "app"."webhook_try" (
	"delivery_id" uuid NOT NULL,
	"number" integer NOT NULL,
	"started_at" timestamp with time zone NOT NULL,
	"duration_ms" integer NOT NULL,
	"status_code" smallint,
	"error" text,
	CONSTRAINT "webhook_try_delivery_id_number_pk" PRIMARY KEY("delivery_id","number"),
	CONSTRAINT "webhook_try_error_check" CHECK ("error" in ('http_status', 'malformed_url', 'not_https', 'credentials_in_url', 'port_not_allowed', 'host_not_allowed', 'address_not_public', 'unresolvable', 'redirect', 'too_large', 'timeout', 'tls', 'connection', 'protocol'))
);
--> statement-breakpoint
CREATE TABLE "app"."event_cursor" (
	"name" text PRIMARY KEY NOT NULL,
	"block" bigint NOT NULL,
	"key" text NOT NULL
);
--> statement-breakpoint
CREATE TABLE "app"."operation" (
	"id" uuid PRIMARY KEY NOT NULL,
	"kind" text NOT NULL,
	"settlement" text NOT NULL,
	"state" text NOT NULL,
	"request_hash" text NOT NULL,
	"operation_key" text NOT NULL,
	"request" jsonb,
	"payload" jsonb NOT NULL,
	"secrets" jsonb,
	"accepted_block" bigint NOT NULL,
	"tx_hash" text,
	"block_number" bigint,
	"result" jsonb,
	"reason" jsonb,
	"created_at" timestamp with time zone NOT NULL,
	"accepted_at" timestamp with time zone,
	"updated_at" timestamp with time zone NOT NULL,
	CONSTRAINT "operation_settlement_check" CHECK ("settlement" in ('chain', 'postgres')),
	CONSTRAINT "operation_state_check" CHECK ("state" in ('waiting', 'accepted', 'settled', 'refused', 'expired', 'cancelled'))
);
--> statement-breakpoint
CREATE TABLE "app"."operation_party" (
	"operation_id" uuid NOT NULL,
	"role" text NOT NULL,
	"signer" text NOT NULL,
	CONSTRAINT "operation_party_operation_id_role_pk" PRIMARY KEY("operation_id","role"),
	CONSTRAINT "operation_party_role_check" CHECK ("role" in ('owner', 'newOwner', 'admin', 'newAdmin', 'permit'))
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
	CONSTRAINT "operation_signature_operation_id_role_pk" PRIMARY KEY("operation_id","role"),
	CONSTRAINT "operation_signature_role_check" CHECK ("role" in ('owner', 'newOwner', 'admin', 'newAdmin', 'permit'))
);
--> statement-breakpoint
CREATE TABLE "app"."operation_subject" (
	"operation_id" uuid NOT NULL,
	"kind" text NOT NULL,
	"id" numeric(78, 0) NOT NULL,
	"epoch" integer,
	CONSTRAINT "operation_subject_operation_id_kind_id_pk" PRIMARY KEY("operation_id","kind","id"),
	CONSTRAINT "operation_subject_kind_check" CHECK ("kind" in ('soul', 'organization'))
);
--> statement-breakpoint
CREATE TABLE "app"."relayer_transaction" (
	"operation_id" text PRIMARY KEY NOT NULL,
	"sender" text NOT NULL,
	"nonce" bigint NOT NULL,
	"raw" text NOT NULL,
	"hashes" text[] NOT NULL,
	"status" text NOT NULL,
	"block_number" bigint,
	"gas_limit" bigint NOT NULL,
	"gas_used" bigint,
	"max_fee_per_gas" numeric(78, 0) NOT NULL,
	"max_priority_fee_per_gas" numeric(78, 0) NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	"updated_at" timestamp with time zone NOT NULL,
	CONSTRAINT "relayer_transaction_sender_nonce" UNIQUE("sender","nonce"),
	CONSTRAINT "relayer_transaction_status_check" CHECK ("status" in ('open', 'mined', 'reverted'))
);
--> statement-breakpoint
CREATE TABLE "app"."idempotency" (
	"key_hash" "bytea" PRIMARY KEY NOT NULL,
	"body_hash" "bytea" NOT NULL,
	"state" text NOT NULL,
	"operation_id" uuid NOT NULL,
	"lease_id" uuid NOT NULL,
	"locked_until" timestamp with time zone NOT NULL,
	"status" smallint,
	"answer_encrypted" "bytea",
	"created_at" timestamp with time zone NOT NULL,
	"expires_at" timestamp with time zone NOT NULL,
	CONSTRAINT "idempotency_state_check" CHECK ("state" in ('in_flight', 'done'))
);
--> statement-breakpoint
CREATE TABLE "app"."job_schedule" (
	"name" text PRIMARY KEY NOT NULL,
	"next_run_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "app"."gas_budget" (
	"day" text PRIMARY KEY NOT NULL,
	"gas" bigint NOT NULL,
	"strangers_gas" bigint DEFAULT 0 NOT NULL
);
--> statement-breakpoint
CREATE TABLE "app"."gas_share" (
	"network" text NOT NULL,
	"day" text NOT NULL,
	"standing" text NOT NULL,
	"gas" bigint NOT NULL,
	CONSTRAINT "gas_share_network_day_standing_pk" PRIMARY KEY("network","day","standing"),
	CONSTRAINT "gas_share_standing_check" CHECK ("standing" in ('stranger', 'known'))
);
--> statement-breakpoint
CREATE TABLE "app"."sponsored_operation" (
	"operation_id" text PRIMARY KEY NOT NULL,
	"day" text NOT NULL,
	"gas" bigint NOT NULL,
	"wallet" text,
	"month" text NOT NULL,
	"network" text NOT NULL,
	"standing" text NOT NULL,
	CONSTRAINT "sponsored_operation_standing_check" CHECK ("standing" in ('stranger', 'known'))
);
--> statement-breakpoint
CREATE TABLE "app"."wallet_quota" (
	"wallet" text NOT NULL,
	"month" text NOT NULL,
	"registrations" integer NOT NULL,
	CONSTRAINT "wallet_quota_wallet_month_pk" PRIMARY KEY("wallet","month")
);
--> statement-breakpoint
CREATE TABLE "app"."storage_item" (
	"id" text PRIMARY KEY NOT NULL,
	"bytes" "bytea" NOT NULL,
	"data_hash" "bytea" NOT NULL,
	"content_type" text NOT NULL,
	"created_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "app"."storage_upload" (
	"id" text PRIMARY KEY NOT NULL,
	"was_only_here" boolean DEFAULT false NOT NULL,
	"open_tries" integer NOT NULL,
	"tries" integer NOT NULL,
	"last_failure" text,
	"last_message" text,
	"touched_at" timestamp with time zone NOT NULL,
	"next_look_at" timestamp with time zone NOT NULL,
	"receipt" jsonb,
	"acknowledged_at" timestamp with time zone,
	"seen_at" timestamp with time zone,
	CONSTRAINT "storage_upload_last_failure_check" CHECK ("last_failure" in ('out_of_balance', 'refused', 'too_large', 'wrong_answer', 'throttled', 'unreachable', 'unavailable'))
);
--> statement-breakpoint
CREATE TABLE "app"."registration" (
	"id" uuid PRIMARY KEY NOT NULL,
	"name" text NOT NULL,
	"owner" text NOT NULL,
	"state" text NOT NULL,
	"payload" jsonb NOT NULL,
	"leaves" jsonb NOT NULL,
	"archive_id" text,
	"api_key_encrypted" "bytea",
	"created_at" timestamp with time zone NOT NULL,
	"updated_at" timestamp with time zone NOT NULL,
	CONSTRAINT "registration_state_check" CHECK ("state" in ('pending', 'complete'))
);
--> statement-breakpoint
CREATE TABLE "app"."soul_secret" (
	"token_id" bigint NOT NULL,
	"epoch" integer NOT NULL,
	"soul_hash" text NOT NULL,
	"salt_encrypted" "bytea" NOT NULL,
	"leaves" jsonb NOT NULL,
	CONSTRAINT "soul_secret_token_id_epoch_pk" PRIMARY KEY("token_id","epoch")
);
--> statement-breakpoint
ALTER TABLE "app"."chronicle_state" ADD CONSTRAINT "chronicle_state_batch_id_chronicle_batch_id_fk" FOREIGN KEY ("batch_id") REFERENCES "app"."chronicle_batch"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "app"."chronicle_state" ADD CONSTRAINT "chronicle_state_chronicle" FOREIGN KEY ("token_id","chronicle_id") REFERENCES "app"."chronicle"("token_id","chronicle_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "app"."derived_chronicle" ADD CONSTRAINT "derived_chronicle_chronicle" FOREIGN KEY ("token_id","chronicle_id") REFERENCES "app"."chronicle"("token_id","chronicle_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "app"."claim_draft" ADD CONSTRAINT "claim_draft_registration_id_agent_registration_id_fk" FOREIGN KEY ("registration_id") REFERENCES "app"."agent_registration"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "app"."disclosure_request" ADD CONSTRAINT "disclosure_request_disclosure_id_disclosure_id_fk" FOREIGN KEY ("disclosure_id") REFERENCES "app"."disclosure"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "app"."webhook_delivery" ADD CONSTRAINT "webhook_delivery_webhook_id_webhook_id_fk" FOREIGN KEY ("webhook_id") REFERENCES "app"."webhook"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "app"."webhook_delivery" ADD CONSTRAINT "webhook_delivery_event_id_webhook_event_id_fk" FOREIGN KEY ("event_id") REFERENCES "app"."webhook_event"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "app"."webhook_try" ADD CONSTRAINT "webhook_try_delivery_id_webhook_delivery_id_fk" FOREIGN KEY ("delivery_id") REFERENCES "app"."webhook_delivery"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "app"."operation_party" ADD CONSTRAINT "operation_party_operation_id_operation_id_fk" FOREIGN KEY ("operation_id") REFERENCES "app"."operation"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "app"."operation_signature" ADD CONSTRAINT "operation_signature_operation_id_operation_id_fk" FOREIGN KEY ("operation_id") REFERENCES "app"."operation"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "app"."operation_subject" ADD CONSTRAINT "operation_subject_operation_id_operation_id_fk" FOREIGN KEY ("operation_id") REFERENCES "app"."operation"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "app"."storage_upload" ADD CONSTRAINT "storage_upload_id_storage_item_id_fk" FOREIGN KEY ("id") REFERENCES "app"."storage_item"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "chronicle_tasks" ON "app"."chronicle" USING btree ("token_id") WHERE change_type = 'task_completed';--> statement-breakpoint
CREATE UNIQUE INDEX "chronicle_signer_nonce" ON "app"."chronicle" USING btree ("signer","nonce");--> statement-breakpoint
CREATE INDEX "chronicle_request_expires_at" ON "app"."chronicle_request" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "chronicle_state_queued" ON "app"."chronicle_state" USING btree ("seq") WHERE batch_id is null and tx_hash is null;--> statement-breakpoint
CREATE INDEX "chronicle_state_batch" ON "app"."chronicle_state" USING btree ("batch_id","leaf");--> statement-breakpoint
CREATE INDEX "chronicle_state_announce" ON "app"."chronicle_state" USING btree ("batch_id","seq");--> statement-breakpoint
CREATE UNIQUE INDEX "agent_registration_open_name" ON "app"."agent_registration" USING btree ("name") WHERE state in ('pending', 'claiming');--> statement-breakpoint
CREATE INDEX "agent_registration_address" ON "app"."agent_registration" USING btree ("address") WHERE state = 'pending';--> statement-breakpoint
CREATE INDEX "agent_registration_state" ON "app"."agent_registration" USING btree ("state","expires_at");--> statement-breakpoint
CREATE INDEX "agent_registration_claim" ON "app"."agent_registration" USING btree ("claim_id");--> statement-breakpoint
CREATE INDEX "disclosure_agent" ON "app"."disclosure" USING btree ("token_id","epoch","issued_at");--> statement-breakpoint
CREATE INDEX "disclosure_policy_agent" ON "app"."disclosure_policy" USING btree ("token_id","epoch","created_at");--> statement-breakpoint
CREATE UNIQUE INDEX "disclosure_policy_active" ON "app"."disclosure_policy" USING btree ("token_id","epoch") WHERE ended_at is null;--> statement-breakpoint
CREATE INDEX "disclosure_request_open" ON "app"."disclosure_request" USING btree ("expires_at") WHERE state in ('pending_approval', 'partially_fulfilled');--> statement-breakpoint
CREATE INDEX "disclosure_request_requester" ON "app"."disclosure_request" USING btree ("requester_token_id","state");--> statement-breakpoint
CREATE INDEX "disclosure_request_target" ON "app"."disclosure_request" USING btree ("target_token_id","state");--> statement-breakpoint
CREATE INDEX "document_upload_operation" ON "app"."document_upload" USING btree ("operation_id");--> statement-breakpoint
CREATE UNIQUE INDEX "document_upload_open" ON "app"."document_upload" USING btree ("token_id","epoch","document_id") WHERE used_at is null;--> statement-breakpoint
CREATE INDEX "emergency_stop_token_id" ON "app"."emergency_stop" USING btree ("token_id");--> statement-breakpoint
CREATE INDEX "api_key_token_id" ON "app"."api_key" USING btree ("token_id");--> statement-breakpoint
CREATE INDEX "api_key_registration_id" ON "app"."api_key" USING btree ("registration_id");--> statement-breakpoint
CREATE UNIQUE INDEX "passport_suspension_lasting" ON "app"."passport_suspension" USING btree ("passport_id") WHERE ended_at is null;--> statement-breakpoint
CREATE INDEX "passport_suspension_token_id" ON "app"."passport_suspension" USING btree ("token_id");--> statement-breakpoint
CREATE INDEX "name_challenge_expires_at" ON "app"."name_challenge" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "name_lock_address" ON "app"."name_lock" USING btree ("address");--> statement-breakpoint
CREATE INDEX "auth_code_expires_at" ON "app"."auth_code" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "revoked_token_expires_at" ON "app"."revoked_token" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "session_passport_id" ON "app"."session" USING btree ("passport_id");--> statement-breakpoint
CREATE INDEX "session_holder" ON "app"."session" USING btree ("holder");--> statement-breakpoint
CREATE INDEX "session_expires_at" ON "app"."session" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "sign_in_nonce_expires_at" ON "app"."sign_in_nonce" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "webhook_token_id" ON "app"."webhook" USING btree ("token_id");--> statement-breakpoint
CREATE INDEX "webhook_registration_id" ON "app"."webhook" USING btree ("registration_id");--> statement-breakpoint
CREATE INDEX "webhook_lane" ON "app"."webhook" USING btree (coalesce("owner", "registration_id"::text, "id"::text));--> statement-breakpoint
CREATE INDEX "webhook_delivery_listed" ON "app"."webhook_delivery" USING btree ("webhook_id","created_at","id");--> statement-breakpoint
CREATE INDEX "webhook_delivery_event_id" ON "app"."webhook_delivery" USING btree ("event_id");--> statement-breakpoint
CREATE INDEX "webhook_delivery_pending" ON "app"."webhook_delivery" USING btree ("webhook_id","next_try_at") WHERE state = 'pending';--> statement-breakpoint
CREATE INDEX "webhook_delivery_leased" ON "app"."webhook_delivery" USING btree ("webhook_id") WHERE locked_until is not null;--> statement-breakpoint
CREATE INDEX "webhook_delivery_open" ON "app"."webhook_delivery" USING btree ("state","next_try_at") WHERE state in ('pending', 'paused');--> statement-breakpoint
CREATE INDEX "webhook_event_occurred_at" ON "app"."webhook_event" USING btree ("occurred_at");--> statement-breakpoint
CREATE UNIQUE INDEX "operation_decision" ON "app"."operation" USING btree ("kind","request_hash") WHERE request is not null and state in ('waiting', 'accepted');--> statement-breakpoint
CREATE INDEX "operation_state" ON "app"."operation" USING btree ("state","created_at");--> statement-breakpoint
CREATE INDEX "operation_kind" ON "app"."operation" USING btree ("kind","created_at");--> statement-breakpoint
CREATE INDEX "operation_party_signer" ON "app"."operation_party" USING btree ("signer");--> statement-breakpoint
CREATE UNIQUE INDEX "operation_signature_nonce" ON "app"."operation_signature" USING btree ("chain_id","contract","signer","nonce") WHERE released_at is null;--> statement-breakpoint
CREATE UNIQUE INDEX "operation_signature_digest" ON "app"."operation_signature" USING btree ("digest") WHERE released_at is null;--> statement-breakpoint
CREATE INDEX "operation_subject_id" ON "app"."operation_subject" USING btree ("kind","id");--> statement-breakpoint
CREATE INDEX "relayer_transaction_status" ON "app"."relayer_transaction" USING btree ("status");--> statement-breakpoint
CREATE INDEX "idempotency_expires_at" ON "app"."idempotency" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "storage_upload_unsettled" ON "app"."storage_upload" USING btree ("next_look_at") WHERE acknowledged_at is null and (open_tries > 0 or was_only_here);--> statement-breakpoint
CREATE INDEX "storage_upload_unseen" ON "app"."storage_upload" USING btree ("next_look_at") WHERE acknowledged_at is not null and seen_at is null;--> statement-breakpoint
CREATE INDEX "registration_name" ON "app"."registration" USING btree ("name");--> statement-breakpoint
CREATE UNIQUE INDEX "registration_pending_name" ON "app"."registration" USING btree ("name") WHERE state = 'pending';--> statement-breakpoint
CREATE INDEX "registration_state" ON "app"."registration" USING btree ("state","created_at");--> statement-breakpoint
CREATE INDEX "registration_owner" ON "app"."registration" USING btree ("owner","created_at");--> statement-breakpoint
-- Chronicles are only ever added. The trigger refuses every role, also the table's owner. The API's
-- own role is refused by its grants already: see api/platform/database/migrate.ts.
create function app.refuse_chronicle_change() returns trigger language plpgsql as $$
begin
  raise exception 'Chronicles are append-only: % on app.chronicle is refused.', tg_op
    using errcode = 'insufficient_privilege';
end $$;
--> statement-breakpoint
create trigger chronicle_append_only
  before update or delete or truncate on app.chronicle
  for each statement execute function app.refuse_chronicle_change();
