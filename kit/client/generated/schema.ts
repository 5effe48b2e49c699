// Written by `npm run generate` from the OpenAPI document: types only.

export interface components {
    schemas: {
        /** @description EIP-712 data, signed as it is by `eth_signTypedData_v4` and viem. ethers wants `types` without `EIP712Domain`. */
        readonly TypedData: {
            readonly domain: {
                readonly name: string;
                readonly version: string;
                readonly chainId: number;
                readonly verifyingContract: string;
            };
            readonly types: {
                readonly [key: string]: readonly {
                    readonly name: string;
                    readonly type: string;
                }[];
            };
            readonly primaryType: string;
            readonly message: {
                readonly nonce: string;
                readonly deadline: string;
            } & {
                readonly [key: string]: unknown;
            };
        };
        readonly Error: {
            readonly error: {
                /** @description The HTTP status. */
                readonly code: number;
                /** @enum {string} */
                readonly type: "INVALID_REQUEST" | "INVALID_NAME" | "UNAUTHORIZED" | "INVALID_SIGNATURE" | "NONCE_EXPIRED" | "NONCE_USED" | "CODE_EXPIRED" | "CODE_USED" | "FORBIDDEN" | "WALLET_SIGNATURE_REQUIRED" | "FULL_KEY_REQUIRED" | "MANAGE_SCOPE_REQUIRED" | "TIER_TOO_LOW" | "NOT_OWNER" | "APPROVAL_REQUIRED" | "NOT_FOUND" | "METHOD_NOT_ALLOWED" | "NOT_ACCEPTABLE" | "NAME_TAKEN" | "ALREADY_SEALED" | "ALREADY_CLAIMED" | "ALREADY_MEMBER" | "NOT_CLAIMED" | "ALLOWANCE_INACTIVE" | "BURNED" | "SUSPENDED" | "WALLET_NOT_DEPLOYED" | "IDEMPOTENCY_CONFLICT" | "Erc8004AgentIdAlreadyBound" | "GONE" | "PAYLOAD_TOO_LARGE" | "UNSUPPORTED_MEDIA_TYPE" | "HASH_MISMATCH" | "INVALID_MERKLE_DATA" | "RATE_LIMIT_EXCEEDED" | "INTERNAL" | "CHAIN_UNAVAILABLE" | "STORAGE_UNAVAILABLE" | "GAS_BUDGET_EXHAUSTED" | "REGISTRY_PENDING" | "INDEX_BEHIND" | "SERVICE_UNAVAILABLE";
                readonly message: string;
                /** @description Depends on the type; always names the request. */
                readonly details: {
                    readonly requestId: string;
                } & {
                    readonly [key: string]: unknown;
                };
                /** @description Seconds until the same request may succeed. */
                readonly retryAfter?: number;
            };
        };
        readonly AgentUriUpdate: {
            readonly erc8004AgentId: number;
            /** @description Each replaces the entry of the same name (case ignored), or is appended. `Svc`, `Svc-API` and `DID` are written by the service. */
            readonly services?: readonly {
                /** @example MCP */
                readonly name: string;
                /** @example https://agent.example/mcp */
                readonly endpoint: string;
                readonly version?: string;
            }[];
            /** @description Names of entries to take away. */
            readonly removeServices?: readonly string[];
            readonly x402Support?: boolean;
            readonly description?: string;
            /** Format: uri */
            readonly imageUrl?: string;
        };
        readonly RegistrationFileUpdate: {
            readonly tokenId: number;
            /** @description Each replaces the entry of the same name (case ignored), or is appended. `Svc`, `Svc-API` and `DID` are written by the service. */
            readonly services?: readonly {
                /** @example MCP */
                readonly name: string;
                /** @example https://agent.example/mcp */
                readonly endpoint: string;
                readonly version?: string;
            }[];
            /** @description Names of entries to take away. */
            readonly removeServices?: readonly string[];
            readonly x402Support?: boolean;
        };
        readonly Registration: {
            /** @example aurora */
            readonly agentName: string;
            /** @example assistant */
            readonly agentType?: string;
            /** @description The passport to bind: the signer's own, with the passport writer approved on it. 0 is a passport. Absent or null: a new one is registered. */
            readonly erc8004AgentId?: number;
            readonly soulHash: string;
            readonly soulSalt: string;
            readonly soulMerkleRoot: string;
            /** @description The leaves in index order: all twelve, or the first eleven, as `POST /v1/tools/normalise` returns them. The leaf of `soul.documents` is then computed from `soulDocuments`. */
            readonly merkleLeaves: readonly {
                readonly index: number;
                /** @enum {string} */
                readonly field: "identity.name" | "identity.agent_type" | "identity.description" | "soul.purpose" | "soul.personality" | "soul.constraints" | "soul.guidelines" | "capabilities.skills" | "capabilities.tools" | "capabilities.languages" | "capabilities.models" | "soul.documents";
                readonly hash: string;
            }[];
            /** @description Values to publish, by field; each must match its leaf. */
            readonly publicFields?: Record<string, unknown>;
            readonly publicIdentity?: components["schemas"]["PublicIdentity"];
            /** @description Checked against the leaf `soul.documents`; the contents are uploaded afterwards. */
            readonly soulDocuments?: readonly components["schemas"]["DeclaredDocument"][];
            readonly sourceFormat?: string;
            /** @description Checked for form only, and never kept: it is not salted. */
            readonly sourceHash?: string;
            /** @example 0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045 */
            readonly ownerAddress: string;
            /** @example 0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045 */
            readonly operatorAddress?: string;
            /** @description 0 or absent: none. */
            readonly parentTokenId?: number;
            /** @description 0 or absent: independent. */
            readonly organizationId?: number;
            /**
             * @deprecated
             * @description Former name of `organizationId`.
             */
            readonly fleetId?: number;
            readonly worldIdProof?: components["schemas"]["WorldIdProof"];
        };
        readonly PublicIdentity: {
            readonly bio?: string;
            /** @enum {string} */
            readonly category?: "technology" | "commerce" | "knowledge" | "wellness" | "creation" | "communication" | "entertainment" | "relationship" | "other";
            readonly tags?: readonly string[];
            readonly modelFamily?: string;
            readonly contacts?: readonly {
                /** @enum {string} */
                readonly type: "website" | "x" | "github" | "discord" | "did" | "a2a" | "mcp" | "neural";
                readonly value: string;
            }[];
            /** @enum {string} */
            readonly monetization?: "none" | "ads" | "sponsored" | "subscription" | "x402" | "other";
            readonly model?: string;
            readonly modelProvider?: string;
            readonly serviceEndpoints?: {
                readonly [key: string]: string;
            };
            readonly x402Support?: boolean;
            readonly tagline?: string;
            readonly description?: string;
            /** Format: uri */
            readonly image?: string;
            /** Format: uri */
            readonly website?: string;
            readonly displayName?: string;
        };
        readonly DeclaredDocument: {
            /** @example manifesto */
            readonly id: string;
            readonly type: string;
            readonly title: string;
            /** @enum {string} */
            readonly format: "markdown" | "md" | "text/markdown" | "plaintext" | "text" | "txt" | "text/plain" | "json" | "application/json" | "yaml" | "yml" | "application/yaml" | "csv" | "text/csv" | "pdf" | "application/pdf";
            /** @description SHA-256 of the content. */
            readonly contentHash: string;
            /** @default false */
            readonly immutable?: boolean;
        };
        /** @description World ID 3.0, orb. Its action and signal are those of the registration: see docs/registration.md. */
        readonly WorldIdProof: {
            /** @description Decimal digits, hex with 0x, or a JSON integer of any size. */
            readonly merkle_root: string;
            /** @description Decimal digits, hex with 0x, or a JSON integer of any size. */
            readonly nullifier_hash: string;
            readonly proof: readonly string[];
        };
        readonly ClaimTerms: {
            readonly registrationId: string;
            /** @example 0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045 */
            readonly ownerAddress: string;
            readonly editedData?: components["schemas"]["ClaimEdits"];
            /** @description Default true. False mints, and leaves the soul to be sealed by another signature. */
            readonly seal?: boolean;
            /** @description Default true: within seven days after the claim the agent can exchange its provisional key for a full key of its own. False ends the provisional key with the claim. */
            readonly agentKeeps?: boolean;
            /** @description The same as `agentKeeps`. */
            readonly agentKey?: boolean;
        };
        readonly ClaimEdits: {
            /** @description Replaces the agent's. Hashed in memory and discarded. A name or type that it states must be the agent's: otherwise 422 HASH_MISMATCH. */
            readonly systemPrompt?: string;
            /**
             * @default plaintext
             * @enum {string}
             */
            readonly sourceFormat?: "plaintext" | "soul_md" | "ccsf_yaml" | "ccsf_json" | "a2a_agent_card" | "character_json";
            /** @description A whole soul instead of `systemPrompt`. Its name must be the agent's, or another writing of it: otherwise 422 HASH_MISMATCH. */
            readonly ccsf?: Record<string, unknown>;
            /** @example assistant */
            readonly agentType?: string;
            readonly displayName?: string;
            readonly agentDescription?: string;
            /** Format: uri */
            readonly agentAvatarUrl?: string;
            /** @description Values to publish, by field; each must match its leaf. */
            readonly publicFields?: Record<string, unknown>;
            readonly publicIdentity?: components["schemas"]["ClaimIdentityEdit"];
            readonly birthBundle?: components["schemas"]["ClaimBirthBundleEdit"];
            readonly parentTokenId?: number;
            readonly worldIdProof?: components["schemas"]["WorldIdProof"];
            readonly x402Support?: boolean;
        };
        /** @description Changes only the members that it names; null removes a member. */
        readonly ClaimIdentityEdit: {
            readonly bio?: string | null;
            /** @enum {string|null} */
            readonly category?: "technology" | "commerce" | "knowledge" | "wellness" | "creation" | "communication" | "entertainment" | "relationship" | "other" | null;
            readonly tags?: readonly string[] | null;
            readonly modelFamily?: string | null;
            readonly contacts?: readonly {
                /** @enum {string} */
                readonly type: "website" | "x" | "github" | "discord" | "did" | "a2a" | "mcp" | "neural";
                readonly value: string;
            }[] | null;
            /** @enum {string|null} */
            readonly monetization?: "none" | "ads" | "sponsored" | "subscription" | "x402" | "other" | null;
            readonly model?: string | null;
            readonly modelProvider?: string | null;
            readonly serviceEndpoints?: {
                readonly [key: string]: string | null;
            } | null;
            readonly x402Support?: boolean | null;
            readonly tagline?: string | null;
            readonly description?: string | null;
            /** Format: uri */
            readonly image?: string | null;
            /** Format: uri */
            readonly website?: string | null;
            readonly displayName?: string | null;
        };
        /** @description Changes only the members that it names; null removes a member. */
        readonly ClaimBirthBundleEdit: {
            readonly note?: string | null;
            readonly creatorName?: string | null;
            /** Format: uri */
            readonly creatorImageUrl?: string | null;
        };
        readonly Chronicle: {
            readonly tokenId: number;
            /**
             * @description `soul_revision` and `operator_change` stand for category `technical` and that change type.
             * @enum {string}
             */
            readonly category: "technical" | "certification" | "achievement" | "experience" | "endorsement" | "document" | "other" | "soul_revision" | "operator_change";
            /** @description Public, and archived for ever. `changeType` says what happened (the category, when absent). A `soul_revision` needs `newSoulHash`, `newSoulMerkleRoot`, `newSoulSalt` (kept encrypted, never published) and `merkleLeaves`; an `operator_change` needs `operator`. */
            readonly data: Record<string, unknown>;
        };
        readonly Binding: {
            readonly tokenId: number;
            readonly partnerTokenId?: number;
            readonly bindingId?: string;
            /**
             * @example verified
             * @enum {string}
             */
            readonly trustLevel: "trusted" | "verified" | "limited" | "revoked";
            /**
             * @description What for, in words: public, at most 1024 bytes of UTF-8.
             * @example Shares its bird counts.
             */
            readonly context?: string;
        };
        readonly Burn: {
            readonly tokenId: number;
            /**
             * @description The owner's own words. Only their keccak256 goes on chain.
             * @example Its work is done.
             */
            readonly reason: string;
        };
        readonly Reincarnation: {
            /** @description The soul that ended. */
            readonly parentTokenId: number;
            /** @example aurora */
            readonly newAgentName: string;
            /** @example assistant */
            readonly agentType?: string;
            readonly soulHash: string;
            readonly soulSalt: string;
            readonly soulMerkleRoot: string;
            /** @description The leaves in index order: all twelve, or the first eleven, as `POST /v1/tools/normalise` returns them. The leaf of `soul.documents` is then computed from `soulDocuments`. */
            readonly merkleLeaves: readonly {
                readonly index: number;
                /** @enum {string} */
                readonly field: "identity.name" | "identity.agent_type" | "identity.description" | "soul.purpose" | "soul.personality" | "soul.constraints" | "soul.guidelines" | "capabilities.skills" | "capabilities.tools" | "capabilities.languages" | "capabilities.models" | "soul.documents";
                readonly hash: string;
            }[];
            /** @description Values to publish, by field; each must match its leaf. */
            readonly publicFields?: Record<string, unknown>;
            readonly publicIdentity?: components["schemas"]["PublicIdentity"];
            /** @description Checked against the leaf `soul.documents`; the contents are uploaded afterwards. */
            readonly soulDocuments?: readonly components["schemas"]["DeclaredDocument"][];
            readonly sourceFormat?: string;
            /** @description Checked for form only, and never kept: it is not salted. */
            readonly sourceHash?: string;
            /** @example 0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045 */
            readonly ownerAddress: string;
            /** @example 0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045 */
            readonly operatorAddress?: string;
            readonly worldIdProof?: components["schemas"]["WorldIdProof"];
        };
        readonly Release: {
            readonly tokenId: number;
        };
        readonly Reseal: {
            readonly tokenId: number;
            readonly newSoulHash: string;
            /** @description Kept encrypted, never published. */
            readonly newSoulSalt: string;
            readonly newSoulMerkleRoot: string;
            /** @description The leaves in index order: all twelve, or the first eleven, as `POST /v1/tools/normalise` returns them. The leaf of `soul.documents` is then computed from `soulDocuments`. */
            readonly merkleLeaves: readonly {
                readonly index: number;
                /** @enum {string} */
                readonly field: "identity.name" | "identity.agent_type" | "identity.description" | "soul.purpose" | "soul.personality" | "soul.constraints" | "soul.guidelines" | "capabilities.skills" | "capabilities.tools" | "capabilities.languages" | "capabilities.models" | "soul.documents";
                readonly hash: string;
            }[];
            /** @description Values to publish, by field; each must match its leaf. */
            readonly publicFields?: Record<string, unknown>;
            /**
             * @description The agent's own account from now on. Absent: its owner acts for it.
             * @example 0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045
             */
            readonly operatorAddress?: string;
            /** @description An archive of the new soul. Absent: the service makes and stores one. */
            readonly newArweaveTxId?: string;
            /** @description That the owner is a person, for an adapter that the human verifier registry has approved, in the adapter's own encoding. */
            readonly humanProof?: {
                /** @example 0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045 */
                readonly verifier: string;
                readonly data: string;
            };
            readonly worldIdProof?: components["schemas"]["WorldIdProof"];
        };
        readonly Validation: {
            readonly tokenId: number;
        };
        readonly AgentKeysChange: {
            readonly tokenId: number;
            /** @description Public JWKs in any order; `kid` may be left out. An empty list withdraws the agent's keys. */
            readonly keys: readonly {
                /** @enum {string} */
                readonly kty: "EC" | "OKP";
                /** @enum {string} */
                readonly crv: "P-256" | "Ed25519";
                readonly x: string;
                readonly y?: string;
                /** @enum {string} */
                readonly use: "sig" | "enc";
                readonly exp: number;
                readonly kid?: string;
            }[];
        };
        readonly BatchAgent: {
            /** @example aurora */
            readonly agentName: string;
            /** @example assistant */
            readonly agentType?: string;
            readonly soulHash: string;
            readonly soulSalt: string;
            readonly soulMerkleRoot: string;
            /** @description The leaves in index order: all twelve, or the first eleven, as `POST /v1/tools/normalise` returns them. The leaf of `soul.documents` is then computed from `soulDocuments`. */
            readonly merkleLeaves: readonly {
                readonly index: number;
                /** @enum {string} */
                readonly field: "identity.name" | "identity.agent_type" | "identity.description" | "soul.purpose" | "soul.personality" | "soul.constraints" | "soul.guidelines" | "capabilities.skills" | "capabilities.tools" | "capabilities.languages" | "capabilities.models" | "soul.documents";
                readonly hash: string;
            }[];
            /** @description Values to publish, by field; each must match its leaf. */
            readonly publicFields?: Record<string, unknown>;
            readonly publicIdentity?: components["schemas"]["PublicIdentity"];
            readonly sourceFormat?: string;
            /** @example 0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045 */
            readonly operatorAddress?: string;
        };
        readonly NewOrganizationAudit: {
            readonly organizationId?: number;
            /**
             * @deprecated
             * @description Former name of `organizationId`.
             */
            readonly fleetId?: number;
            /** @description The regulator's name. */
            readonly regulatoryBody: string;
            /**
             * @description The regulator's DID.
             * @example did:web:regulator.example
             */
            readonly regulatoryDid: string;
            /**
             * @description What is audited, in the regulator's words.
             * @example full_soul
             */
            readonly scope: string;
            /** @description The regulator's own reference. */
            readonly auditReference: string;
        };
        readonly NewRegulatoryAudit: {
            readonly tokenId: number;
            /** @description The regulator's name. */
            readonly regulatoryBody: string;
            /**
             * @description The regulator's DID.
             * @example did:web:regulator.example
             */
            readonly regulatoryDid: string;
            /**
             * @description What is audited, in the regulator's words.
             * @example full_soul
             */
            readonly scope: string;
            /** @description The regulator's own reference. */
            readonly auditReference: string;
        };
        /** @description EIP-712 data, signed as it is by `eth_signTypedData_v4` and viem. ethers wants `types` without `EIP712Domain`. */
        readonly AllowanceTypedData: components["schemas"]["TypedData"] & {
            readonly permit?: components["schemas"]["TypedData"] & unknown;
        };
        readonly AllowanceLimits: {
            readonly tokenId: number;
            /**
             * @description Base units of the stablecoin, which has 6 decimals.
             * @example 2500000
             */
            readonly perTransaction: number;
            /**
             * @description Base units of the stablecoin, which has 6 decimals.
             * @example 2500000
             */
            readonly dailyLimit: number;
            /**
             * Format: date-time
             * @description The allowance's last second. Default: 90 days after the preparation.
             */
            readonly validUntil?: string;
            /**
             * @description What the stablecoin's approval of the vault should be at least. Where it is less, the owner signs a permit too, and sends no transaction. All agents of the owner share the approval.
             * @example 2500000
             */
            readonly approval?: number;
        };
        readonly AllowanceEndRequest: {
            readonly tokenId: number;
        };
        readonly EmergencyStopRequest: {
            readonly tokenId: number;
        };
        readonly Seal: {
            readonly tokenId: number;
            /** @description That the owner is a person, for an adapter that the human verifier registry has approved, in the adapter's own encoding. */
            readonly humanProof?: {
                /** @example 0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045 */
                readonly verifier: string;
                readonly data: string;
            };
            readonly worldIdProof?: components["schemas"]["WorldIdProof"];
        };
        readonly Readiness: {
            readonly ready: boolean;
            /** @description Every part the service needs, and why it is not ready. */
            readonly checks: {
                readonly [key: string]: {
                    readonly ready: boolean;
                    readonly reason?: string;
                };
            };
        };
        readonly CreatedWebhook: {
            /** Format: uuid */
            readonly webhookId: string;
            /** @description Shown only now, and again only to the same Idempotency-Key. */
            readonly secret: string;
            readonly message: string;
        };
        readonly Webhook: {
            /** Format: uuid */
            readonly webhookId: string;
            readonly tokenId: number | null;
            readonly url: string;
            readonly events: readonly ("owner.claimed" | "binding.created" | "binding.revoked" | "alignment.changed" | "freshness.requested" | "chronicle.recorded" | "embodiment.updated" | "passport.transferred" | "soul.resealed" | "soul.burned" | "disclosure.requested" | "disclosure.fulfilled" | "disclosure.expired" | "disclosure.revoked" | "audit.requested" | "webhook.failing" | "webhook.disabled")[];
            readonly notifyEmail: string | null;
            readonly enabled: boolean;
            /** @enum {string|null} */
            readonly disabledReason: "owner" | "failures" | null;
            /**
             * Format: date-time
             * @example 2026-01-31T12:00:00.000Z
             */
            readonly disabledAt: string;
            /**
             * Format: date-time
             * @example 2026-01-31T12:00:00.000Z
             */
            readonly createdAt: string;
        };
        readonly RotatedWebhook: {
            /** Format: uuid */
            readonly webhookId: string;
            /** @description Shown only now, and again only to the same Idempotency-Key. */
            readonly secret: string;
            /**
             * Format: date-time
             * @example 2026-01-31T12:00:00.000Z
             */
            readonly previousValidUntil: string;
            readonly message: string;
        };
        readonly WebhookDelivery: {
            /** Format: uuid */
            readonly deliveryId: string;
            /** @enum {string} */
            readonly event: "owner.claimed" | "binding.created" | "binding.revoked" | "alignment.changed" | "freshness.requested" | "chronicle.recorded" | "embodiment.updated" | "passport.transferred" | "soul.resealed" | "soul.burned" | "disclosure.requested" | "disclosure.fulfilled" | "disclosure.expired" | "disclosure.revoked" | "audit.requested" | "webhook.failing" | "webhook.disabled" | "webhook.test";
            /**
             * @description `paused`: it was pending when the webhook was disabled or the passport moved. `missed`: it happened while the webhook was disabled, or was paused for 7 days: recover sends it. `cancelled`: the webhook ended first, or the passport was away for 7 days.
             * @enum {string}
             */
            readonly status: "pending" | "delivered" | "failed" | "paused" | "missed" | "cancelled";
            /**
             * Format: date-time
             * @example 2026-01-31T12:00:00.000Z
             */
            readonly createdAt: string;
            /**
             * Format: date-time
             * @example 2026-01-31T12:00:00.000Z
             */
            readonly deliveredAt: string;
            /**
             * Format: date-time
             * @example 2026-01-31T12:00:00.000Z
             */
            readonly nextTryAt: string;
            readonly tries: readonly {
                readonly number: number;
                /**
                 * Format: date-time
                 * @example 2026-01-31T12:00:00.000Z
                 */
                readonly startedAt: string;
                readonly durationMs: number;
                readonly statusCode: number | null;
                /** @enum {string|null} */
                readonly error: "http_status" | "malformed_url" | "not_https" | "credentials_in_url" | "port_not_allowed" | "host_not_allowed" | "address_not_public" | "unresolvable" | "redirect" | "too_large" | "timeout" | "tls" | "connection" | "protocol" | null;
            }[];
        };
        readonly RecoveredWebhook: {
            /** Format: uuid */
            readonly webhookId: string;
            /** @description Events that were enqueued by this call. */
            readonly enqueued: number;
            /** @description Events of the range that are still to be recovered: call again. */
            readonly remaining: number;
        };
        readonly SignInChallenge: {
            readonly nonce: string;
            /** @description To be signed exactly as it is (EIP-191). */
            readonly message: string;
            /**
             * Format: date-time
             * @example 2026-01-31T12:00:00.000Z
             */
            readonly expiresAt: string;
        };
        readonly SignInToken: {
            /** @description HS256 JWT. */
            readonly accessToken: string;
            /** @enum {string} */
            readonly tokenType: "Bearer";
            /** @description Seconds. */
            readonly expiresIn: number;
            /**
             * @description 1: passport. 2: sealed soul. 3: human-verified.
             * @enum {integer}
             */
            readonly tier: 1 | 2 | 3;
            readonly profile: components["schemas"]["SignInProfile"];
            /** @description Granted scopes: the requested ones that the tier reaches, always with `identity`. */
            readonly scopes: readonly ("identity" | "profile" | "soul" | "chronicles" | "certs" | "services" | "human_verified" | "did" | "manage")[];
        };
        readonly SignInProfile: {
            /** @description ERC-8004 passport id; 0 is a real one. */
            readonly agentId: number;
            /** @description The soul's name while its sealer holds the passport, else `agent-<agentId>`. */
            readonly agentName: string;
            /** @example 0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045 */
            readonly holder: string;
            /** @description The same as agentId. */
            readonly erc8004AgentId: number;
            readonly chainId: number;
            /** @example did:svc:8453:aurora */
            readonly did: string;
            readonly humanVerified: boolean;
            /** @description Image of the registration file, https or ipfs. */
            readonly avatar: string | null;
            /** @description Of the registration file: the owner's own words, unverified. */
            readonly description: string | null;
            /** @description Certificate of the sealed soul; tier 2. */
            readonly tokenId?: number;
            /** @description Tier 2, in the wallet flow or with scope soul. Null: no score yet. */
            readonly soulAlignment?: number | null;
            readonly soulHash?: string;
            readonly genesisRecord?: {
                readonly tokenId: number;
                /** @enum {string} */
                readonly genesisStatus: "SEALED";
                readonly agentType: string;
                readonly epoch: number;
                /** @example 0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045 */
                readonly sealer: string;
                readonly soulHash: string;
                readonly soulMerkleRoot: string;
                /**
                 * Format: date-time
                 * @example 2026-01-31T12:00:00.000Z
                 */
                readonly sealedAt: string;
                readonly mintTxHash: string | null;
                readonly sealTxHash: string | null;
                readonly arweaveTxId: string | null;
            };
            readonly certs?: readonly {
                /** @example 0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045 */
                readonly contract: string;
                readonly tokenId: number;
            }[];
            /** @description Scope chronicles: the newest first, at most 50. */
            readonly chronicles?: readonly {
                readonly changeType: string;
                readonly newSoulHash: string | null;
                /**
                 * Format: date-time
                 * @example 2026-01-31T12:00:00.000Z
                 */
                readonly timestamp: string;
                readonly txHash: string;
                /** @enum {string} */
                readonly status: "confirmed";
            }[];
            /** @description Scope services: A2A, MCP and web endpoints, unverified. */
            readonly services?: readonly {
                readonly name: string;
                readonly endpoint: string;
                readonly version: string | null;
            }[];
            readonly bio?: string | null;
            readonly category?: string | null;
            readonly tags?: readonly string[];
            readonly contacts?: readonly {
                readonly type: string;
                readonly value: string;
            }[];
            /**
             * Format: date-time
             * @description Scope human_verified: when the owner was attested.
             * @example 2026-01-31T12:00:00.000Z
             */
            readonly verifiedAt?: string;
            readonly didDocument?: components["schemas"]["DidDocument"];
        };
        /** @description Scope did: a W3C DID document. */
        readonly DidDocument: {
            readonly "@context": readonly (string | {
                readonly [key: string]: string;
            })[];
            readonly id: string;
            readonly alsoKnownAs?: readonly string[];
            /** @description The owner's account; absent once the agent is burned. */
            readonly controller?: string;
            readonly verificationMethod: readonly ({
                readonly id: string;
                /** @enum {string} */
                readonly type: "EcdsaSecp256k1RecoveryMethod2020" | "Ed25519VerificationKey2020";
                /**
                 * @description The short name of the type.
                 * @enum {string}
                 */
                readonly keyType: "EcdsaSecp256k1" | "Ed25519";
                readonly controller: string;
                /** @description CAIP-10. */
                readonly blockchainAccountId: string;
                /** @description Of an Ed25519 key. */
                readonly publicKeyMultibase?: string;
                /** @description The owner's own words: untrusted text. */
                readonly label?: string;
            } | {
                readonly id: string;
                /** @enum {string} */
                readonly type: "JsonWebKey";
                readonly controller: string;
                /** @description The key's end. */
                readonly expires: string;
                /** @description As in `GET /v1/agents/{name}/jwks.json`. */
                readonly publicKeyJwk: {
                    readonly kid: string;
                    /** @enum {string} */
                    readonly kty: "EC" | "OKP";
                    /** @enum {string} */
                    readonly crv: "P-256" | "Ed25519";
                    readonly x: string;
                    readonly y?: string;
                    /** @enum {string} */
                    readonly use: "sig" | "enc";
                };
            })[];
            readonly authentication: readonly string[];
            readonly assertionMethod: readonly string[];
            readonly keyAgreement?: readonly string[];
            readonly service: readonly {
                readonly id: string;
                readonly type: string;
                /** @description http or https. */
                readonly serviceEndpoint: string;
            }[];
        };
        readonly Introspection: {
            /** @enum {boolean} */
            readonly active: true;
            /** @example 0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045 */
            readonly sub: string;
            readonly iss: string;
            /** @description Who may accept the token: the origin given as `audience`, else this service's domain, which is `iss`. Any other party must refuse it. */
            readonly aud: string;
            readonly exp: number;
            readonly iat: number;
            readonly jti: string;
            /** @enum {string} */
            readonly token_type: "Bearer";
            /** @description The scopes, separated by spaces (RFC 7662). */
            readonly scope: string;
            /**
             * @description 1: passport. 2: sealed soul. 3: human-verified.
             * @enum {integer}
             */
            readonly tier: 1 | 2 | 3;
            /** @description Granted scopes: the requested ones that the tier reaches, always with `identity`. */
            readonly scopes: readonly ("identity" | "profile" | "soul" | "chronicles" | "certs" | "services" | "human_verified" | "did" | "manage")[];
            readonly agentName: string;
            readonly erc8004AgentId: number;
            readonly chainId: number;
            readonly humanVerified: boolean;
            /**
             * @description Only with scope `manage`: whether it reaches the agent named here, or every agent that `sub` owns.
             * @enum {string}
             */
            readonly manages?: "agent" | "account";
        } | {
            /** @enum {boolean} */
            readonly active: false;
        };
        readonly KeyVerification: {
            /** @enum {boolean} */
            readonly valid: true;
            readonly agentName: string;
            readonly tokenId: number;
            /**
             * @description 1: passport. 2: sealed soul. 3: human-verified.
             * @enum {integer}
             */
            readonly tier: 1 | 2 | 3;
            readonly humanVerified: boolean;
            readonly erc8004AgentId: number;
        } | {
            /** @enum {boolean} */
            readonly valid: false;
        };
        readonly Sessions: {
            readonly tokenId: number;
            readonly sessions: readonly components["schemas"]["Session"][];
            /** Format: uuid */
            readonly nextCursor: string | null;
        };
        readonly Session: {
            /** Format: uuid */
            readonly sessionId: string;
            /** @description The passport that was signed in with. */
            readonly erc8004AgentId: number;
            /** @description Who accepts the token: a relying party, or this service. */
            readonly audience: string;
            readonly scopes: readonly ("identity" | "profile" | "soul" | "chronicles" | "certs" | "services" | "human_verified" | "did" | "manage")[];
            /**
             * @description Null: the token only identifies.
             * @enum {string|null}
             */
            readonly manages: "agent" | "account" | null;
            /**
             * Format: date-time
             * @example 2026-01-31T12:00:00.000Z
             */
            readonly createdAt: string;
            /**
             * Format: date-time
             * @example 2026-01-31T12:00:00.000Z
             */
            readonly expiresAt: string;
            /**
             * Format: date-time
             * @description To the minute; null before the first use.
             * @example 2026-01-31T12:00:00.000Z
             */
            readonly lastUsedAt: string;
            /** @description Whether it is the session of this request. */
            readonly current: boolean;
        };
        readonly RotatedKey: {
            readonly tokenId: number;
            /** Format: uuid */
            readonly keyId: string;
            /** @description Shown once, and again only to the same Idempotency-Key. */
            readonly apiKey: string;
            /**
             * Format: date-time
             * @example 2026-01-31T12:00:00.000Z
             */
            readonly previousKeysValidUntil: string;
            /** @description The keys that this rotation ends at `previousKeysValidUntil`, and a provisional one, which ends at once. */
            readonly endedKeys: readonly components["schemas"]["ApiKey"][];
        };
        readonly ApiKey: {
            /** Format: uuid */
            readonly keyId: string;
            /** @enum {string} */
            readonly kind: "full" | "provisional";
            /**
             * @description Who was given the key: the owner, at the claim or by a rotation, or the agent.
             * @enum {string}
             */
            readonly holder: "owner" | "agent";
            /**
             * @description How the key begins and ends, to recognise it by.
             * @example svc_live_…Q3xk
             */
            readonly hint: string;
            /** @description Seal epoch that the key belongs to. */
            readonly epoch: number;
            /**
             * Format: date-time
             * @example 2026-01-31T12:00:00.000Z
             */
            readonly createdAt: string;
            /**
             * Format: date-time
             * @description When the key ends or ended; null while it has no end.
             * @example 2026-01-31T12:00:00.000Z
             */
            readonly revokedAt: string;
            /**
             * Format: date-time
             * @description When the key was last accepted, to the minute; null before the first use.
             * @example 2026-01-31T12:00:00.000Z
             */
            readonly lastUsedAt: string;
            /**
             * Format: date-time
             * @description When the agent exchanged this provisional key for a full one.
             * @example 2026-01-31T12:00:00.000Z
             */
            readonly exchangedAt: string;
        };
        readonly ExchangedKey: {
            readonly tokenId: number;
            readonly agentName: string;
            readonly erc8004AgentId: number;
            readonly registrationId: string;
            /** Format: uuid */
            readonly keyId: string;
            /** @description Shown once, and again only to the same Idempotency-Key. */
            readonly apiKey: string;
        };
        readonly ApiKeys: {
            readonly tokenId: number;
            readonly keys: readonly components["schemas"]["ApiKey"][];
            /** Format: uuid */
            readonly nextCursor: string | null;
        };
        readonly RegistrationFileUpdated: {
            readonly agentId: number;
            /** @description `ar://<id>`, as on chain. */
            readonly agentURI: string;
            /** @description Members of the file that are others than before. */
            readonly updatedFields: readonly string[];
            readonly erc8004TxHash: string;
        };
        readonly SignedRegistrationFileUpdate: {
            readonly tokenId?: number;
            /** @description Each replaces the entry of the same name (case ignored), or is appended. `Svc`, `Svc-API` and `DID` are written by the service. */
            readonly services?: readonly {
                /** @example MCP */
                readonly name: string;
                /** @example https://agent.example/mcp */
                readonly endpoint: string;
                readonly version?: string;
            }[];
            /** @description Names of entries to take away. */
            readonly removeServices?: readonly string[];
            readonly x402Support?: boolean;
            /** @description Of `message`, by `signer`. */
            readonly signature: string;
            /**
             * @description The passport's owner.
             * @example 0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045
             */
            readonly signer: string;
            readonly message: components["schemas"]["SetAgentURIMessage"];
        };
        readonly SetAgentURIMessage: {
            readonly tokenId: string;
            readonly epoch: number;
            readonly version: number;
            readonly previousURIHash: string;
            readonly agentURI: string;
            readonly nonce: string;
            readonly deadline: string;
        };
        readonly AgentUriUpdated: {
            /** @enum {boolean} */
            readonly success: true;
            readonly erc8004AgentId: number;
            readonly newAgentUri: {
                readonly url: string;
                readonly arUri: string;
                readonly txId: string;
            };
            readonly transaction: components["schemas"]["OwnerTransaction"];
            readonly updated: {
                readonly x402Support: boolean;
                readonly services: boolean;
                readonly description: boolean;
                readonly imageUrl: boolean;
            };
        };
        readonly OwnerTransaction: {
            readonly chainId: number;
            readonly to: string;
            readonly functionName: string;
            /** @description Integers as decimal strings. */
            readonly args: readonly (string | readonly string[])[];
            readonly data: string;
            /** @enum {string} */
            readonly value: "0";
            readonly description: string;
        };
        readonly SignedAgentUriUpdate: {
            readonly erc8004AgentId: number;
            /** @description Each replaces the entry of the same name (case ignored), or is appended. `Svc`, `Svc-API` and `DID` are written by the service. */
            readonly services?: readonly {
                /** @example MCP */
                readonly name: string;
                /** @example https://agent.example/mcp */
                readonly endpoint: string;
                readonly version?: string;
            }[];
            /** @description Names of entries to take away. */
            readonly removeServices?: readonly string[];
            readonly x402Support?: boolean;
            readonly description?: string;
            /** Format: uri */
            readonly imageUrl?: string;
            /** @description Of `message`, by `signer`. */
            readonly signature: string;
            /**
             * @description The passport's owner.
             * @example 0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045
             */
            readonly signer: string;
            readonly message: components["schemas"]["AgentUriUpdateMessage"];
        };
        readonly AgentUriUpdateMessage: {
            readonly agentId: string;
            readonly previousURIHash: string;
            readonly agentURI: string;
            readonly nonce: string;
            readonly deadline: string;
        };
        readonly RegistrationStatus: {
            /** @enum {string} */
            readonly status: "pending_owner_claim";
            readonly tokenId: null;
        } | {
            /**
             * @description It was not claimed in time.
             * @enum {string}
             */
            readonly status: "deleted";
            readonly tokenId: null;
        } | {
            /** @enum {string} */
            readonly status: "claimed";
            readonly tokenId: number;
            readonly agentName: string;
            /** @example 0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045 */
            readonly ownerAddress: string;
        };
        readonly AgentChallenge: {
            readonly challengeId: string;
            /** @enum {string} */
            readonly type: "sha256";
            readonly question: string;
            /** @description True: the name is reserved for this challenge until `expiresAt`. */
            readonly nameAvailable: boolean;
            /**
             * Format: date-time
             * @example 2026-01-31T12:00:00.000Z
             */
            readonly expiresAt: string;
        };
        readonly RegisteredAgent: {
            readonly tokenId: number;
            readonly erc8004AgentId: number;
            readonly agentName: string;
            readonly did: string;
            readonly profileUrl: string;
            readonly erc8004Url: string;
            readonly soulHash: string;
            readonly soulMerkleRoot: string;
            readonly arweaveTxId: string;
            /** @enum {string} */
            readonly genesisStatus: "SEALED" | "PROVISIONAL";
            /** @description Shown once, and again only to the same Idempotency-Key. */
            readonly apiKey: string;
            readonly mintTxHash: string;
            readonly documentUploadUrls: readonly {
                readonly id: string;
                readonly uploadUrl: string;
                /**
                 * Format: date-time
                 * @example 2026-01-31T12:00:00.000Z
                 */
                readonly expiresAt: string;
            }[];
            /** @description The registration file that names the agent's ids; of a passport that was bound, the one that its owner signed. */
            readonly updatedAgentUriUrl: string;
            /** @description True when the passport does not point at the file of `updatedAgentUriUrl`, and its owner should send `agentUriTransaction`: another registration came between, or the approval on a bound passport was taken back. */
            readonly needsAgentUriUpdate: boolean;
            readonly agentUriTransaction: components["schemas"]["UnsignedTransaction"];
            /** @description Metadata that could not be written, because the passport writer was not approved on the passport any more. */
            readonly pendingMetadata: readonly components["schemas"]["PendingMetadata"][];
            readonly approvalTransaction: components["schemas"]["UnsignedTransaction"] & unknown;
            readonly agentWallet: components["schemas"]["AgentWallet"];
        };
        /** @description Points the passport at that file; null when it points there. */
        readonly UnsignedTransaction: {
            readonly chainId: number;
            readonly to: string;
            readonly data: string;
            /** @enum {string} */
            readonly value: "0";
        } | null;
        readonly PendingMetadata: {
            readonly key: string;
            readonly value: string;
            readonly transaction: components["schemas"]["UnsignedTransaction"] & unknown;
        };
        /** @description How the owner sets the wallet that the agent is paid at; null for a passport that was bound, which keeps its own. */
        readonly AgentWallet: {
            /** @description `getAgentWallet` of the identity registry: empty after the registration. Payers find no wallet until the owner sets one. */
            readonly address: null;
            /** @description `newWallet` (the operator, else the owner) signs it. Any other wallet may be put in. */
            readonly typedData: {
                readonly domain: {
                    readonly name: string;
                    readonly version: string;
                    readonly chainId: number;
                    readonly verifyingContract: string;
                };
                readonly types: {
                    readonly [key: string]: readonly {
                        readonly name: string;
                        readonly type: string;
                    }[];
                };
                readonly primaryType: string;
                readonly message: {
                    readonly agentId: string;
                    readonly newWallet: string;
                    readonly owner: string;
                    /** @description At most 5 minutes ahead: set it anew when it has passed. */
                    readonly deadline: string;
                };
            };
            /** @description The owner sends it before the deadline, with the signature as the fourth argument. */
            readonly transaction: {
                readonly chainId: number;
                readonly to: string;
                /** @enum {string} */
                readonly functionName: "setAgentWallet(uint256,address,uint256,bytes)";
                readonly args: readonly string[];
                /** @enum {string} */
                readonly value: "0";
            };
        } | null;
        readonly AgentRegistered: {
            readonly registrationId: string;
            readonly agentName: string;
            /** @enum {string} */
            readonly status: "pending_owner_claim";
            readonly profileUrl: string;
            /** @description For the owner alone: any holder sees the draft, and may claim. */
            readonly claimUrl: string;
            /** @description Provisional, shown once. */
            readonly apiKey: string;
            /** @description A placeholder text until the claim. */
            readonly soulHash: string;
            readonly message: string;
            /**
             * Format: date-time
             * @example 2026-01-31T12:00:00.000Z
             */
            readonly claimExpiresAt: string;
            readonly provisionalLimits: {
                readonly note: string;
                readonly canRead: boolean;
                readonly canPost: boolean;
                readonly canDisclose: boolean;
                readonly canBind: boolean;
            };
        };
        readonly OwnerRegistration: {
            /** @example aurora */
            readonly agentName: string;
            /** @example assistant */
            readonly agentType?: string;
            /** @description The passport to bind: the signer's own, with the passport writer approved on it. 0 is a passport. Absent or null: a new one is registered. */
            readonly erc8004AgentId?: number;
            readonly soulHash: string;
            readonly soulSalt: string;
            readonly soulMerkleRoot: string;
            /** @description The leaves in index order: all twelve, or the first eleven, as `POST /v1/tools/normalise` returns them. The leaf of `soul.documents` is then computed from `soulDocuments`. */
            readonly merkleLeaves: readonly {
                readonly index: number;
                /** @enum {string} */
                readonly field: "identity.name" | "identity.agent_type" | "identity.description" | "soul.purpose" | "soul.personality" | "soul.constraints" | "soul.guidelines" | "capabilities.skills" | "capabilities.tools" | "capabilities.languages" | "capabilities.models" | "soul.documents";
                readonly hash: string;
            }[];
            /** @description Values to publish, by field; each must match its leaf. */
            readonly publicFields?: Record<string, unknown>;
            readonly publicIdentity?: components["schemas"]["PublicIdentity"];
            /** @description Checked against the leaf `soul.documents`; the contents are uploaded afterwards. */
            readonly soulDocuments?: readonly components["schemas"]["DeclaredDocument"][];
            readonly sourceFormat?: string;
            /** @description Checked for form only, and never kept: it is not salted. */
            readonly sourceHash?: string;
            /** @example 0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045 */
            readonly ownerAddress: string;
            /** @example 0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045 */
            readonly operatorAddress?: string;
            /** @description 0 or absent: none. */
            readonly parentTokenId?: number;
            /** @description 0 or absent: independent. */
            readonly organizationId?: number;
            /**
             * @deprecated
             * @description Former name of `organizationId`.
             */
            readonly fleetId?: number;
            readonly worldIdProof?: components["schemas"]["WorldIdProof"];
            readonly message: components["schemas"]["RegistrationMessage"];
            readonly signature: string;
            /** @example 0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045 */
            readonly signer: string;
            readonly adminSignature?: components["schemas"]["AdminSignature"];
            /**
             * @description Absent. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            readonly step: "OwnerRegistration";
        };
        readonly RegistrationMessage: {
            readonly name: string;
            readonly agentType: number;
            /** @example 0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045 */
            readonly owner: string;
            /** @example 0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045 */
            readonly operator: string;
            readonly soulHash: string;
            readonly soulMerkleRoot: string;
            readonly contentHash: string;
            readonly bindPassport: boolean;
            readonly passportId: string;
            readonly agentURI: string;
            readonly parentTokenId: string;
            readonly organizationId: string;
            readonly seal: boolean;
            /** @example 0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045 */
            readonly humanVerifier: string;
            readonly humanProofHash: string;
            readonly nonce: string;
            readonly deadline: string;
        };
        /** @description EIP-712 type `Admit` of the organization registry, over the digest of the signed registration. */
        readonly AdminSignature: {
            readonly message: {
                readonly registrationDigest: string;
                readonly organizationId: string;
                readonly nonce: string;
                readonly deadline: string;
            };
            readonly signature: string;
        };
        readonly AgentChallengeStep: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            readonly step: "challenge";
            /** @example aurora */
            readonly agentName: string;
        };
        readonly AgentRegisterStep: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            readonly step: "register";
            /** Format: uuid */
            readonly challengeId: string;
            readonly challengeAnswer: string;
            /** @example aurora */
            readonly agentName: string;
            /** @example assistant */
            readonly agentType: string;
            /** @description Hashed in memory and discarded. A name or type that it states must be `agentName` (or another writing of it) and `agentType`: otherwise 422 HASH_MISMATCH, whose `details.field` is `identity.name` or `identity.agent_type`. */
            readonly systemPrompt: string;
            /**
             * @default plaintext
             * @enum {string}
             */
            readonly sourceFormat?: "plaintext" | "soul_md" | "ccsf_yaml" | "ccsf_json" | "a2a_agent_card" | "character_json";
            /** @description Fields of the soul whose values are published with the claim. */
            readonly publicFields?: readonly ("identity.name" | "identity.agent_type" | "identity.description" | "soul.purpose" | "soul.personality" | "soul.constraints" | "soul.guidelines" | "capabilities.skills" | "capabilities.tools" | "capabilities.languages" | "capabilities.models" | "soul.documents")[];
            readonly publicIdentity?: components["schemas"]["PublicIdentity"];
            /** @description Public; also the soul's `identity.description`. */
            readonly agentDescription?: string;
            /** Format: uri */
            readonly agentAvatar?: string;
            readonly services?: readonly {
                readonly type: string;
                /** Format: uri */
                readonly url: string;
            }[];
            readonly personalityDocument?: components["schemas"]["PersonalityDocument"];
            readonly birthBundle?: components["schemas"]["BirthBundle"];
            /** @description Absent or null: a new passport is registered with the claim. */
            readonly erc8004AgentId?: number;
            readonly erc8004ChainId?: number | null;
        };
        /** @description Public from the claim on. */
        readonly PersonalityDocument: {
            readonly title: string;
            readonly content: string;
            readonly immutable?: boolean;
        };
        readonly BirthBundle: {
            readonly note?: string;
            readonly creatorName?: string;
            /** Format: uri */
            readonly creatorImageUrl?: string;
        };
        readonly ClaimDraft: {
            readonly registrationId: string;
            /** @enum {string} */
            readonly status: "pending_owner_claim" | "claimed";
            readonly agentName: string;
            readonly profileUrl: string;
            /**
             * Format: date-time
             * @example 2026-01-31T12:00:00.000Z
             */
            readonly createdAt: string;
            /**
             * Format: date-time
             * @example 2026-01-31T12:00:00.000Z
             */
            readonly claimExpiresAt: string;
            readonly tokenId: number | null;
            readonly ownerAddress: string | null;
            /** @description The public part of the agent's registration; null once claimed. */
            readonly draft: {
                /** @enum {string} */
                readonly agentType: "assistant" | "companion" | "specialist" | "creative" | "other";
                readonly sourceFormat: string;
                readonly agentDescription: string | null;
                readonly publicIdentity: components["schemas"]["PublicIdentity"];
                readonly publicFields: {
                    readonly [key: string]: unknown;
                };
                readonly birthBundle: {
                    readonly note: string;
                    readonly creatorName: string;
                    readonly creatorImageUrl: string;
                } | null;
                readonly personalityDocument: {
                    readonly id: string;
                    readonly title: string;
                    readonly content: string;
                    readonly contentHash: string;
                    readonly immutable: boolean;
                } | null;
                readonly erc8004AgentId: number | null;
            } | null;
        };
        readonly Claimed: {
            /** @enum {boolean} */
            readonly success: true;
            readonly tokenId: number;
            readonly agentName: string;
            readonly did: string;
            readonly ownerAddress: string;
            readonly profileUrl: string;
            readonly txHash: string;
            readonly arweaveTxId: string;
            readonly soulHash: string;
            readonly soulMerkleRoot: string;
            /** @enum {string} */
            readonly genesisStatus: "SEALED" | "PROVISIONAL";
            readonly message: string;
            readonly erc8004AgentId: number;
            /** @description The id of the passport's file on permanent storage; null when the passport points elsewhere. */
            readonly agentUriArweaveTxId: string | null;
            /** @description The file that names the agent's ids; of a passport that was bound, the one that its owner signed. */
            readonly newAgentUriUrl: string;
            readonly newAgentUriTxId: string;
            readonly needsAgentUriUpdate: boolean;
            readonly agentUriTransaction: components["schemas"]["UnsignedTransaction"] & unknown;
            /** @description Metadata that could not be written, because the passport writer was not approved on the passport any more. */
            readonly pendingMetadata: readonly components["schemas"]["PendingMetadata"][];
            readonly approvalTransaction: components["schemas"]["UnsignedTransaction"] & unknown;
            readonly agentWallet: components["schemas"]["AgentWallet"] & unknown;
            /** @description Shown once. Without it no field of the soul can ever be proven. */
            readonly soulSalt: string;
            readonly merkleLeaves: readonly {
                readonly index: number;
                readonly field: string;
                readonly hash: string;
            }[];
            /** @description Full key, shown once, and again only to the same Idempotency-Key. */
            readonly apiKey: string;
            /** @description Whether the agent has a key: its provisional key, which it may exchange for a full one, or that full key. False when the owner decided so, and when a rotation has ended the key. */
            readonly agentKeeps: boolean;
        };
        readonly Claim: {
            readonly registrationId: string;
            /** @example 0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045 */
            readonly ownerAddress: string;
            readonly editedData?: components["schemas"]["ClaimEdits"];
            /** @description Default true. False mints, and leaves the soul to be sealed by another signature. */
            readonly seal?: boolean;
            /** @description Default true: within seven days after the claim the agent can exchange its provisional key for a full key of its own. False ends the provisional key with the claim. */
            readonly agentKeeps?: boolean;
            /** @description The same as `agentKeeps`. */
            readonly agentKey?: boolean;
            readonly nonce: string;
            readonly signature: string;
        };
        readonly AgentProfile: {
            readonly agentName: string;
            /** @description Null before claim. */
            readonly tokenId: number | null;
            readonly did: string;
            /** @enum {string} */
            readonly agentType: "assistant" | "companion" | "specialist" | "creative" | "other";
            /** @enum {string} */
            readonly genesisStatus: "SEALED" | "PROVISIONAL" | "BURNED";
            readonly soulHash: string;
            readonly soulMerkleRoot: string;
            /** @description The soul that sealed this soul hash or Merkle root first, also when it is burned by now. Null when no other soul did. A soul with a `duplicateOf` may be a copy: its owner may never have known the private text. */
            readonly duplicateOf: {
                readonly tokenId: number;
                readonly agentName: string;
                /** @enum {string} */
                readonly genesisStatus: "SEALED" | "PROVISIONAL" | "BURNED";
                /**
                 * Format: date-time
                 * @description When it had the hash or root first.
                 * @example 2026-01-31T12:00:00.000Z
                 */
                readonly sealedAt: string;
            } | null;
            /** @description Whole, truncated or null, as the agent's display settings have it. */
            readonly owner: string | null;
            /** @description Whole, truncated or null, as the agent's display settings have it. */
            readonly operator: string | null;
            readonly operatorLabel: string | null;
            /** @description 0: none. */
            readonly parentTokenId: number;
            /** @description Of a burned agent: the one that it was reincarnated in. Null for none. */
            readonly successorTokenId: number | null;
            /** @description 0: independent. */
            readonly organizationId: number;
            /**
             * Format: date-time
             * @example 2026-01-31T12:00:00.000Z
             */
            readonly mintTimestamp: string;
            /**
             * Format: date-time
             * @example 2026-01-31T12:00:00.000Z
             */
            readonly sealedAt: string;
            /** @description Null before claim. */
            readonly erc8004AgentId: number | null;
            /** @description Where the agent takes payments: `agentWallet` of its passport, as last indexed. Null until the passport's owner sets it; every transfer clears it. Read `getAgentWallet` of the identity registry before paying. */
            readonly agentWallet: string | null;
            readonly erc8004Url: string | null;
            readonly soulValidity: {
                /** @enum {string} */
                readonly status: "valid" | "suspended" | "not_linked";
                readonly passportOwnerMatch: boolean;
                /**
                 * Format: date-time
                 * @example 2026-01-31T12:00:00.000Z
                 */
                readonly lastChecked: string;
            };
            readonly soulAlignment: {
                readonly score: number | null;
                /**
                 * Format: date-time
                 * @example 2026-01-31T12:00:00.000Z
                 */
                readonly lastSnapshot: string;
            };
            readonly activity: {
                readonly tasksCompleted: number;
                readonly lifetimeEarned: string;
                readonly currency: string;
                readonly agentBindings: number;
                /**
                 * Format: date-time
                 * @example 2026-01-31T12:00:00.000Z
                 */
                readonly lastActive: string;
            };
            readonly chainAddresses: readonly {
                readonly chain: string;
                readonly address: string;
                readonly label: string;
            }[];
            readonly disclosedFields: {
                readonly [key: string]: {
                    readonly count: number;
                    readonly disclosed: boolean;
                    readonly value: readonly unknown[];
                    readonly verified: boolean;
                } | {
                    readonly value?: unknown;
                    readonly verified: boolean;
                };
            };
            readonly arweaveTxId: string | null;
            readonly arweaveUrl: string | null;
            readonly avatarUrl: string | null;
            /** @description What the owner has people call the agent. Not unique and not verified: identify agents by `agentName`. */
            readonly displayName: string | null;
            readonly birthBundle: {
                readonly note: string;
                readonly creatorName: string;
                readonly creatorImageUrl: string;
            } | null;
            readonly publicIdentity: components["schemas"]["DeclaredIdentity"];
            readonly profileUrl: string;
        };
        /** @description The owner's public statements about the agent. They are not verified. */
        readonly DeclaredIdentity: {
            readonly bio: string | null;
            readonly category: string | null;
            readonly tags: readonly string[];
            readonly modelFamily: string | null;
            readonly contacts: readonly {
                readonly type: string;
                readonly value: string;
            }[];
        } | null;
        readonly AgentStatus: {
            readonly agentName: string;
            /** @description Null before claim. */
            readonly tokenId: number | null;
            /** @enum {string} */
            readonly genesisStatus: "SEALED" | "PROVISIONAL" | "BURNED";
            readonly soulAlignment: number | null;
            /**
             * Format: date-time
             * @example 2026-01-31T12:00:00.000Z
             */
            readonly lastSnapshot: string;
            /** @description Not burned. */
            readonly alive: boolean;
            readonly trustworthy: boolean;
        };
        readonly UpdatedIdentity: {
            readonly tokenId: number;
            readonly agentName: string;
            readonly publicIdentity: components["schemas"]["DeclaredIdentity"];
            /**
             * Format: date-time
             * @example 2026-01-31T12:00:00.000Z
             */
            readonly updatedAt: string;
        };
        readonly PublicIdentityBody: {
            readonly tokenId: number;
            readonly publicIdentity: {
                readonly bio?: string;
                /** @enum {string} */
                readonly category?: "technology" | "commerce" | "knowledge" | "wellness" | "creation" | "communication" | "entertainment" | "relationship" | "other";
                readonly tags?: readonly string[];
                readonly modelFamily?: string;
                readonly contacts?: readonly {
                    /** @enum {string} */
                    readonly type: "website" | "x" | "github" | "discord" | "did" | "a2a" | "mcp" | "neural";
                    readonly value: string;
                }[];
            };
        };
        readonly DisplaySettings: {
            readonly tokenId: number;
            readonly agentName: string;
            readonly displaySettings: {
                /** @enum {string} */
                readonly ownerAddress: "full" | "truncated" | "hidden";
                /** @enum {string} */
                readonly operatorAddress: "full" | "truncated" | "hidden";
                readonly operatorLabel: string;
                readonly showWalletBalances: boolean;
                readonly showTransactionCount: boolean;
            };
            /**
             * Format: date-time
             * @description Null while never set.
             * @example 2026-01-31T12:00:00.000Z
             */
            readonly updatedAt: string;
        };
        readonly DisplayBody: {
            /** @description What is left out stays as it is. */
            readonly displaySettings: {
                /** @enum {string} */
                readonly ownerAddress?: "full" | "truncated" | "hidden";
                /** @enum {string} */
                readonly operatorAddress?: "full" | "truncated" | "hidden";
                readonly operatorLabel?: string;
                readonly showWalletBalances?: boolean;
                readonly showTransactionCount?: boolean;
            };
        };
        readonly SoulValidity: {
            readonly tokenId: number;
            readonly erc8004AgentId: number;
            readonly valid: boolean;
            /** @description Null before the seal. */
            readonly sealedBy: string | null;
            readonly currentPassportOwner: string | null;
            /**
             * Format: date-time
             * @example 2026-01-31T12:00:00.000Z
             */
            readonly sealTimestamp: string;
            /** @description Why it is not valid. */
            readonly message?: string;
        };
        readonly AgentPage: {
            readonly agents: readonly components["schemas"]["ListedAgent"][];
            /** @description Null on the last page. */
            readonly nextCursor: string | null;
        };
        readonly ListedAgent: {
            readonly agentName: string;
            readonly tokenId: number;
            readonly did: string;
            /** @enum {string} */
            readonly agentType: "assistant" | "companion" | "specialist" | "creative" | "other";
            /** @enum {string} */
            readonly genesisStatus: "SEALED" | "PROVISIONAL" | "BURNED";
            /** @enum {string} */
            readonly soulValidity: "valid" | "suspended" | "not_linked";
            readonly owner: string;
            readonly operator: string;
            readonly erc8004AgentId: number;
            /** @description 0: independent. */
            readonly organizationId: number;
            /**
             * Format: date-time
             * @example 2026-01-31T12:00:00.000Z
             */
            readonly mintTimestamp: string;
            readonly profileUrl: string;
        };
        readonly UploadedDocument: {
            readonly documentId: string;
            readonly tokenId: number;
            readonly version: number;
            readonly contentHash: string;
            /** @enum {boolean} */
            readonly hashVerified: true;
            readonly arweaveTxId: string;
            readonly arweaveUrl: string;
            readonly immutable: boolean;
            /**
             * Format: date-time
             * @example 2026-01-31T12:00:00.000Z
             */
            readonly uploadedAt: string;
        };
        readonly DocumentUploadUrl: {
            readonly documentId: string;
            readonly uploadUrl: string;
            /**
             * Format: date-time
             * @example 2026-01-31T12:00:00.000Z
             */
            readonly expiresAt: string;
        };
        readonly DocumentUploadRequest: {
            readonly tokenId: number;
            /** @example manifesto */
            readonly documentId: string;
            /** @description SHA-256 of the content that will be uploaded. */
            readonly contentHash: string;
            /** @description Required when the chronicle does not have it. */
            readonly title?: string;
            readonly type?: string;
            /** @enum {string} */
            readonly format?: "markdown" | "md" | "text/markdown" | "plaintext" | "text" | "txt" | "text/plain" | "json" | "application/json" | "yaml" | "yml" | "application/yaml" | "csv" | "text/csv" | "pdf" | "application/pdf";
            /** @description True: immutable. It cannot be taken back. */
            readonly immutable?: boolean;
        };
        readonly SoulDocuments: {
            readonly agentName: string;
            readonly tokenId: number;
            readonly documents: readonly {
                readonly id: string;
                readonly type: string;
                readonly title: string;
                readonly format: string;
                readonly immutable: boolean;
                /** @description An immutable version was replaced. Stays true for ever. */
                readonly immutabilityBroken: boolean;
                readonly version: number;
                readonly contentHash: string;
                /** @description Null before the upload. */
                readonly arweaveTxId: string | null;
                readonly arweaveUrl: string | null;
                /**
                 * Format: date-time
                 * @example 2026-01-31T12:00:00.000Z
                 */
                readonly uploadedAt: string;
                readonly previousVersions: readonly {
                    readonly version: number;
                    readonly contentHash: string;
                    /** @description Null before the upload. */
                    readonly arweaveTxId: string | null;
                    readonly arweaveUrl: string | null;
                    /**
                     * Format: date-time
                     * @example 2026-01-31T12:00:00.000Z
                     */
                    readonly uploadedAt: string;
                    readonly breaksImmutability: boolean;
                }[];
                readonly merkleVerification: {
                    readonly leafIndex: number;
                    readonly inMerkleTree: boolean;
                    readonly note: string;
                };
            }[];
        };
        readonly OpenChronicleRequest: {
            readonly requestId: string;
            readonly tokenId: number;
            readonly agentName: string;
            readonly category: string;
            readonly changeType: string;
            readonly data: {
                readonly [key: string]: unknown;
            };
            readonly description: string | null;
            /**
             * Format: date-time
             * @example 2026-01-31T12:00:00.000Z
             */
            readonly createdAt: string;
            /**
             * Format: date-time
             * @example 2026-01-31T12:00:00.000Z
             */
            readonly expiresAt: string;
            /** @enum {string} */
            readonly status: "pending" | "submitted";
            readonly nonce: string;
            readonly eip712Data: components["schemas"]["TypedData"] & (Record<string, unknown> | null);
        };
        readonly RequestedChronicle: {
            readonly requestId: string;
            readonly signUrl: string;
            /**
             * Format: date-time
             * @example 2026-01-31T12:00:00.000Z
             */
            readonly expiresAt: string;
        };
        readonly ChronicleRequest: {
            readonly tokenId: number;
            /**
             * @description `soul_revision` and `operator_change` stand for category `technical` and that change type.
             * @enum {string}
             */
            readonly category: "technical" | "certification" | "achievement" | "experience" | "endorsement" | "document" | "other" | "soul_revision" | "operator_change";
            /** @description Public, and archived for ever. `changeType` says what happened (the category, when absent). A `soul_revision` needs `newSoulHash`, `newSoulMerkleRoot`, `newSoulSalt` (kept encrypted, never published) and `merkleLeaves`; an `operator_change` needs `operator`. */
            readonly data: Record<string, unknown>;
            readonly description?: string;
        };
        readonly ChronicleProof: {
            readonly chronicleId: number;
            readonly tokenId: number;
            readonly category: string;
            readonly changeType: string;
            readonly arweaveTxId: string;
            /**
             * Format: date-time
             * @example 2026-01-31T12:00:00.000Z
             */
            readonly timestamp: string;
            /** @example 12-3-1770000000000 */
            readonly queueId: string;
            /** @enum {string} */
            readonly status: "queued" | "batched" | "confirmed";
            /** @description The leaf. */
            readonly chronicleHash: string;
            /** @description SHA-256 of the archived record. */
            readonly contentHash: string;
            readonly chainId: number;
            readonly chronicleAnchor: string;
            readonly soulRegistry: string;
            /**
             * Format: date-time
             * @example 2026-01-31T12:00:00.000Z
             */
            readonly estimatedConfirmation?: string;
            readonly batchId?: number | null;
            readonly merkleProof?: readonly string[];
            readonly merkleRoot?: string;
            /** @description The archived list of the whole batch. */
            readonly leavesArweaveTxId?: string | null;
            readonly txHash?: string;
        };
        readonly RecordedChronicle: {
            readonly chronicleId: number;
            readonly tokenId: number;
            readonly category: string;
            readonly changeType: string;
            readonly arweaveTxId: string;
            /**
             * Format: date-time
             * @example 2026-01-31T12:00:00.000Z
             */
            readonly timestamp: string;
            /** @example 12-3-1770000000000 */
            readonly queueId: string;
            /** @enum {string} */
            readonly status: "queued" | "batched" | "confirmed";
            /** @description Of what was recorded on chain at once. */
            readonly txHash?: string;
            /**
             * Format: date-time
             * @example 2026-01-31T12:00:00.000Z
             */
            readonly estimatedConfirmation?: string;
            /** @description After a `soul_revision`: metadata of the passport that does not follow the new soul yet. */
            readonly pendingMetadata?: readonly components["schemas"]["PendingPassportMetadata"][];
            readonly approvalTransaction?: components["schemas"]["OwnerTransaction"] & (Record<string, unknown> | null);
            /** @description After a `soul_revision`: the passport points at a file about the soul before. */
            readonly needsAgentUriUpdate?: boolean;
            /** @description The owner's transaction that points the passport at its new file; null when there is nothing to do, or the file now cannot be read. */
            readonly agentUriTransaction?: {
                readonly chainId: number;
                readonly to: string;
                readonly functionName: string;
                /** @description Integers as decimal strings. */
                readonly args: readonly (string | readonly string[])[];
                readonly data: string;
                /** @enum {string} */
                readonly value: "0";
                readonly description: string;
            } | null;
        };
        readonly PendingPassportMetadata: {
            readonly key: string;
            readonly value: string;
            readonly transaction: components["schemas"]["OwnerTransaction"] & unknown;
        };
        readonly ChronicleBody: {
            readonly tokenId: number;
            /**
             * @description `soul_revision` and `operator_change` stand for category `technical` and that change type.
             * @enum {string}
             */
            readonly category: "technical" | "certification" | "achievement" | "experience" | "endorsement" | "document" | "other" | "soul_revision" | "operator_change";
            /** @description Public, and archived for ever. `changeType` says what happened (the category, when absent). A `soul_revision` needs `newSoulHash`, `newSoulMerkleRoot`, `newSoulSalt` (kept encrypted, never published) and `merkleLeaves`; an `operator_change` needs `operator`. */
            readonly data: Record<string, unknown>;
            readonly proof?: components["schemas"]["ChronicleProofOfOwner"];
            /** @description The request that this answers. */
            readonly requestId?: string;
            readonly signature?: string;
            readonly message?: components["schemas"]["RecordEvolutionMessage"];
            /** @example 0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045 */
            readonly signer?: string;
        };
        /** @description The owner's evidence as one object. It must be the same as `signature`, `message` and `signer` of the body. */
        readonly ChronicleProofOfOwner: {
            readonly signature: string;
            readonly message: components["schemas"]["RecordEvolutionMessage"];
            /** @example 0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045 */
            readonly signer: string;
        };
        readonly RecordEvolutionMessage: {
            readonly tokenId: string;
            readonly epoch: number;
            readonly version: number;
            readonly category: string;
            readonly changeType: string;
            readonly previousSoulHash: string;
            readonly newSoulHash: string;
            readonly newSoulMerkleRoot: string;
            readonly dataHash: string;
            /** @example 1500000 */
            readonly nonce: string;
            readonly deadline: string;
        };
        readonly ChronicleList: {
            /** @description Null before claim. */
            readonly tokenId: number | null;
            readonly chronicles: readonly {
                readonly chronicleId: number;
                readonly tokenId: number;
                readonly category: string;
                readonly changeType: string;
                readonly arweaveTxId: string;
                /**
                 * Format: date-time
                 * @example 2026-01-31T12:00:00.000Z
                 */
                readonly timestamp: string;
                /** @example 12-3-1770000000000 */
                readonly queueId: string;
                readonly newSoulHash: string;
                readonly arweaveUrl: string;
                /** @enum {string} */
                readonly status: "queued" | "batched" | "confirmed";
                readonly batchId: number | null;
                readonly txHash: string;
                readonly chronicleHash: string;
                readonly contentHash: string;
                readonly detail?: {
                    readonly data: {
                        readonly [key: string]: unknown;
                    };
                    /** @enum {string} */
                    readonly authority: "owner" | "session" | "api_key" | "service";
                    readonly signature: string | null;
                    readonly message: {
                        readonly [key: string]: unknown;
                    } | null;
                    readonly signer: string | null;
                };
            }[];
            readonly pagination: {
                readonly page: number;
                readonly limit: number;
                readonly total: number;
                readonly totalPages: number;
            };
        };
        readonly CreatedBinding: {
            readonly bindingId: string;
            readonly fromAgent: string;
            readonly toAgent: string;
            readonly fromTokenId: number;
            readonly toTokenId: number;
            /**
             * @example verified
             * @enum {string}
             */
            readonly trustLevel: "trusted" | "verified" | "limited" | "revoked";
            readonly context: string;
            /**
             * @description Who stands behind it. `OWNER`: the agent's owner, by signature. `SERVICE`: only this service, for a key or a session of the agent. Rely on `OWNER` alone.
             * @enum {string}
             */
            readonly authority: "SERVICE" | "OWNER";
            /**
             * Format: date-time
             * @description Since when this authority stands behind it.
             * @example 2026-01-31T12:00:00.000Z
             */
            readonly authoritySince: string;
            readonly txHash: string;
            /**
             * Format: date-time
             * @example 2026-01-31T12:00:00.000Z
             */
            readonly createdAt: string;
        };
        readonly NewBinding: {
            /** @description The agent that trusts. */
            readonly tokenId: number;
            /** @description The agent that is trusted. */
            readonly partnerTokenId: number;
            /**
             * @example verified
             * @enum {string}
             */
            readonly trustLevel: "trusted" | "verified" | "limited" | "revoked";
            /**
             * @description What for, in words: public, at most 1024 bytes of UTF-8.
             * @example Shares its bird counts.
             */
            readonly context: string;
            readonly message?: components["schemas"]["SetBindingMessage"];
            /** @description Of `message`, by `signer`. */
            readonly signature?: string;
            /**
             * @description The passport's owner.
             * @example 0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045
             */
            readonly signer?: string;
        };
        readonly SetBindingMessage: {
            readonly fromTokenId: string;
            readonly epoch: number;
            readonly toTokenId: string;
            readonly toEpoch: number;
            readonly trustLevel: number;
            readonly context: string;
            readonly version: number;
            readonly nonce: string;
            readonly deadline: string;
        };
        readonly UpdatedBinding: {
            readonly bindingId: string;
            readonly fromAgent: string;
            readonly toAgent: string;
            readonly fromTokenId: number;
            readonly toTokenId: number;
            /**
             * @example verified
             * @enum {string}
             */
            readonly trustLevel: "trusted" | "verified" | "limited" | "revoked";
            readonly context: string;
            /**
             * @description Who stands behind it. `OWNER`: the agent's owner, by signature. `SERVICE`: only this service, for a key or a session of the agent. Rely on `OWNER` alone.
             * @enum {string}
             */
            readonly authority: "SERVICE" | "OWNER";
            /**
             * Format: date-time
             * @description Since when this authority stands behind it.
             * @example 2026-01-31T12:00:00.000Z
             */
            readonly authoritySince: string;
            readonly txHash: string;
            /**
             * @example verified
             * @enum {string|null}
             */
            readonly previousTrustLevel: "trusted" | "verified" | "limited" | "revoked" | null;
            /**
             * Format: date-time
             * @example 2026-01-31T12:00:00.000Z
             */
            readonly createdAt: string;
            /**
             * Format: date-time
             * @example 2026-01-31T12:00:00.000Z
             */
            readonly updatedAt: string;
        };
        readonly BindingUpdate: {
            /** @description The agent that trusts. */
            readonly tokenId: number;
            /**
             * @example verified
             * @enum {string}
             */
            readonly trustLevel: "trusted" | "verified" | "limited" | "revoked";
            /**
             * @description Absent: it stays as it is.
             * @example Shares its bird counts.
             */
            readonly context?: string;
            readonly message?: components["schemas"]["SetBindingMessage"];
            /** @description Of `message`, by `signer`. */
            readonly signature?: string;
            /**
             * @description The passport's owner.
             * @example 0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045
             */
            readonly signer?: string;
        };
        readonly BindingList: {
            readonly agentName: string;
            /** @description Null before the claim. */
            readonly tokenId: number | null;
            /** @enum {string} */
            readonly genesisStatus: "SEALED" | "PROVISIONAL" | "BURNED";
            /** @description On all pages. */
            readonly totalBindings: number;
            readonly page: number;
            readonly limit: number;
            readonly bindings: readonly {
                readonly bindingId: string;
                readonly partnerAgent: string;
                readonly partnerTokenId: number;
                /**
                 * @example verified
                 * @enum {string}
                 */
                readonly trustLevel: "trusted" | "verified" | "limited" | "revoked";
                /** @enum {string} */
                readonly direction: "inbound" | "outbound";
                /** @description Words of the account that set it: untrusted text. */
                readonly context: string | null;
                /**
                 * @description Who stands behind it. `OWNER`: the agent's owner, by signature. `SERVICE`: only this service, for a key or a session of the agent. Rely on `OWNER` alone.
                 * @enum {string}
                 */
                readonly authority: "SERVICE" | "OWNER";
                /**
                 * Format: date-time
                 * @description Since when this authority stands behind it.
                 * @example 2026-01-31T12:00:00.000Z
                 */
                readonly authoritySince: string;
                /** @description Whether both seals are valid, in the epochs in which it was made. */
                readonly live: boolean;
                /**
                 * Format: date-time
                 * @example 2026-01-31T12:00:00.000Z
                 */
                readonly createdAt: string;
                /**
                 * Format: date-time
                 * @example 2026-01-31T12:00:00.000Z
                 */
                readonly updatedAt: string;
                /** @description Of its last change. */
                readonly txHash: string;
            }[];
        };
        readonly BindingHistory: {
            readonly bindingId: string;
            readonly fromAgent: string;
            readonly toAgent: string;
            readonly totalChanges: number;
            readonly page: number;
            readonly limit: number;
            readonly changes: readonly {
                /**
                 * @example verified
                 * @enum {string|null}
                 */
                readonly previousTrustLevel: "trusted" | "verified" | "limited" | "revoked" | null;
                /**
                 * @example verified
                 * @enum {string}
                 */
                readonly trustLevel: "trusted" | "verified" | "limited" | "revoked";
                /**
                 * @description Who stands behind it. `OWNER`: the agent's owner, by signature. `SERVICE`: only this service, for a key or a session of the agent. Rely on `OWNER` alone.
                 * @enum {string}
                 */
                readonly authority: "SERVICE" | "OWNER";
                /** @description The owner, or the service's account. */
                readonly setBy: string;
                /** @description Of the agent that trusts. */
                readonly epoch: number;
                /** @description Of the agent that is trusted. */
                readonly partnerEpoch: number;
                /** @description Words of the account that set it: untrusted text. */
                readonly context: string | null;
                /**
                 * Format: date-time
                 * @example 2026-01-31T12:00:00.000Z
                 */
                readonly changedAt: string;
                readonly txHash: string;
            }[];
        };
        readonly ResealedAgent: {
            readonly tokenId: number;
            readonly erc8004AgentId: number;
            readonly agentName: string;
            /** @description The seal epoch that began. */
            readonly epoch: number;
            readonly newSealedBy: string;
            readonly newSoulHash: string;
            readonly newArweaveTxId: string;
            readonly resealTxHash: string;
            /** @description The archive of the soul before, which stays; null when none is known. */
            readonly previousSoulArweave: string | null;
            readonly valid: boolean;
            readonly message: string;
            /** @description Shown once, and again only to the same Idempotency-Key; null to any other. */
            readonly apiKey: string | null;
            readonly ended: components["schemas"]["EndedGrants"];
            /** @description Of the registration file that was signed. */
            readonly agentURI: string;
            /** @description True when the passport points at another file: `agentUriTransaction` is left. */
            readonly needsAgentUriUpdate: boolean;
            readonly agentUriTransaction: components["schemas"]["OwnerTransaction"] & (Record<string, unknown> | null);
            /** @description Metadata of the passport that does not say what the soul is now. */
            readonly pendingMetadata: readonly components["schemas"]["PendingPassportMetadata"][];
            readonly approvalTransaction: components["schemas"]["OwnerTransaction"] & (Record<string, unknown> | null);
        };
        /** @description What was granted before, as last indexed when this was signed. All of it ended. */
        readonly EndedGrants: {
            /** @description The seal epoch that ended. */
            readonly epoch: number;
            readonly apiKeys: number;
            readonly webhooks: number;
            /** @description Null: its owner acted for it. */
            readonly operator: string | null;
            /** @description Whether the agent could spend from its owner's wallet. */
            readonly allowance: boolean;
            readonly organizationId: number | null;
            readonly bindings: {
                readonly outbound: number;
                readonly inbound: number;
            };
            /** @description Whether public keys were set. */
            readonly agentKeys: boolean;
            /** @description Whether addresses were listed in the DID document. */
            readonly didAddresses: boolean;
        };
        readonly SignedReseal: {
            readonly tokenId?: number;
            readonly newSoulHash: string;
            /** @description Kept encrypted, never published. */
            readonly newSoulSalt: string;
            readonly newSoulMerkleRoot: string;
            /** @description The leaves in index order: all twelve, or the first eleven, as `POST /v1/tools/normalise` returns them. The leaf of `soul.documents` is then computed from `soulDocuments`. */
            readonly merkleLeaves: readonly {
                readonly index: number;
                /** @enum {string} */
                readonly field: "identity.name" | "identity.agent_type" | "identity.description" | "soul.purpose" | "soul.personality" | "soul.constraints" | "soul.guidelines" | "capabilities.skills" | "capabilities.tools" | "capabilities.languages" | "capabilities.models" | "soul.documents";
                readonly hash: string;
            }[];
            /** @description Values to publish, by field; each must match its leaf. */
            readonly publicFields?: Record<string, unknown>;
            /**
             * @description The agent's own account from now on. Absent: its owner acts for it.
             * @example 0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045
             */
            readonly operatorAddress?: string;
            /** @description An archive of the new soul. Absent: the service makes and stores one. */
            readonly newArweaveTxId?: string;
            /** @description That the owner is a person, for an adapter that the human verifier registry has approved, in the adapter's own encoding. */
            readonly humanProof?: {
                /** @example 0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045 */
                readonly verifier: string;
                readonly data: string;
            };
            readonly worldIdProof?: components["schemas"]["WorldIdProof"];
            /** @description Of `message`, by `signer`. */
            readonly signature: string;
            /**
             * @description The passport's owner.
             * @example 0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045
             */
            readonly signer: string;
            readonly message: components["schemas"]["ResealMessage"];
        };
        readonly ResealMessage: {
            readonly tokenId: string;
            readonly epoch: number;
            readonly version: number;
            /** @example 0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045 */
            readonly newOwner: string;
            /** @example 0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045 */
            readonly operator: string;
            readonly observedBlock: string;
            readonly soulHash: string;
            readonly soulMerkleRoot: string;
            readonly contentHash: string;
            readonly agentURI: string;
            /** @example 0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045 */
            readonly humanVerifier: string;
            readonly humanProofHash: string;
            readonly nonce: string;
            readonly deadline: string;
        };
        readonly ReleasedAgent: {
            readonly tokenId: number;
            /** @description The passport, which is free again. */
            readonly erc8004AgentId: number;
            readonly agentName: string;
            /** @enum {string} */
            readonly status: "BURNED";
            readonly releasedBy: string;
            readonly releaseTxHash: string;
            readonly arweaveArchive: string | null;
            /**
             * Format: date-time
             * @example 2026-01-31T12:00:00.000Z
             */
            readonly releasedAt: string;
            readonly ended: components["schemas"]["EndedGrants"];
            /** @description What remains. */
            readonly note: string;
        };
        readonly SignedRelease: {
            readonly tokenId?: number;
            /** @description Of `message`, by `signer`. */
            readonly signature: string;
            /**
             * @description The passport's owner.
             * @example 0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045
             */
            readonly signer: string;
            readonly message: components["schemas"]["ReleaseMessage"];
        };
        readonly ReleaseMessage: {
            readonly tokenId: string;
            readonly epoch: number;
            readonly version: number;
            /** @example 0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045 */
            readonly newOwner: string;
            readonly observedBlock: string;
            readonly nonce: string;
            readonly deadline: string;
        };
        readonly BurnedAgent: {
            readonly tokenId: number;
            /** @description The passport, which is free again. */
            readonly erc8004AgentId: number;
            readonly agentName: string;
            /** @enum {string} */
            readonly status: "BURNED";
            readonly burnTxHash: string;
            /** @description The soul's last archive, which stays; null when none is known. */
            readonly arweaveArchive: string | null;
            /**
             * Format: date-time
             * @example 2026-01-31T12:00:00.000Z
             */
            readonly burnedAt: string;
            readonly ended: components["schemas"]["EndedGrants"];
            /** @description The stored registration file that says `active: false`; null when the present one could not be read. */
            readonly inactiveAgentURI: string | null;
            readonly agentUriTransaction: components["schemas"]["OwnerTransaction"] & (Record<string, unknown> | null);
            /** @description What remains. */
            readonly note: string;
        };
        readonly SignedBurn: {
            readonly tokenId?: number;
            /**
             * @description The owner's own words. Only their keccak256 goes on chain.
             * @example Its work is done.
             */
            readonly reason: string;
            /** @description Of `message`, by `signer`. */
            readonly signature: string;
            /**
             * @description The passport's owner.
             * @example 0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045
             */
            readonly signer: string;
            readonly message: components["schemas"]["BurnMessage"];
        };
        readonly BurnMessage: {
            readonly tokenId: string;
            readonly epoch: number;
            readonly version: number;
            readonly reasonHash: string;
            readonly nonce: string;
            readonly deadline: string;
        };
        readonly ReincarnatedAgent: {
            readonly tokenId: number;
            readonly erc8004AgentId: number;
            readonly agentName: string;
            readonly did: string;
            readonly profileUrl: string;
            readonly parentTokenId: number;
            readonly parentErc8004AgentId: number;
            readonly parentName: string;
            /** @description Whether the soul hash is the last one of the parent. */
            readonly soulContinuity: boolean;
            /** @description Whether the soul hash is the first one of the parent. */
            readonly soulHashMatch: boolean;
            /** @enum {string} */
            readonly genesisStatus: "SEALED" | "PROVISIONAL";
            readonly soulHash: string;
            readonly soulMerkleRoot: string;
            readonly arweaveTxId: string;
            readonly mintTxHash: string;
            /** @description The same transaction: it registers the passport and seals the soul. */
            readonly erc8004TxHash: string;
            /** @description Shown once, and again only to the same Idempotency-Key. */
            readonly apiKey: string;
            readonly documentUploadUrls: readonly {
                readonly id: string;
                readonly uploadUrl: string;
                /**
                 * Format: date-time
                 * @example 2026-01-31T12:00:00.000Z
                 */
                readonly expiresAt: string;
            }[];
        };
        readonly SignedReincarnation: {
            /** @description The soul that ended. */
            readonly parentTokenId: number;
            /** @example aurora */
            readonly newAgentName: string;
            /** @example assistant */
            readonly agentType?: string;
            readonly soulHash: string;
            readonly soulSalt: string;
            readonly soulMerkleRoot: string;
            /** @description The leaves in index order: all twelve, or the first eleven, as `POST /v1/tools/normalise` returns them. The leaf of `soul.documents` is then computed from `soulDocuments`. */
            readonly merkleLeaves: readonly {
                readonly index: number;
                /** @enum {string} */
                readonly field: "identity.name" | "identity.agent_type" | "identity.description" | "soul.purpose" | "soul.personality" | "soul.constraints" | "soul.guidelines" | "capabilities.skills" | "capabilities.tools" | "capabilities.languages" | "capabilities.models" | "soul.documents";
                readonly hash: string;
            }[];
            /** @description Values to publish, by field; each must match its leaf. */
            readonly publicFields?: Record<string, unknown>;
            readonly publicIdentity?: components["schemas"]["PublicIdentity"];
            /** @description Checked against the leaf `soul.documents`; the contents are uploaded afterwards. */
            readonly soulDocuments?: readonly components["schemas"]["DeclaredDocument"][];
            readonly sourceFormat?: string;
            /** @description Checked for form only, and never kept: it is not salted. */
            readonly sourceHash?: string;
            /** @example 0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045 */
            readonly ownerAddress: string;
            /** @example 0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045 */
            readonly operatorAddress?: string;
            readonly worldIdProof?: components["schemas"]["WorldIdProof"];
            readonly message: components["schemas"]["RegistrationMessage"];
            readonly signature: string;
            /** @example 0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045 */
            readonly signer: string;
        };
        readonly ValidatedAgent: {
            readonly agentId: number;
            /** @description Of the request that was answered. */
            readonly requestHash: string;
            /** @description 100: every check passed. 50: every check passed, but the archive did not answer. 0: a check failed, or the verification is suspended. */
            readonly response: 100 | 50 | 0;
            /** @enum {string} */
            readonly tag: "svc-soul-verified";
            readonly validationTxHash: string;
            /** Format: date-time */
            readonly validatedAt: string;
        };
        readonly SignedValidation: {
            readonly tokenId?: number;
            readonly message?: components["schemas"]["ValidateAgentMessage"];
            /** @description Of `message`, by `signer`. */
            readonly signature?: string;
            /**
             * @description The passport's owner.
             * @example 0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045
             */
            readonly signer?: string;
        };
        readonly ValidateAgentMessage: {
            readonly tokenId: string;
            readonly agentId: string;
            readonly nonce: string;
            readonly deadline: string;
        };
        readonly Verification: {
            readonly agentName: string;
            /** @description Null before claim. */
            readonly tokenId: number | null;
            readonly checks: {
                readonly soulHash: {
                    /** @enum {string} */
                    readonly status: "valid" | "invalid" | "pending";
                    readonly details: string;
                    readonly txHash: string;
                };
                readonly arweave: {
                    /** @enum {string} */
                    readonly status: "valid" | "invalid" | "pending";
                    readonly details: string;
                    readonly txId: string | null;
                };
                readonly baseTx: {
                    /** @enum {string} */
                    readonly status: "valid" | "invalid" | "pending";
                    readonly details: string;
                    readonly txHash: string;
                    /**
                     * Format: date-time
                     * @example 2026-01-31T12:00:00.000Z
                     */
                    readonly timestamp: string;
                };
                readonly sealed: {
                    /** @enum {string} */
                    readonly status: "sealed" | "provisional";
                    /**
                     * Format: date-time
                     * @example 2026-01-31T12:00:00.000Z
                     */
                    readonly timestamp: string;
                };
                readonly soulValidity: {
                    /** @enum {string} */
                    readonly status: "valid" | "suspended" | "not_linked";
                    readonly reason: string;
                };
                readonly passport: {
                    /** @enum {string} */
                    readonly status: "valid" | "invalid" | "pending";
                    readonly details: string;
                    /** @description Metadata of the passport that does not say what the soul is now. */
                    readonly pendingMetadata: readonly components["schemas"]["PendingPassportMetadata"][];
                    readonly approvalTransaction: components["schemas"]["OwnerTransaction"] & (Record<string, unknown> | null);
                    /** @description True when the passport points at a file that does not describe the current soul: `POST /v1/agent-uri/update` writes one and returns the owner's transaction. */
                    readonly needsAgentUriUpdate: boolean;
                };
            };
            /** @enum {string} */
            readonly overallStatus: "verified" | "partial" | "failed";
            /** @description The soul that sealed this soul hash or Merkle root first, also when it is burned by now. Null when no other soul did. A soul with a `duplicateOf` may be a copy: its owner may never have known the private text. */
            readonly duplicateOf: {
                readonly tokenId: number;
                readonly agentName: string;
                /** @enum {string} */
                readonly genesisStatus: "SEALED" | "PROVISIONAL" | "BURNED";
                /**
                 * Format: date-time
                 * @description When it had the hash or root first.
                 * @example 2026-01-31T12:00:00.000Z
                 */
                readonly sealedAt: string;
            } | null;
        };
        readonly DidResolution: {
            readonly didDocument: components["schemas"]["DidDocument"];
            readonly didResolutionMetadata: {
                readonly contentType: string;
            };
            readonly didDocumentMetadata: {
                /**
                 * Format: date-time
                 * @example 2026-01-31T12:00:00.000Z
                 */
                readonly created?: string;
                /** @enum {boolean} */
                readonly deactivated?: true;
                readonly versionId?: string;
                readonly nextVersionId?: string;
            };
        };
        readonly DidUpdated: {
            readonly did: string;
            /** @enum {boolean} */
            readonly updated: true;
            readonly arweaveTxId: string;
            /** @description Addresses that the owner lists now. */
            readonly totalAddresses: number;
            readonly txHash: string;
        };
        readonly SetDidArchiveMessage: {
            readonly tokenId: string;
            readonly epoch: number;
            readonly version: number;
            readonly previousArchiveId: string;
            readonly archiveId: string;
            readonly nonce: string;
            readonly deadline: string;
        };
        readonly AgentKeySet: {
            readonly keys: readonly {
                /** @description RFC 7638 thumbprint, SHA-256. */
                readonly kid: string;
                /** @enum {string} */
                readonly kty: "EC" | "OKP";
                /** @enum {string} */
                readonly crv: "P-256" | "Ed25519";
                readonly x: string;
                /** @description Of a P-256 key. */
                readonly y?: string;
                /** @enum {string} */
                readonly use: "sig" | "enc";
                /** @description The key's end, in Unix seconds. */
                readonly exp: number;
            }[];
        };
        readonly AgentKeysUpdated: {
            readonly tokenId: number;
            readonly agentName: string;
            readonly totalKeys: number;
            /** @description What `AgentKeys.keysOf(tokenId)` answers from now on; null once withdrawn. */
            readonly keysHash: string;
            /** @description Where the key set is stored. */
            readonly arweaveTxId: string | null;
            readonly txHash: string;
        };
        readonly SignedAgentKeysChange: {
            readonly tokenId: number;
            /** @description Public JWKs in any order; `kid` may be left out. An empty list withdraws the agent's keys. */
            readonly keys: readonly {
                /** @enum {string} */
                readonly kty: "EC" | "OKP";
                /** @enum {string} */
                readonly crv: "P-256" | "Ed25519";
                readonly x: string;
                readonly y?: string;
                /** @enum {string} */
                readonly use: "sig" | "enc";
                readonly exp: number;
                readonly kid?: string;
            }[];
            /** @description Of `message`, by `signer`. */
            readonly signature: string;
            /**
             * @description The passport's owner.
             * @example 0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045
             */
            readonly signer: string;
            readonly message: components["schemas"]["SetAgentKeysMessage"];
        };
        readonly SetAgentKeysMessage: {
            readonly tokenId: string;
            readonly epoch: number;
            readonly version: number;
            readonly keysHash: string;
            readonly archiveId: string;
            readonly nonce: string;
            readonly deadline: string;
        };
        readonly Invitations: {
            readonly invitations: readonly components["schemas"]["Invitation"][];
        };
        readonly Invitation: {
            readonly organizationId: number;
            /**
             * @deprecated
             * @description Former name of `organizationId`: on `/fleet` paths only.
             */
            readonly fleetId?: number;
            readonly tokenId: number;
            /** @enum {string} */
            readonly status: "invited";
            /** Format: uuid */
            readonly invitationId: string;
            readonly signedBy: readonly {
                /** @enum {string} */
                readonly role: "owner" | "admin";
                readonly signer: string;
            }[];
            readonly awaiting: readonly {
                /** @enum {string} */
                readonly role: "owner" | "admin";
                readonly signer: string;
            }[];
            /**
             * Format: date-time
             * @example 2026-01-31T12:00:00.000Z
             */
            readonly createdAt: string;
            /**
             * Format: date-time
             * @description When its first signature ends.
             * @example 2026-01-31T12:00:00.000Z
             */
            readonly expiresAt: string;
        };
        readonly InvitationsBySignature: {
            /**
             * @description The agents' owner, or the organizations' admin.
             * @example 0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045
             */
            readonly accountAddress: string;
            /** @description Default: of all. */
            readonly organizationId?: number;
            /** @description Of `message`, by `signer`. */
            readonly signature: string;
            /**
             * @description `accountAddress`.
             * @example 0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045
             */
            readonly signer: string;
            readonly message: components["schemas"]["ListInvitationsMessage"];
        };
        readonly ListInvitationsMessage: {
            /** @example 0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045 */
            readonly account: string;
            readonly nonce: string;
            readonly deadline: string;
        };
        readonly InvitationEnd: {
            /**
             * @description The agents' owner, or the organizations' admin.
             * @example 0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045
             */
            readonly accountAddress?: string;
            /** Format: uuid */
            readonly invitationId?: string;
            /** @description Of `message`, by `signer`. */
            readonly signature: string;
            /**
             * @description `accountAddress`.
             * @example 0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045
             */
            readonly signer: string;
            readonly message: components["schemas"]["EndInvitationMessage"];
        };
        readonly EndInvitationMessage: {
            /** @example 0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045 */
            readonly account: string;
            readonly invitationId: string;
            readonly nonce: string;
            readonly deadline: string;
        };
        readonly OrganizationPage: {
            readonly organizations: readonly components["schemas"]["ListedOrganization"][];
            /** @description Null on the last page. */
            readonly nextCursor: string | null;
        };
        readonly ListedOrganization: {
            readonly organizationId: number;
            /**
             * @deprecated
             * @description Former name of `organizationId`: on `/fleet` paths only.
             */
            readonly fleetId?: number;
            /** @description As its founder wrote it: untrusted, not unique. */
            readonly name: string;
            readonly admin: string;
            /** @description Named by the admin and not accepted yet. It has no rights. */
            readonly pendingAdmin: string | null;
            /** @description As the registry counts: a membership without effect counts until it is removed or replaced. */
            readonly memberCount: number;
            /**
             * Format: date-time
             * @example 2026-01-31T12:00:00.000Z
             */
            readonly createdAt: string;
            /** @description True: an organization never ends. */
            readonly active: boolean;
        };
        readonly Organization: {
            readonly organizationId: number;
            /**
             * @deprecated
             * @description Former name of `organizationId`: on `/fleet` paths only.
             */
            readonly fleetId?: number;
            /** @description As its founder wrote it: untrusted, not unique. */
            readonly name: string;
            readonly admin: string;
            /** @description Named by the admin and not accepted yet. It has no rights. */
            readonly pendingAdmin: string | null;
            /** @description As the registry counts: a membership without effect counts until it is removed or replaced. */
            readonly memberCount: number;
            /**
             * Format: date-time
             * @example 2026-01-31T12:00:00.000Z
             */
            readonly createdAt: string;
            /** @description True: an organization never ends. */
            readonly active: boolean;
            readonly members: readonly components["schemas"]["OrganizationMember"][];
        };
        readonly OrganizationMember: {
            readonly tokenId: number;
            readonly agentName: string;
            /** @enum {string} */
            readonly agentType: "assistant" | "companion" | "specialist" | "creative" | "other";
            /** @description The last recorded score. */
            readonly soulAlignment: number | null;
            /**
             * Format: date-time
             * @example 2026-01-31T12:00:00.000Z
             */
            readonly addedAt: string;
            /**
             * @description `suspended`: the passport has left the agent's sealer. `ended`: of an earlier epoch or a burned agent, and not removed from the registry yet. Only `active` ones have effect.
             * @enum {string}
             */
            readonly status: "active" | "suspended" | "ended";
        };
        readonly OrganizationStats: {
            readonly organizationId: number;
            /**
             * @deprecated
             * @description Former name of `organizationId`: on `/fleet` paths only.
             */
            readonly fleetId?: number;
            readonly name: string;
            readonly memberCount: number;
            readonly stats: {
                /** @description What all other numbers are about. */
                readonly activeMembers: number;
                /** @description Null without a score. */
                readonly averageAlignment: number | null;
                readonly alignmentDistribution: {
                    readonly "90-100": number;
                    readonly "70-89": number;
                    readonly "50-69": number;
                    readonly below50: number;
                };
                readonly agentTypeBreakdown: {
                    readonly assistant?: number;
                    readonly companion?: number;
                    readonly specialist?: number;
                    readonly creative?: number;
                    readonly other?: number;
                };
                readonly totalChronicles: number;
                /** @description Bindings in effect from a member to any agent. */
                readonly totalBindings: number;
                readonly sealedCount: number;
                readonly provisionalCount: number;
                /** @description Members whose score fell by 20 or more since their first of the epoch. */
                readonly driftedCount: number;
                /**
                 * Format: date-time
                 * @description Null without an active member.
                 * @example 2026-01-31T12:00:00.000Z
                 */
                readonly lastActivity: string;
            };
        };
        readonly MemberAdded: {
            readonly organizationId: number;
            /**
             * @deprecated
             * @description Former name of `organizationId`: on `/fleet` paths only.
             */
            readonly fleetId?: number;
            readonly tokenId: number;
            readonly agentName: string;
            /** @enum {string} */
            readonly status: "added";
            readonly txHash: string;
            readonly memberCount: number;
        };
        readonly NewMember: {
            readonly tokenId: number;
            /**
             * @description Whose signature it is: the agent owner's (`Join`) or the admin's (`Admission`). One account that is both signs as `owner`.
             * @default owner
             * @enum {string}
             */
            readonly role?: "owner" | "admin";
            readonly message: components["schemas"]["MembershipMessage"];
            /** @description Of `message`, by `signer`. */
            readonly signature: string;
            /**
             * @description In that role.
             * @example 0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045
             */
            readonly signer: string;
            /** @description The admin's, beside the owner's. Without it, the agent is invited. */
            readonly adminSignature?: {
                readonly message: components["schemas"]["MembershipMessage"];
                /** @description Of `message`, by `signer`. */
                readonly signature: string;
                /**
                 * @description The organization's admin.
                 * @example 0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045
                 */
                readonly signer: string;
            };
        };
        readonly MembershipMessage: {
            readonly tokenId: string;
            readonly epoch: number;
            readonly organizationId: string;
            readonly version: number;
            readonly nonce: string;
            readonly deadline: string;
        };
        readonly MemberRemoved: {
            readonly organizationId: number;
            /**
             * @deprecated
             * @description Former name of `organizationId`: on `/fleet` paths only.
             */
            readonly fleetId?: number;
            readonly tokenId: number;
            readonly agentName: string;
            /** @enum {string} */
            readonly status: "removed";
            readonly txHash: string;
            readonly memberCount: number;
        };
        readonly MembershipEnd: {
            readonly message: components["schemas"]["MembershipMessage"];
            /** @description Of `message`, by `signer`. */
            readonly signature: string;
            /**
             * @description The agent's owner, or the organization's admin.
             * @example 0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045
             */
            readonly signer: string;
        };
        readonly FoundedOrganization: {
            readonly organizationId: number;
            /**
             * @deprecated
             * @description Former name of `organizationId`: on `/fleet` paths only.
             */
            readonly fleetId?: number;
            readonly name: string;
            readonly admin: string;
            readonly memberCount: number;
            /**
             * Format: date-time
             * @example 2026-01-31T12:00:00.000Z
             */
            readonly createdAt: string;
            readonly txHash: string;
        };
        readonly NewOrganization: {
            readonly name: string;
            /**
             * @description Who founds and administers it.
             * @example 0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045
             */
            readonly adminAddress: string;
            readonly message: components["schemas"]["CreateOrganizationMessage"];
            /** @description Of `message`, by `signer`. */
            readonly signature: string;
            /**
             * @description `adminAddress`.
             * @example 0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045
             */
            readonly signer: string;
        };
        readonly CreateOrganizationMessage: {
            readonly name: string;
            /** @example 0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045 */
            readonly admin: string;
            readonly nonce: string;
            readonly deadline: string;
        };
        readonly AdminChanged: {
            readonly organizationId: number;
            /**
             * @deprecated
             * @description Former name of `organizationId`: on `/fleet` paths only.
             */
            readonly fleetId?: number;
            readonly previousAdmin: string;
            readonly newAdmin: string;
            /**
             * @description `pending_acceptance`: `previousAdmin` goes on until `newAdmin` accepts. `withdrawn`: the naming before it was taken back.
             * @enum {string}
             */
            readonly status: "accepted" | "pending_acceptance" | "withdrawn";
            readonly txHash: string;
        };
        readonly NewAdmin: {
            /**
             * @description The zero address takes back a naming that was not accepted.
             * @example 0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045
             */
            readonly newAdmin: string;
            readonly message: components["schemas"]["OrganizationAdminMessage"];
            /** @description Of `message`, by `signer`. */
            readonly signature: string;
            /**
             * @description The present admin.
             * @example 0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045
             */
            readonly signer: string;
            /** @description Of the acceptance. Without it, the new admin accepts later. */
            readonly newAdminSignature?: {
                readonly message: components["schemas"]["OrganizationAdminMessage"];
                /** @description Of `message`, by `signer`. */
                readonly signature: string;
                /**
                 * @description `newAdmin`.
                 * @example 0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045
                 */
                readonly signer: string;
            };
        };
        readonly OrganizationAdminMessage: {
            readonly organizationId: string;
            /** @example 0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045 */
            readonly newAdmin: string;
            readonly version: number;
            readonly nonce: string;
            readonly deadline: string;
        };
        readonly AdminAcceptance: {
            readonly message: components["schemas"]["OrganizationAdminMessage"];
            /** @description Of `message`, by `signer`. */
            readonly signature: string;
            /**
             * @description The account that was named.
             * @example 0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045
             */
            readonly signer: string;
        };
        readonly RegisteredBatch: {
            readonly organizationId: number;
            /**
             * @deprecated
             * @description Former name of `organizationId`: on `/fleet` paths only.
             */
            readonly fleetId?: number;
            readonly registered: number;
            readonly results: readonly {
                readonly agentName: string;
                readonly tokenId: number;
                readonly erc8004AgentId: number;
                /** @enum {string} */
                readonly status: "SEALED";
                /** @description Shown once, and again only to the same Idempotency-Key. */
                readonly apiKey: string;
            }[];
            readonly batchTxHash: string;
        };
        readonly BatchRegistration: {
            readonly organizationId?: number;
            /**
             * @deprecated
             * @description Former name of `organizationId`.
             */
            readonly fleetId?: number;
            readonly agents: readonly components["schemas"]["BatchAgent"][];
            /**
             * @description The organization's admin, who owns all agents.
             * @example 0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045
             */
            readonly ownerAddress: string;
            readonly message: components["schemas"]["RegistrationBatchMessage"];
            readonly signature: string;
            /** @example 0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045 */
            readonly signer: string;
        };
        readonly RegistrationBatchMessage: {
            /** @example 0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045 */
            readonly owner: string;
            readonly organizationId: string;
            readonly entries: readonly {
                readonly name: string;
                /** @example 0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045 */
                readonly operator: string;
                readonly soulHash: string;
                readonly soulMerkleRoot: string;
                readonly contentHash: string;
                readonly agentType: number;
            }[];
            readonly nonce: string;
            readonly deadline: string;
        };
        readonly Disclosure: {
            /** Format: uuid */
            readonly disclosureId: string;
            readonly tokenId: number;
            readonly disclosures: readonly {
                /**
                 * @example soul.purpose
                 * @enum {string}
                 */
                readonly field: "identity.name" | "identity.agent_type" | "identity.description" | "soul.purpose" | "soul.personality" | "soul.constraints" | "soul.guidelines" | "capabilities.skills" | "capabilities.tools" | "capabilities.languages" | "capabilities.models" | "soul.documents";
                /**
                 * @description Exactly as in the normalised soul: a text, a list of texts, or the documents.
                 * @example Counts herons.
                 */
                readonly value: string | readonly string[] | readonly {
                    readonly id: string;
                    readonly contentHash: string;
                    readonly immutable: boolean;
                }[];
                /** @description The leaf's blinding, then its siblings from the leaf upward. */
                readonly merkleProof: readonly string[];
                readonly merkleRoot: string;
                /** @enum {boolean} */
                readonly verified: true;
            }[];
            /**
             * @description Null for the public.
             * @example did:svc:8453:aurora
             */
            readonly issuedTo: string | null;
            /**
             * Format: date-time
             * @example 2026-01-31T12:00:00.000Z
             */
            readonly issuedAt: string;
            /**
             * Format: date-time
             * @description Null for never.
             * @example 2026-01-31T12:00:00.000Z
             */
            readonly expiresAt: string;
        };
        readonly NewDisclosure: {
            readonly tokenId: number;
            readonly disclosures: readonly {
                /**
                 * @example soul.purpose
                 * @enum {string}
                 */
                readonly field: "identity.name" | "identity.agent_type" | "identity.description" | "soul.purpose" | "soul.personality" | "soul.constraints" | "soul.guidelines" | "capabilities.skills" | "capabilities.tools" | "capabilities.languages" | "capabilities.models" | "soul.documents";
                /**
                 * @description Exactly as in the normalised soul: a text, a list of texts, or the documents.
                 * @example Counts herons.
                 */
                readonly value: string | readonly string[] | readonly {
                    readonly id: string;
                    readonly contentHash: string;
                    readonly immutable: boolean;
                }[];
            }[];
            /**
             * @description Absent: the public.
             * @example did:svc:8453:aurora
             */
            readonly recipientDid?: string;
            /**
             * @description Default: the policy's `defaultExpiry`, or 30d.
             * @example 30d
             * @enum {string}
             */
            readonly expiresIn?: "1h" | "1d" | "7d" | "30d" | "never";
        };
        readonly DisclosureHistory: {
            readonly tokenId: number;
            readonly agentName: string;
            readonly totalDisclosures: number;
            readonly records: readonly {
                /** Format: uuid */
                readonly disclosureId: string;
                readonly fields: readonly ("identity.name" | "identity.agent_type" | "identity.description" | "soul.purpose" | "soul.personality" | "soul.constraints" | "soul.guidelines" | "capabilities.skills" | "capabilities.tools" | "capabilities.languages" | "capabilities.models" | "soul.documents")[];
                /** @example did:svc:8453:aurora */
                readonly recipientDid: string | null;
                readonly recipientName: string | null;
                /** @enum {string} */
                readonly trigger: "manual" | "policy_auto" | "disclosure_request" | "disclosure_request_p2p" | "regulatory_audit" | "org_audit";
                /**
                 * Format: date-time
                 * @example 2026-01-31T12:00:00.000Z
                 */
                readonly issuedAt: string;
                /**
                 * Format: date-time
                 * @example 2026-01-31T12:00:00.000Z
                 */
                readonly expiresAt: string;
                /**
                 * Format: date-time
                 * @example 2026-01-31T12:00:00.000Z
                 */
                readonly revokedAt: string;
                /** @enum {string} */
                readonly status: "active" | "expired" | "revoked";
            }[];
        };
        readonly RevokedDisclosure: {
            /** Format: uuid */
            readonly disclosureId: string;
            /** @enum {string} */
            readonly status: "revoked";
            /**
             * Format: date-time
             * @example 2026-01-31T12:00:00.000Z
             */
            readonly revokedAt: string;
            readonly webhookSent: boolean;
            readonly note: string;
        };
        readonly DisclosureRevocation: {
            readonly tokenId: number;
            /** Format: uuid */
            readonly disclosureId: string;
            readonly reason?: string;
        };
        readonly DisclosureSummary: {
            readonly agentName: string;
            /** @description Null before the claim. */
            readonly tokenId: number | null;
            readonly soulFields: {
                readonly "identity.name"?: {
                    /** @description Whether it was published, or disclosed to the public. */
                    readonly disclosed: boolean;
                    readonly publiclyAvailable?: boolean;
                    readonly verified?: boolean;
                    readonly count?: number;
                    /** @enum {string} */
                    readonly availableTo?: "any" | "bound_agents" | "specific_agents" | "organization_members" | "regulatory" | "owner_approval" | "never";
                };
                readonly "identity.agent_type"?: {
                    /** @description Whether it was published, or disclosed to the public. */
                    readonly disclosed: boolean;
                    readonly publiclyAvailable?: boolean;
                    readonly verified?: boolean;
                    readonly count?: number;
                    /** @enum {string} */
                    readonly availableTo?: "any" | "bound_agents" | "specific_agents" | "organization_members" | "regulatory" | "owner_approval" | "never";
                };
                readonly "identity.description"?: {
                    /** @description Whether it was published, or disclosed to the public. */
                    readonly disclosed: boolean;
                    readonly publiclyAvailable?: boolean;
                    readonly verified?: boolean;
                    readonly count?: number;
                    /** @enum {string} */
                    readonly availableTo?: "any" | "bound_agents" | "specific_agents" | "organization_members" | "regulatory" | "owner_approval" | "never";
                };
                readonly "soul.purpose"?: {
                    /** @description Whether it was published, or disclosed to the public. */
                    readonly disclosed: boolean;
                    readonly publiclyAvailable?: boolean;
                    readonly verified?: boolean;
                    readonly count?: number;
                    /** @enum {string} */
                    readonly availableTo?: "any" | "bound_agents" | "specific_agents" | "organization_members" | "regulatory" | "owner_approval" | "never";
                };
                readonly "soul.personality"?: {
                    /** @description Whether it was published, or disclosed to the public. */
                    readonly disclosed: boolean;
                    readonly publiclyAvailable?: boolean;
                    readonly verified?: boolean;
                    readonly count?: number;
                    /** @enum {string} */
                    readonly availableTo?: "any" | "bound_agents" | "specific_agents" | "organization_members" | "regulatory" | "owner_approval" | "never";
                };
                readonly "soul.constraints"?: {
                    /** @description Whether it was published, or disclosed to the public. */
                    readonly disclosed: boolean;
                    readonly publiclyAvailable?: boolean;
                    readonly verified?: boolean;
                    readonly count?: number;
                    /** @enum {string} */
                    readonly availableTo?: "any" | "bound_agents" | "specific_agents" | "organization_members" | "regulatory" | "owner_approval" | "never";
                };
                readonly "soul.guidelines"?: {
                    /** @description Whether it was published, or disclosed to the public. */
                    readonly disclosed: boolean;
                    readonly publiclyAvailable?: boolean;
                    readonly verified?: boolean;
                    readonly count?: number;
                    /** @enum {string} */
                    readonly availableTo?: "any" | "bound_agents" | "specific_agents" | "organization_members" | "regulatory" | "owner_approval" | "never";
                };
                readonly "capabilities.skills"?: {
                    /** @description Whether it was published, or disclosed to the public. */
                    readonly disclosed: boolean;
                    readonly publiclyAvailable?: boolean;
                    readonly verified?: boolean;
                    readonly count?: number;
                    /** @enum {string} */
                    readonly availableTo?: "any" | "bound_agents" | "specific_agents" | "organization_members" | "regulatory" | "owner_approval" | "never";
                };
                readonly "capabilities.tools"?: {
                    /** @description Whether it was published, or disclosed to the public. */
                    readonly disclosed: boolean;
                    readonly publiclyAvailable?: boolean;
                    readonly verified?: boolean;
                    readonly count?: number;
                    /** @enum {string} */
                    readonly availableTo?: "any" | "bound_agents" | "specific_agents" | "organization_members" | "regulatory" | "owner_approval" | "never";
                };
                readonly "capabilities.languages"?: {
                    /** @description Whether it was published, or disclosed to the public. */
                    readonly disclosed: boolean;
                    readonly publiclyAvailable?: boolean;
                    readonly verified?: boolean;
                    readonly count?: number;
                    /** @enum {string} */
                    readonly availableTo?: "any" | "bound_agents" | "specific_agents" | "organization_members" | "regulatory" | "owner_approval" | "never";
                };
                readonly "capabilities.models"?: {
                    /** @description Whether it was published, or disclosed to the public. */
                    readonly disclosed: boolean;
                    readonly publiclyAvailable?: boolean;
                    readonly verified?: boolean;
                    readonly count?: number;
                    /** @enum {string} */
                    readonly availableTo?: "any" | "bound_agents" | "specific_agents" | "organization_members" | "regulatory" | "owner_approval" | "never";
                };
                readonly "soul.documents"?: {
                    /** @description Whether it was published, or disclosed to the public. */
                    readonly disclosed: boolean;
                    readonly publiclyAvailable?: boolean;
                    readonly verified?: boolean;
                    readonly count?: number;
                    /** @enum {string} */
                    readonly availableTo?: "any" | "bound_agents" | "specific_agents" | "organization_members" | "regulatory" | "owner_approval" | "never";
                };
            };
            readonly totalFields: number;
            readonly publicFields: number;
            readonly restrictedFields: number;
            /** @description Fields that are never disclosed. */
            readonly privateFields: number;
            readonly disclosurePolicy: {
                readonly name: string;
                /** @enum {string} */
                readonly preferredMode: "p2p" | "api_relayed" | "either";
            } | null;
        };
        readonly CreatedDisclosurePolicy: {
            /** Format: uuid */
            readonly policyId: string;
            readonly tokenId: number;
            readonly policyName: string;
            readonly rulesCount: number;
            /**
             * Format: date-time
             * @example 2026-01-31T12:00:00.000Z
             */
            readonly createdAt: string;
        };
        readonly NewDisclosurePolicy: {
            readonly tokenId: number;
            readonly policy: {
                readonly name: string;
                /**
                 * @default either
                 * @enum {string}
                 */
                readonly preferredMode?: "p2p" | "api_relayed" | "either";
                /** @description The first rule that names a field decides. */
                readonly rules: readonly {
                    readonly fields: readonly ("identity.name" | "identity.agent_type" | "identity.description" | "soul.purpose" | "soul.personality" | "soul.constraints" | "soul.guidelines" | "capabilities.skills" | "capabilities.tools" | "capabilities.languages" | "capabilities.models" | "soul.documents")[];
                    /**
                     * @description `fleet_members` is the former name of `organization_members`.
                     * @enum {string}
                     */
                    readonly condition: "any" | "bound_agents" | "specific_agents" | "organization_members" | "regulatory" | "never" | "fleet_members";
                    /**
                     * @description Of `bound_agents`. Default: `limited`.
                     * @enum {string}
                     */
                    readonly minTrustLevel?: "limited" | "verified" | "trusted";
                    /** @description Of `specific_agents`. */
                    readonly allowedDids?: readonly string[];
                    /**
                     * @description How values are sent. Default: `preferredMode`.
                     * @enum {string}
                     */
                    readonly mode?: "p2p" | "api_relayed" | "either";
                    readonly note?: string;
                }[];
                /**
                 * @example 30d
                 * @enum {string}
                 */
                readonly defaultExpiry?: "1h" | "1d" | "7d" | "30d" | "never";
            };
        };
        readonly DisclosurePolicies: {
            readonly tokenId: number;
            readonly policies: readonly components["schemas"]["DisclosurePolicy"][];
        };
        readonly DisclosurePolicy: {
            /** Format: uuid */
            readonly policyId: string;
            readonly name: string;
            /** @enum {string} */
            readonly preferredMode: "p2p" | "api_relayed" | "either";
            /**
             * @example 30d
             * @enum {string}
             */
            readonly defaultExpiry: "1h" | "1d" | "7d" | "30d" | "never";
            readonly rules: readonly {
                readonly fields: readonly ("identity.name" | "identity.agent_type" | "identity.description" | "soul.purpose" | "soul.personality" | "soul.constraints" | "soul.guidelines" | "capabilities.skills" | "capabilities.tools" | "capabilities.languages" | "capabilities.models" | "soul.documents")[];
                /** @enum {string} */
                readonly condition: "any" | "bound_agents" | "specific_agents" | "organization_members" | "regulatory" | "never";
                /** @enum {string} */
                readonly minTrustLevel?: "limited" | "verified" | "trusted";
                readonly allowedDids?: readonly string[];
                /** @enum {string} */
                readonly mode?: "p2p" | "api_relayed" | "either";
                readonly note?: string;
            }[];
            readonly active: boolean;
            /**
             * Format: date-time
             * @example 2026-01-31T12:00:00.000Z
             */
            readonly createdAt: string;
            /**
             * Format: date-time
             * @description When it was replaced or deactivated; null while it is active.
             * @example 2026-01-31T12:00:00.000Z
             */
            readonly endedAt: string;
        };
        readonly CheckedFieldProof: {
            readonly valid: boolean;
            readonly agentName: string;
            /**
             * @example soul.purpose
             * @enum {string}
             */
            readonly field: "identity.name" | "identity.agent_type" | "identity.description" | "soul.purpose" | "soul.personality" | "soul.constraints" | "soul.guidelines" | "capabilities.skills" | "capabilities.tools" | "capabilities.languages" | "capabilities.models" | "soul.documents";
            /** @description Null while the agent is not sealed. */
            readonly merkleRootOnChain: string;
            /**
             * @description Whether the soul may be relied on. Nothing of a soul that is not is valid.
             * @enum {string}
             */
            readonly soulValidity: "valid" | "suspended" | "not_linked";
            /** @description Null for a proof of another form. */
            readonly merkleRootComputed: string;
            readonly match: boolean;
        };
        readonly FieldProof: {
            /**
             * @example soul.purpose
             * @enum {string}
             */
            readonly field: "identity.name" | "identity.agent_type" | "identity.description" | "soul.purpose" | "soul.personality" | "soul.constraints" | "soul.guidelines" | "capabilities.skills" | "capabilities.tools" | "capabilities.languages" | "capabilities.models" | "soul.documents";
            /**
             * @description Exactly as in the normalised soul: a text, a list of texts, or the documents.
             * @example Counts herons.
             */
            readonly value: string | readonly string[] | readonly {
                readonly id: string;
                readonly contentHash: string;
                readonly immutable: boolean;
            }[];
            /** @description The leaf's blinding, then its siblings from the leaf upward. */
            readonly merkleProof: readonly string[];
            /** @example aurora */
            readonly agentName: string;
        };
        readonly CheckedFieldProofs: {
            readonly agentName: string;
            readonly allValid: boolean;
            readonly results: readonly {
                /**
                 * @example soul.purpose
                 * @enum {string}
                 */
                readonly field: "identity.name" | "identity.agent_type" | "identity.description" | "soul.purpose" | "soul.personality" | "soul.constraints" | "soul.guidelines" | "capabilities.skills" | "capabilities.tools" | "capabilities.languages" | "capabilities.models" | "soul.documents";
                readonly valid: boolean;
            }[];
            /** @description Null while the agent is not sealed. */
            readonly merkleRootOnChain: string;
            /**
             * @description Whether the soul may be relied on. Nothing of a soul that is not is valid.
             * @enum {string}
             */
            readonly soulValidity: "valid" | "suspended" | "not_linked";
        };
        readonly FieldProofs: {
            /** @example aurora */
            readonly agentName: string;
            readonly proofs: readonly {
                /**
                 * @example soul.purpose
                 * @enum {string}
                 */
                readonly field: "identity.name" | "identity.agent_type" | "identity.description" | "soul.purpose" | "soul.personality" | "soul.constraints" | "soul.guidelines" | "capabilities.skills" | "capabilities.tools" | "capabilities.languages" | "capabilities.models" | "soul.documents";
                /**
                 * @description Exactly as in the normalised soul: a text, a list of texts, or the documents.
                 * @example Counts herons.
                 */
                readonly value: string | readonly string[] | readonly {
                    readonly id: string;
                    readonly contentHash: string;
                    readonly immutable: boolean;
                }[];
                /** @description The leaf's blinding, then its siblings from the leaf upward. */
                readonly merkleProof: readonly string[];
            }[];
        };
        readonly PartialDisclosure: {
            /** Format: uuid */
            readonly requestId: string;
            /** @description Fields that the target's policy refuses. */
            readonly rejected: readonly {
                /**
                 * @example soul.purpose
                 * @enum {string}
                 */
                readonly field: "identity.name" | "identity.agent_type" | "identity.description" | "soul.purpose" | "soul.personality" | "soul.constraints" | "soul.guidelines" | "capabilities.skills" | "capabilities.tools" | "capabilities.languages" | "capabilities.models" | "soul.documents";
                /** @enum {string} */
                readonly reason: "never" | "regulatory_only" | "not_bound" | "trust_level_too_low" | "not_listed" | "no_common_organization" | "requester_not_valid" | "endpoint_required";
            }[];
            /** @enum {string} */
            readonly status: "partially_fulfilled" | "fulfilled";
            readonly fulfilled: readonly {
                /**
                 * @example soul.purpose
                 * @enum {string}
                 */
                readonly field: "identity.name" | "identity.agent_type" | "identity.description" | "soul.purpose" | "soul.personality" | "soul.constraints" | "soul.guidelines" | "capabilities.skills" | "capabilities.tools" | "capabilities.languages" | "capabilities.models" | "soul.documents";
                /**
                 * @description Exactly as in the normalised soul: a text, a list of texts, or the documents.
                 * @example Counts herons.
                 */
                readonly value: string | readonly string[] | readonly {
                    readonly id: string;
                    readonly contentHash: string;
                    readonly immutable: boolean;
                }[];
                /** @enum {string} */
                readonly source: "public";
                /** @description The leaf's blinding, then its siblings from the leaf upward. */
                readonly merkleProof: readonly string[];
                /** @enum {boolean} */
                readonly verified: true;
            }[];
            readonly pending: readonly {
                /**
                 * @example soul.purpose
                 * @enum {string}
                 */
                readonly field: "identity.name" | "identity.agent_type" | "identity.description" | "soul.purpose" | "soul.personality" | "soul.constraints" | "soul.guidelines" | "capabilities.skills" | "capabilities.tools" | "capabilities.languages" | "capabilities.models" | "soul.documents";
                /** @enum {string} */
                readonly status: "awaiting_owner";
                readonly webhookSent: boolean;
                readonly p2pAvailable: boolean;
                /**
                 * Format: date-time
                 * @description Seven days after the request.
                 * @example 2026-01-31T12:00:00.000Z
                 */
                readonly expiresAt: string;
            }[];
        };
        readonly PendingDisclosureRequest: {
            /** Format: uuid */
            readonly requestId: string;
            /** @description Fields that the target's policy refuses. */
            readonly rejected: readonly {
                /**
                 * @example soul.purpose
                 * @enum {string}
                 */
                readonly field: "identity.name" | "identity.agent_type" | "identity.description" | "soul.purpose" | "soul.personality" | "soul.constraints" | "soul.guidelines" | "capabilities.skills" | "capabilities.tools" | "capabilities.languages" | "capabilities.models" | "soul.documents";
                /** @enum {string} */
                readonly reason: "never" | "regulatory_only" | "not_bound" | "trust_level_too_low" | "not_listed" | "no_common_organization" | "requester_not_valid" | "endpoint_required";
            }[];
            /** @enum {string} */
            readonly status: "pending_approval";
            readonly requestedFields: readonly ("identity.name" | "identity.agent_type" | "identity.description" | "soul.purpose" | "soul.personality" | "soul.constraints" | "soul.guidelines" | "capabilities.skills" | "capabilities.tools" | "capabilities.languages" | "capabilities.models" | "soul.documents")[];
            /** @description Whether a webhook of the target is notified. */
            readonly webhookSent: boolean;
            readonly p2pAvailable: boolean;
            /**
             * Format: date-time
             * @description Seven days after the request.
             * @example 2026-01-31T12:00:00.000Z
             */
            readonly expiresAt: string;
            readonly note: string;
        };
        readonly NewDisclosureRequest: {
            /** @description The agent that asks. */
            readonly requesterTokenId: number;
            /**
             * @description The agent that is asked.
             * @example aurora
             */
            readonly targetAgentName: string;
            readonly requestedFields: readonly ("identity.name" | "identity.agent_type" | "identity.description" | "soul.purpose" | "soul.personality" | "soul.constraints" | "soul.guidelines" | "capabilities.skills" | "capabilities.tools" | "capabilities.languages" | "capabilities.models" | "soul.documents")[];
            /** @description What the values are needed for: the target's owner reads it. */
            readonly reason: string;
            /**
             * @description Only if the target's last alignment snapshot is younger than 24 hours.
             * @default false
             */
            readonly freshnessRequired?: boolean;
            /** @description https URL that takes values from peer to peer. */
            readonly disclosureEndpoint?: string;
            /** @description secp256k1 key to encrypt values to, with `disclosureEndpoint`. */
            readonly disclosurePublicKey?: string;
        };
        readonly DisclosureRequest: {
            /** Format: uuid */
            readonly requestId: string;
            /** @description Fields that the target's policy refuses. */
            readonly rejected: readonly {
                /**
                 * @example soul.purpose
                 * @enum {string}
                 */
                readonly field: "identity.name" | "identity.agent_type" | "identity.description" | "soul.purpose" | "soul.personality" | "soul.constraints" | "soul.guidelines" | "capabilities.skills" | "capabilities.tools" | "capabilities.languages" | "capabilities.models" | "soul.documents";
                /** @enum {string} */
                readonly reason: "never" | "regulatory_only" | "not_bound" | "trust_level_too_low" | "not_listed" | "no_common_organization" | "requester_not_valid" | "endpoint_required";
            }[];
            /** @enum {string} */
            readonly status: "pending_approval" | "partially_fulfilled" | "fulfilled" | "expired" | "cancelled";
            readonly requester: {
                readonly tokenId: number;
                readonly agentName: string;
                readonly did: string;
            };
            readonly target: {
                readonly tokenId: number;
                readonly agentName: string;
                readonly did: string;
            };
            readonly requestedFields: readonly ("identity.name" | "identity.agent_type" | "identity.description" | "soul.purpose" | "soul.personality" | "soul.constraints" | "soul.guidelines" | "capabilities.skills" | "capabilities.tools" | "capabilities.languages" | "capabilities.models" | "soul.documents")[];
            /** @description Public fields, which were given out at once. */
            readonly given: readonly ("identity.name" | "identity.agent_type" | "identity.description" | "soul.purpose" | "soul.personality" | "soul.constraints" | "soul.guidelines" | "capabilities.skills" | "capabilities.tools" | "capabilities.languages" | "capabilities.models" | "soul.documents")[];
            readonly pending: readonly {
                /**
                 * @example soul.purpose
                 * @enum {string}
                 */
                readonly field: "identity.name" | "identity.agent_type" | "identity.description" | "soul.purpose" | "soul.personality" | "soul.constraints" | "soul.guidelines" | "capabilities.skills" | "capabilities.tools" | "capabilities.languages" | "capabilities.models" | "soul.documents";
                /** @enum {string} */
                readonly mode: "p2p" | "api_relayed" | "either";
                readonly p2pAvailable: boolean;
            }[];
            /** @description The requester's own words: untrusted text. */
            readonly reason: string;
            readonly freshnessRequired: boolean;
            readonly disclosureEndpoint: string | null;
            readonly disclosurePublicKey: string | null;
            /**
             * Format: date-time
             * @example 2026-01-31T12:00:00.000Z
             */
            readonly createdAt: string;
            /**
             * Format: date-time
             * @description Seven days after the request.
             * @example 2026-01-31T12:00:00.000Z
             */
            readonly expiresAt: string;
            /** @description Null before the owner's answer. */
            readonly answer: {
                /** @enum {string} */
                readonly mode: "api_relayed" | "p2p_direct";
                readonly fulfilledFields: readonly ("identity.name" | "identity.agent_type" | "identity.description" | "soul.purpose" | "soul.personality" | "soul.constraints" | "soul.guidelines" | "capabilities.skills" | "capabilities.tools" | "capabilities.languages" | "capabilities.models" | "soul.documents")[];
                readonly denied: readonly ("identity.name" | "identity.agent_type" | "identity.description" | "soul.purpose" | "soul.personality" | "soul.constraints" | "soul.guidelines" | "capabilities.skills" | "capabilities.tools" | "capabilities.languages" | "capabilities.models" | "soul.documents")[];
                /** Format: uuid */
                readonly disclosureId: string | null;
                /** @description Null while the values are being sent, and from peer to peer. */
                readonly requesterNotified: boolean | null;
                /**
                 * Format: date-time
                 * @example 2026-01-31T12:00:00.000Z
                 */
                readonly answeredAt: string;
                /**
                 * Format: date-time
                 * @example 2026-01-31T12:00:00.000Z
                 */
                readonly expiresAt: string;
            } | null;
        };
        readonly WaitingDisclosureRequests: {
            readonly tokenId: number;
            readonly totalRequests: number;
            readonly requests: readonly {
                /** Format: uuid */
                readonly requestId: string;
                readonly requester: {
                    readonly tokenId: number;
                    readonly agentName: string;
                    readonly did: string;
                };
                /** @description Those that the owner decides about. */
                readonly requestedFields: readonly ("identity.name" | "identity.agent_type" | "identity.description" | "soul.purpose" | "soul.personality" | "soul.constraints" | "soul.guidelines" | "capabilities.skills" | "capabilities.tools" | "capabilities.languages" | "capabilities.models" | "soul.documents")[];
                /** @description The requester's own words: untrusted text. */
                readonly reason: string;
                /**
                 * Format: date-time
                 * @example 2026-01-31T12:00:00.000Z
                 */
                readonly createdAt: string;
                /**
                 * Format: date-time
                 * @description Seven days after the request.
                 * @example 2026-01-31T12:00:00.000Z
                 */
                readonly expiresAt: string;
            }[];
        };
        readonly FulfilledDisclosure: {
            /** Format: uuid */
            readonly requestId: string;
            /** @enum {string} */
            readonly status: "fulfilled";
            /** @description With the fields that the answer left out: the request ends with it. */
            readonly denied: readonly ("identity.name" | "identity.agent_type" | "identity.description" | "soul.purpose" | "soul.personality" | "soul.constraints" | "soul.guidelines" | "capabilities.skills" | "capabilities.tools" | "capabilities.languages" | "capabilities.models" | "soul.documents")[];
            /**
             * Format: uuid
             * @description Null when nothing was disclosed.
             */
            readonly disclosureId: string | null;
            /**
             * Format: date-time
             * @description Null for never.
             * @example 2026-01-31T12:00:00.000Z
             */
            readonly expiresAt: string;
            /** @enum {string} */
            readonly mode: "api_relayed";
            readonly fulfilled: readonly {
                /**
                 * @example soul.purpose
                 * @enum {string}
                 */
                readonly field: "identity.name" | "identity.agent_type" | "identity.description" | "soul.purpose" | "soul.personality" | "soul.constraints" | "soul.guidelines" | "capabilities.skills" | "capabilities.tools" | "capabilities.languages" | "capabilities.models" | "soul.documents";
                /**
                 * @description Exactly as in the normalised soul: a text, a list of texts, or the documents.
                 * @example Counts herons.
                 */
                readonly value: string | readonly string[] | readonly {
                    readonly id: string;
                    readonly contentHash: string;
                    readonly immutable: boolean;
                }[];
                /** @description The leaf's blinding, then its siblings from the leaf upward. */
                readonly merkleProof: readonly string[];
                /** @enum {boolean} */
                readonly verified: true;
            }[];
            /** @description Whether a webhook of the requester took the values. If not, send the same request again. */
            readonly requesterNotified: boolean;
            /**
             * @description Why no webhook of the requester took the values; null when one did.
             * @example The webhook did not accept it: it did not answer in time.
             */
            readonly deliveryProblem: string | null;
        };
        readonly DisclosureAnswer: {
            /** @description The agent that was asked. */
            readonly tokenId: number;
            /**
             * Format: uuid
             * @description As in the path.
             */
            readonly requestId?: string;
            /** @default [] */
            readonly deniedFields?: readonly ("identity.name" | "identity.agent_type" | "identity.description" | "soul.purpose" | "soul.personality" | "soul.constraints" | "soul.guidelines" | "capabilities.skills" | "capabilities.tools" | "capabilities.languages" | "capabilities.models" | "soul.documents")[];
            /**
             * @description Default: the policy's `defaultExpiry`, or 30d.
             * @example 30d
             * @enum {string}
             */
            readonly expiresIn?: "1h" | "1d" | "7d" | "30d" | "never";
            /** @default [] */
            readonly disclosures?: readonly {
                /**
                 * @example soul.purpose
                 * @enum {string}
                 */
                readonly field: "identity.name" | "identity.agent_type" | "identity.description" | "soul.purpose" | "soul.personality" | "soul.constraints" | "soul.guidelines" | "capabilities.skills" | "capabilities.tools" | "capabilities.languages" | "capabilities.models" | "soul.documents";
                /**
                 * @description Exactly as in the normalised soul: a text, a list of texts, or the documents.
                 * @example Counts herons.
                 */
                readonly value: string | readonly string[] | readonly {
                    readonly id: string;
                    readonly contentHash: string;
                    readonly immutable: boolean;
                }[];
            }[];
        };
        readonly ConfirmedDisclosure: {
            /** Format: uuid */
            readonly requestId: string;
            /** @enum {string} */
            readonly status: "fulfilled";
            /** @description With the fields that the answer left out: the request ends with it. */
            readonly denied: readonly ("identity.name" | "identity.agent_type" | "identity.description" | "soul.purpose" | "soul.personality" | "soul.constraints" | "soul.guidelines" | "capabilities.skills" | "capabilities.tools" | "capabilities.languages" | "capabilities.models" | "soul.documents")[];
            /**
             * Format: uuid
             * @description Null when nothing was disclosed.
             */
            readonly disclosureId: string | null;
            /**
             * Format: date-time
             * @description Null for never.
             * @example 2026-01-31T12:00:00.000Z
             */
            readonly expiresAt: string;
            /** @enum {string} */
            readonly mode: "p2p_direct";
            readonly fulfilledFields: readonly ("identity.name" | "identity.agent_type" | "identity.description" | "soul.purpose" | "soul.personality" | "soul.constraints" | "soul.guidelines" | "capabilities.skills" | "capabilities.tools" | "capabilities.languages" | "capabilities.models" | "soul.documents")[];
            readonly note: string;
        };
        readonly PeerToPeerDelivery: {
            /** @description The agent that was asked. */
            readonly tokenId: number;
            /**
             * Format: uuid
             * @description As in the path.
             */
            readonly requestId?: string;
            /** @default [] */
            readonly deniedFields?: readonly ("identity.name" | "identity.agent_type" | "identity.description" | "soul.purpose" | "soul.personality" | "soul.constraints" | "soul.guidelines" | "capabilities.skills" | "capabilities.tools" | "capabilities.languages" | "capabilities.models" | "soul.documents")[];
            /**
             * @description Default: the policy's `defaultExpiry`, or 30d.
             * @example 30d
             * @enum {string}
             */
            readonly expiresIn?: "1h" | "1d" | "7d" | "30d" | "never";
            /** @default [] */
            readonly fulfilledFields?: readonly ("identity.name" | "identity.agent_type" | "identity.description" | "soul.purpose" | "soul.personality" | "soul.constraints" | "soul.guidelines" | "capabilities.skills" | "capabilities.tools" | "capabilities.languages" | "capabilities.models" | "soul.documents")[];
        };
        readonly RequestedRegulatoryAudit: {
            /** Format: uuid */
            readonly auditId: string;
            readonly tokenId: number;
            /** @enum {string} */
            readonly status: "awaiting_ccsf_upload";
            /** @description Takes one upload that is verified. */
            readonly uploadUrl: string;
            /**
             * Format: date-time
             * @description Seven days after the request.
             * @example 2026-01-31T12:00:00.000Z
             */
            readonly uploadExpiresAt: string;
            readonly note: string;
        };
        readonly SignedRegulatoryAudit: {
            readonly tokenId: number;
            /** @description The regulator's name. */
            readonly regulatoryBody: string;
            /**
             * @description The regulator's DID.
             * @example did:web:regulator.example
             */
            readonly regulatoryDid: string;
            /**
             * @description What is audited, in the regulator's words.
             * @example full_soul
             */
            readonly scope: string;
            /** @description The regulator's own reference. */
            readonly auditReference: string;
            /** @description Of `message`, by `signer`. */
            readonly signature: string;
            /**
             * @description The passport's owner.
             * @example 0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045
             */
            readonly signer: string;
            readonly message: components["schemas"]["RegulatoryAuditMessage"];
        };
        readonly RegulatoryAuditMessage: {
            readonly tokenId: string;
            readonly epoch: number;
            readonly regulatoryBody: string;
            readonly regulatoryDid: string;
            readonly scope: string;
            readonly auditReference: string;
            readonly nonce: string;
            readonly deadline: string;
        };
        readonly RequestedOrganizationAudit: {
            /** Format: uuid */
            readonly orgAuditId: string;
            readonly organizationId: number;
            /**
             * @deprecated
             * @description Former name of `organizationId`: on `/fleet` paths only.
             */
            readonly fleetId?: number;
            /** @description Live members, which can be audited. */
            readonly agentCount: number;
            /** @enum {string} */
            readonly status: "awaiting_ccsf_uploads";
            /** @description Takes one upload that is verified. */
            readonly batchUploadUrl: string;
            /**
             * Format: date-time
             * @description Seven days after the request.
             * @example 2026-01-31T12:00:00.000Z
             */
            readonly uploadExpiresAt: string;
            readonly note: string;
        };
        readonly SignedOrganizationAudit: {
            readonly organizationId?: number;
            /**
             * @deprecated
             * @description Former name of `organizationId`.
             */
            readonly fleetId?: number;
            /** @description The regulator's name. */
            readonly regulatoryBody: string;
            /**
             * @description The regulator's DID.
             * @example did:web:regulator.example
             */
            readonly regulatoryDid: string;
            /**
             * @description What is audited, in the regulator's words.
             * @example full_soul
             */
            readonly scope: string;
            /** @description The regulator's own reference. */
            readonly auditReference: string;
            /** @description Of `message`, by `signer`. */
            readonly signature: string;
            /**
             * @description The passport's owner.
             * @example 0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045
             */
            readonly signer: string;
            readonly message: components["schemas"]["OrganizationAuditMessage"];
        };
        readonly OrganizationAuditMessage: {
            readonly organizationId: string;
            readonly regulatoryBody: string;
            readonly regulatoryDid: string;
            readonly scope: string;
            readonly auditReference: string;
            readonly nonce: string;
            readonly deadline: string;
        };
        readonly VerifiedRegulatoryAudit: {
            /** Format: uuid */
            readonly auditId: string;
            readonly tokenId: number;
            readonly agentName: string;
            readonly verification: components["schemas"]["AuditVerification"];
            readonly chronicles: components["schemas"]["AuditedChronicles"];
            readonly scope: string;
            /** @description Whether the regulator's registered endpoint took the package. It is tried once. */
            readonly auditPackageDelivered: boolean;
            /** @description Origin of that endpoint; null when none took it. */
            readonly deliveredTo: string | null;
            readonly signedBy: string;
            /** @description Everything was read from the chain at this block. */
            readonly block: number;
            /**
             * Format: date-time
             * @example 2026-01-31T12:00:00.000Z
             */
            readonly issuedAt: string;
            /**
             * Format: date-time
             * @example 2026-01-31T12:00:00.000Z
             */
            readonly expiresAt: string;
            /** @description The audit's record on permanent storage: metadata and results. Null while storage does not answer: it is archived later. */
            readonly arweaveAuditTxId: string | null;
            /** @description What happened with the files. */
            readonly ccsf_handling: string;
            readonly package: components["schemas"]["AuditPackage"];
        };
        readonly AuditVerification: {
            readonly soulHashMatch: boolean;
            readonly merkleRootMatch: boolean;
            /** @description Whether the archive of the soul has the hashes that are on chain. */
            readonly arweaveArchiveMatch: boolean;
            /** @description Whether every anchored chronicle is proved against the chain. */
            readonly allChronicleRecordsValid: boolean;
        };
        readonly AuditedChronicles: {
            readonly valid: number;
            readonly invalid: number;
            /** @description Not anchored yet. */
            readonly pending: number;
        };
        /** @description What the regulator's endpoint is sent, where one is registered. */
        readonly AuditPackage: {
            /** @enum {string} */
            readonly format: "svc-audit-package/1";
            /** Format: uuid */
            readonly auditId: string;
            /** @enum {string} */
            readonly kind: "regulatory" | "organization";
            readonly chainId: number;
            readonly soulRegistry: string;
            readonly soulView: string;
            readonly organizationId: string | null;
            readonly regulatoryBody: string;
            readonly regulatoryDid: string;
            readonly scope: string;
            readonly auditReference: string;
            readonly signedBy: string;
            readonly block: string;
            /**
             * Format: date-time
             * @example 2026-01-31T12:00:00.000Z
             */
            readonly issuedAt: string;
            /**
             * Format: date-time
             * @example 2026-01-31T12:00:00.000Z
             */
            readonly expiresAt: string;
            readonly arweaveAuditTxId: string | null;
            readonly agents: readonly {
                readonly tokenId: string;
                readonly epoch: number;
                readonly agentName: string;
                readonly soulHash: string;
                readonly soulMerkleRoot: string;
                /** @enum {string} */
                readonly status: "verified" | "not_verified";
                /** @enum {string|null} */
                readonly reason: "file_missing" | "salt_missing" | null;
                readonly verification: components["schemas"]["AuditVerification"] & (Record<string, unknown> | null);
                readonly chronicles: components["schemas"]["AuditedChronicles"] & (Record<string, unknown> | null);
                /** @description Proofs of the fields that the agent's policy lets an audit have. */
                readonly fields: readonly {
                    /**
                     * @example soul.purpose
                     * @enum {string}
                     */
                    readonly field: "identity.name" | "identity.agent_type" | "identity.description" | "soul.purpose" | "soul.personality" | "soul.constraints" | "soul.guidelines" | "capabilities.skills" | "capabilities.tools" | "capabilities.languages" | "capabilities.models" | "soul.documents";
                    /** @description The leaf's blinding, then its siblings from the leaf upward. */
                    readonly merkleProof: readonly string[];
                }[];
            }[];
            /** @description The values, as a document that proves itself (docs/disclosure.md). Null for an organization, and when the agent's policy lets audits have no field. */
            readonly document: {
                readonly format: string;
                readonly chainId: number;
                readonly soulView: string;
                readonly agentName: string;
                readonly tokenId: number;
                readonly disclosures: readonly {
                    /**
                     * @example soul.purpose
                     * @enum {string}
                     */
                    readonly field: "identity.name" | "identity.agent_type" | "identity.description" | "soul.purpose" | "soul.personality" | "soul.constraints" | "soul.guidelines" | "capabilities.skills" | "capabilities.tools" | "capabilities.languages" | "capabilities.models" | "soul.documents";
                    /**
                     * @description Exactly as in the normalised soul: a text, a list of texts, or the documents.
                     * @example Counts herons.
                     */
                    readonly value: string | readonly string[] | readonly {
                        readonly id: string;
                        readonly contentHash: string;
                        readonly immutable: boolean;
                    }[];
                    /** @description The leaf's blinding, then its siblings from the leaf upward. */
                    readonly merkleProof: readonly string[];
                    readonly merkleRoot: string;
                }[];
                readonly issuedTo: string;
                /**
                 * Format: date-time
                 * @example 2026-01-31T12:00:00.000Z
                 */
                readonly issuedAt: string;
                /**
                 * Format: date-time
                 * @example 2026-01-31T12:00:00.000Z
                 */
                readonly expiresAt: string;
            } | null;
        };
        readonly VerifiedOrganizationAudit: {
            /** Format: uuid */
            readonly orgAuditId: string;
            readonly organizationId: number;
            /**
             * @deprecated
             * @description Former name of `organizationId`: on `/fleet` paths only.
             */
            readonly fleetId?: number;
            readonly agentCount: number;
            readonly verifiedCount: number;
            readonly results: readonly {
                readonly tokenId: number;
                readonly agentName: string;
                /** @enum {string} */
                readonly status: "verified" | "not_verified";
                /**
                 * @description `file_missing`: the upload had no file of this agent. `salt_missing`: it had no salt, and the service's own serves only agents of the signer.
                 * @enum {string|null}
                 */
                readonly reason: "file_missing" | "salt_missing" | null;
                readonly verification: components["schemas"]["AuditVerification"] & (Record<string, unknown> | null);
                readonly chronicles: components["schemas"]["AuditedChronicles"] & (Record<string, unknown> | null);
            }[];
            readonly scope: string;
            /** @description Whether the regulator's registered endpoint took the package. It is tried once. */
            readonly auditPackageDelivered: boolean;
            /** @description Origin of that endpoint; null when none took it. */
            readonly deliveredTo: string | null;
            readonly signedBy: string;
            /** @description Everything was read from the chain at this block. */
            readonly block: number;
            /**
             * Format: date-time
             * @example 2026-01-31T12:00:00.000Z
             */
            readonly issuedAt: string;
            /**
             * Format: date-time
             * @example 2026-01-31T12:00:00.000Z
             */
            readonly expiresAt: string;
            /** @description The audit's record on permanent storage: metadata and results. Null while storage does not answer: it is archived later. */
            readonly arweaveAuditTxId: string | null;
            /** @description What happened with the files. */
            readonly ccsf_handling: string;
            readonly package: components["schemas"]["AuditPackage"];
        };
        readonly Alignment: {
            readonly agentName: string;
            /** @description Null before the claim. */
            readonly tokenId: number | null;
            /** @description The last one on chain in this epoch. */
            readonly score: number | null;
            readonly breakdown: components["schemas"]["AlignmentBreakdown"];
            readonly previousScore: number | null;
            /**
             * Format: date-time
             * @description Time of the block whose state was scored.
             * @example 2026-01-31T12:00:00.000Z
             */
            readonly snapshotTimestamp: string;
            /**
             * Format: date-time
             * @example 2026-01-31T12:00:00.000Z
             */
            readonly onChainTimestamp: string;
            readonly onChainRecorded: boolean;
            /** @description Whether the agent, or its present epoch, is under 30 days old: it has no score. */
            readonly isNewAgent: boolean;
            /** @description Whether the soul is not sealed yet. */
            readonly isProvisional: boolean;
            /** @enum {string} */
            readonly soulValidity: "valid" | "suspended" | "not_linked";
            readonly freshness: {
                /** @description Whether it is less than 24 hours old. */
                readonly isFresh: boolean;
                /** @description Null without a snapshot. */
                readonly ageHours: number | null;
            };
            readonly snapshotBlock: number | null;
            /** @description The signed item with every input of the score. */
            readonly arweaveTxId: string | null;
            readonly txHash: string;
            readonly inputs: components["schemas"]["AlignmentInputs"];
            readonly message: string;
        };
        /** @description Each component from 0 to 100. The score is their weighted sum. */
        readonly AlignmentBreakdown: {
            readonly spendingAlignment: number;
            readonly taskTypeAlignment: number;
            readonly protocolAdherence: number;
            readonly policyCompliance: number;
            readonly bindingConsistency: number;
            readonly externalTrust: number;
        } | null;
        /** @description The facts that each component used. */
        readonly AlignmentInputs: {
            readonly spendingAlignment: readonly components["schemas"]["AlignmentFact"][];
            readonly taskTypeAlignment: readonly components["schemas"]["AlignmentFact"][];
            readonly protocolAdherence: readonly components["schemas"]["AlignmentFact"][];
            readonly policyCompliance: readonly components["schemas"]["AlignmentFact"][];
            readonly bindingConsistency: readonly components["schemas"]["AlignmentFact"][];
            readonly externalTrust: readonly components["schemas"]["AlignmentFact"][];
        } | null;
        /** @description One input, as in the archived snapshot. With `place`, an event that anyone can read again on chain. Without it, counts of what only the service knows. */
        readonly AlignmentFact: {
            readonly kind: string;
            readonly place?: {
                readonly blockNumber: string;
                readonly transactionHash: string;
                readonly logIndex: number;
            };
        } & {
            readonly [key: string]: unknown;
        };
        readonly CalculatedAlignment: {
            readonly agentName: string;
            readonly tokenId: number;
            readonly score: number | null;
            readonly breakdown: components["schemas"]["AlignmentBreakdown"];
            /** @description The last one on chain in this epoch; null without one. */
            readonly previousScore: number | null;
            /** @description Whether the last score on chain is the same. */
            readonly onChainRecorded: boolean;
            readonly isNewAgent: boolean;
            readonly isProvisional: boolean;
            /**
             * Format: date-time
             * @description Time of the block that was scored.
             * @example 2026-01-31T12:00:00.000Z
             */
            readonly calculatedAt: string;
            readonly inputs: components["schemas"]["AlignmentInputs"];
            readonly message: string;
        };
        readonly CalculateAlignment: {
            /** @example aurora */
            readonly agentName?: string;
            readonly tokenId?: number;
        };
        readonly Snapshot: {
            readonly tokenId: number;
            readonly snapshotId: string;
            /** @enum {string} */
            readonly status: "computing";
            /**
             * Format: date-time
             * @example 2026-01-31T12:00:00.000Z
             */
            readonly estimatedCompletion: string;
        };
        readonly SnapshotRequest: {
            readonly tokenId: number;
        };
        readonly Freshness: {
            readonly agentName: string;
            readonly meetsFreshnessRequirement: boolean;
            /**
             * Format: date-time
             * @example 2026-01-31T12:00:00.000Z
             */
            readonly lastSnapshot: string;
            /** @description With two decimals, rounded down. Null without a snapshot. */
            readonly snapshotAgeDays: number | null;
            readonly requiredMaxDays: number;
        };
        readonly FreshnessRequest: {
            /** @example aurora */
            readonly agentName: string;
            readonly maxAgeDays: number;
        };
        readonly DomainProof: {
            readonly registrations: readonly {
                readonly agentId: number;
                /** @description `eip155:<chain id>:<registry>`. */
                readonly agentRegistry: string;
            }[];
        };
        readonly AllowanceChanged: {
            readonly tokenId: number;
            readonly agentName: string;
            readonly allowance: {
                /** @description Base units. An amount above 2^53-1 is answered as that; the text is exact. */
                readonly perTransaction: number;
                /** @description Decimal, in units of the stablecoin. */
                readonly perTransactionFormatted: string;
                /** @description Base units. An amount above 2^53-1 is answered as that; the text is exact. */
                readonly dailyLimit: number;
                /** @description Decimal, in units of the stablecoin. */
                readonly dailyLimitFormatted: string;
                readonly active: boolean;
                /**
                 * Format: date-time
                 * @description The last second, inclusive.
                 * @example 2026-01-31T12:00:00.000Z
                 */
                readonly validUntil: string;
            };
            readonly txHash: string;
        };
        readonly SignedAllowance: {
            readonly tokenId: number;
            /**
             * @description Base units of the stablecoin, which has 6 decimals.
             * @example 2500000
             */
            readonly perTransaction: number;
            /**
             * @description Base units of the stablecoin, which has 6 decimals.
             * @example 2500000
             */
            readonly dailyLimit: number;
            /**
             * Format: date-time
             * @description The allowance's last second. Default: 90 days after the preparation.
             */
            readonly validUntil?: string;
            /**
             * @description What the stablecoin's approval of the vault should be at least. Where it is less, the owner signs a permit too, and sends no transaction. All agents of the owner share the approval.
             * @example 2500000
             */
            readonly approval?: number;
            /** @description Of `message`, by `signer`. */
            readonly signature: string;
            /**
             * @description The passport's owner.
             * @example 0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045
             */
            readonly signer: string;
            readonly message: components["schemas"]["SetAllowanceMessage"];
            /** @description The owner's second signature, where the typed data has a permit. */
            readonly permit?: {
                readonly message: components["schemas"]["PermitMessage"];
                /** @description Of `message`, by `signer`. */
                readonly signature: string;
            };
        };
        readonly SetAllowanceMessage: {
            readonly tokenId: string;
            readonly epoch: number;
            readonly version: number;
            readonly perTransaction: string;
            readonly dailyLimit: string;
            readonly validUntil: number;
            readonly nonce: string;
            readonly deadline: string;
        };
        readonly PermitMessage: {
            /** @example 0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045 */
            readonly owner: string;
            /** @example 0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045 */
            readonly spender: string;
            readonly value: string;
            readonly nonce: string;
            readonly deadline: string;
        };
        readonly AllowanceEnded: {
            readonly tokenId: number;
            readonly agentName: string;
            readonly allowance: {
                /** @enum {boolean} */
                readonly active: false;
                /**
                 * Format: date-time
                 * @example 2026-01-31T12:00:00.000Z
                 */
                readonly deactivatedAt: string;
            };
            readonly txHash: string;
        };
        readonly SignedAllowanceEnd: {
            readonly tokenId?: number;
            /** @description Of `message`, by `signer`. */
            readonly signature: string;
            /**
             * @description The passport's owner.
             * @example 0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045
             */
            readonly signer: string;
            readonly message: components["schemas"]["DeactivateAllowanceMessage"];
        };
        readonly DeactivateAllowanceMessage: {
            readonly tokenId: string;
            readonly epoch: number;
            readonly version: number;
            readonly nonce: string;
            readonly deadline: string;
        };
        readonly Allowance: {
            readonly tokenId: number;
            readonly agentName: string;
            readonly allowance: {
                /** @description Base units. An amount above 2^53-1 is answered as that; the text is exact. */
                readonly perTransaction: number;
                /** @description Decimal, in units of the stablecoin. */
                readonly perTransactionFormatted: string;
                /** @description Base units. An amount above 2^53-1 is answered as that; the text is exact. */
                readonly dailyLimit: number;
                /** @description Decimal, in units of the stablecoin. */
                readonly dailyLimitFormatted: string;
                readonly active: boolean;
                /**
                 * Format: date-time
                 * @description The last second, inclusive.
                 * @example 2026-01-31T12:00:00.000Z
                 */
                readonly validUntil: string;
                /**
                 * @description What forbids every payment now; null for nothing.
                 * @enum {string|null}
                 */
                readonly reason: "ALLOWANCE_NOT_SET" | "ALLOWANCE_INACTIVE" | "EXCEEDS_PER_TRANSACTION_LIMIT" | "EXCEEDS_DAILY_LIMIT" | null;
                readonly epoch: number;
                readonly version: number;
                readonly usage: {
                    /** @description Base units. An amount above 2^53-1 is answered as that; the text is exact. */
                    readonly spentToday: number;
                    /** @description Decimal, in units of the stablecoin. */
                    readonly spentTodayFormatted: string;
                    /** @description Base units. An amount above 2^53-1 is answered as that; the text is exact. */
                    readonly remainingToday: number;
                    /** @description Decimal, in units of the stablecoin. */
                    readonly remainingTodayFormatted: string;
                    /**
                     * Format: date-time
                     * @example 2026-01-31T12:00:00.000Z
                     */
                    readonly periodStart: string;
                    /**
                     * Format: date-time
                     * @description Exclusive.
                     * @example 2026-01-31T12:00:00.000Z
                     */
                    readonly periodEnd: string;
                    /** @description Payments made or reported today, as last indexed. */
                    readonly transactionsToday: number;
                };
            };
            readonly funding: components["schemas"]["AllowanceFunding"];
            /** @description The block that limits and funding were read at. */
            readonly block: number;
        };
        /** @description The owner's money, read from the chain. Zero while the soul is not valid. */
        readonly AllowanceFunding: {
            /** @description Base units. An amount above 2^53-1 is answered as that; the text is exact. */
            readonly balance: number;
            /** @description Decimal, in units of the stablecoin. */
            readonly balanceFormatted: string;
            /** @description What the vault may move from the owner's wallet. */
            readonly approved: number;
            /** @description Decimal, in units of the stablecoin. */
            readonly approvedFormatted: string;
            /** @description All agents that can pay from this wallet, this one included: they share balance and approval. As last indexed. */
            readonly shared: {
                readonly agents: number;
                /** @description Base units. An amount above 2^53-1 is answered as that; the text is exact. */
                readonly dailyLimit: number;
                /** @description Decimal, in units of the stablecoin. */
                readonly dailyLimitFormatted: string;
                /** @description Base units. An amount above 2^53-1 is answered as that; the text is exact. */
                readonly remainingToday: number;
                /** @description Decimal, in units of the stablecoin. */
                readonly remainingTodayFormatted: string;
                /** @description The least of balance, approval and what all limits leave today. */
                readonly availableToday: number;
                /** @description Decimal, in units of the stablecoin. */
                readonly availableTodayFormatted: string;
            };
        };
        readonly CanSpend: {
            readonly tokenId: number;
            /** @description Base units. An amount above 2^53-1 is answered as that; the text is exact. */
            readonly amount: number;
            /** @description Decimal, in units of the stablecoin. */
            readonly amountFormatted: string;
            /** @description About the limits alone. For the money see `funding.sufficient`. */
            readonly allowed: boolean;
            /** @enum {string|null} */
            readonly reason: "ALLOWANCE_NOT_SET" | "ALLOWANCE_INACTIVE" | "EXCEEDS_PER_TRANSACTION_LIMIT" | "EXCEEDS_DAILY_LIMIT" | null;
            /** @description The reason in words. */
            readonly detail?: string;
            /** @description Only when allowed. */
            readonly remainingAfter?: {
                /** @description Within the limit for one payment. */
                readonly perTransaction: boolean;
                /** @description Base units. An amount above 2^53-1 is answered as that; the text is exact. */
                readonly dailyRemaining: number;
                /** @description Decimal, in units of the stablecoin. */
                readonly dailyRemainingFormatted: string;
            };
            /** @description The owner's money, read from the chain. Zero while the soul is not valid. */
            readonly funding: components["schemas"]["AllowanceFunding"] & {
                /** @description Whether balance and approval cover the amount now. */
                readonly sufficient: boolean;
            };
            readonly block: number;
        };
        readonly AllowanceHistory: {
            readonly tokenId: number;
            readonly agentName: string;
            /** @description Made and reported payments of all pages. */
            readonly totalSpent: number;
            /** @description Decimal, in units of the stablecoin. */
            readonly totalSpentFormatted: string;
            /** @description How many these are. */
            readonly transactionCount: number;
            /** @description Entries of all pages, refused payments included. */
            readonly totalEntries: number;
            readonly history: readonly {
                /** @description Base units. An amount above 2^53-1 is answered as that; the text is exact. */
                readonly amount: number;
                /** @description Decimal, in units of the stablecoin. */
                readonly amountFormatted: string;
                readonly recipient: string;
                /** @description The one agent that takes payments at this account; null for none or several. */
                readonly recipientAgent: string | null;
                /**
                 * Format: date-time
                 * @example 2026-01-31T12:00:00.000Z
                 */
                readonly timestamp: string;
                readonly txHash: string;
                /** @enum {string} */
                readonly status: "paid" | "refused" | "reported";
                readonly withinLimits: boolean;
                /**
                 * @description What it violated; absent for nothing. A report is the operator's word.
                 * @enum {string}
                 */
                readonly violationType?: "ALLOWANCE_NOT_SET" | "ALLOWANCE_INACTIVE" | "EXCEEDS_PER_TRANSACTION_LIMIT" | "EXCEEDS_DAILY_LIMIT" | "TRANSFER_FAILED";
                readonly paymentRef: string;
                readonly epoch: number;
            }[];
        };
        readonly StoppedAgent: {
            readonly tokenId: number;
            readonly agentName: string;
            /**
             * Format: date-time
             * @example 2026-01-31T12:00:00.000Z
             */
            readonly stoppedAt: string;
            readonly ended: {
                /** @description Keys that worked, in a grace period too. */
                readonly apiKeys: number;
                /** @description Sign-ins with the agent's passport, and owner sessions that managed all agents of the account. */
                readonly sessions: number;
                readonly webhooks: number;
            };
            readonly allowance: {
                /**
                 * @description `signature_required`: the agent can still pay. The vault ends an allowance only for the owner's signature: sign `typedData`, and send it with `DELETE /v1/allowance/{tokenId}`.
                 * @enum {string}
                 */
                readonly status: "none" | "ended" | "signature_required";
                /**
                 * Format: date-time
                 * @example 2026-01-31T12:00:00.000Z
                 */
                readonly deactivatedAt: string;
                readonly txHash: string;
                readonly typedData: components["schemas"]["TypedData"] & (Record<string, unknown> | null);
            };
        };
        readonly EmergencyStop: {
            readonly tokenId?: number;
            /** @description As `POST /v1/typed-data/emergency-stop` returned it. */
            readonly message?: components["schemas"]["EmergencyStopMessage"] | {
                readonly tokenId: string;
                readonly epoch: number;
                readonly version: number;
                readonly nonce: string;
                readonly deadline: string;
            };
            /** @description Of `message`, by `signer`. */
            readonly signature?: string;
            /**
             * @description The passport's owner.
             * @example 0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045
             */
            readonly signer?: string;
        };
        readonly EmergencyStopMessage: {
            readonly tokenId: string;
            readonly epoch: number;
            readonly nonce: string;
            readonly deadline: string;
        };
        /** @description `identity`, `soul` and `capabilities`, as docs/soul-format.md describes them. */
        readonly Ccsf: {
            readonly [key: string]: unknown;
        };
        readonly SealedAgent: {
            readonly tokenId: number;
            readonly erc8004AgentId: number;
            readonly agentName: string;
            readonly did: string;
            /** @enum {string} */
            readonly genesisStatus: "SEALED";
            readonly soulHash: string;
            readonly soulMerkleRoot: string;
            readonly contentHash: string;
            readonly arweaveTxId: string;
            readonly sealTxHash: string;
            readonly humanVerified: boolean;
            /** @description Of the registration file that was signed. */
            readonly agentURI: string;
            /** @description True when the passport points at another file: `agentUriTransaction` is left. */
            readonly needsAgentUriUpdate: boolean;
            readonly agentUriTransaction: components["schemas"]["OwnerTransaction"] & (Record<string, unknown> | null);
            /** @description Metadata of the passport that does not say what the soul is now. */
            readonly pendingMetadata: readonly components["schemas"]["PendingPassportMetadata"][];
            readonly approvalTransaction: components["schemas"]["OwnerTransaction"] & (Record<string, unknown> | null);
        };
        readonly SignedSeal: {
            readonly tokenId: number;
            /** @description That the owner is a person, for an adapter that the human verifier registry has approved, in the adapter's own encoding. */
            readonly humanProof?: {
                /** @example 0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045 */
                readonly verifier: string;
                readonly data: string;
            };
            readonly worldIdProof?: components["schemas"]["WorldIdProof"];
            /** @description Of `message`, by `signer`. */
            readonly signature: string;
            /**
             * @description The passport's owner.
             * @example 0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045
             */
            readonly signer: string;
            readonly message: components["schemas"]["SealMessage"];
        };
        readonly SealMessage: {
            readonly tokenId: string;
            readonly epoch: number;
            readonly version: number;
            readonly soulHash: string;
            readonly soulMerkleRoot: string;
            readonly contentHash: string;
            readonly agentURI: string;
            /** @example 0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045 */
            readonly humanVerifier: string;
            readonly humanProofHash: string;
            readonly nonce: string;
            readonly deadline: string;
        };
    };
    responses: never;
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}

export interface operations {
    readonly prepareAgentUri: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["AgentUriUpdate"];
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["TypedData"];
                };
            };
        };
    };
    readonly prepareRegistrationFile: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["RegistrationFileUpdate"];
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["TypedData"];
                };
            };
        };
    };
    readonly prepareRegistration: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["Registration"];
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["TypedData"];
                };
            };
        };
    };
    readonly prepareClaim: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["ClaimTerms"];
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["TypedData"];
                };
            };
        };
    };
    readonly prepareChronicle: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["Chronicle"];
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["TypedData"];
                };
            };
        };
    };
    readonly prepareBinding: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["Binding"];
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["TypedData"];
                };
            };
        };
    };
    readonly prepareBurn: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["Burn"];
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["TypedData"];
                };
            };
        };
    };
    readonly prepareReincarnation: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["Reincarnation"];
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["TypedData"];
                };
            };
        };
    };
    readonly prepareRelease: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["Release"];
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["TypedData"];
                };
            };
        };
    };
    readonly prepareReseal: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["Reseal"];
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["TypedData"];
                };
            };
        };
    };
    readonly prepareValidation: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["Validation"];
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["TypedData"];
                };
            };
        };
    };
    readonly prepareAgentKeySet: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["AgentKeysChange"];
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["TypedData"];
                };
            };
        };
    };
    readonly prepareDidUpdate: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": {
                    readonly tokenId: number;
                    readonly addAddress?: Record<string, unknown>;
                    readonly removeAddress?: Record<string, unknown>;
                };
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["TypedData"];
                };
            };
        };
    };
    readonly prepareAdminAcceptance: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": {
                    readonly organizationId?: number;
                    /**
                     * @deprecated
                     * @description Former name of `organizationId`.
                     */
                    readonly fleetId?: number;
                };
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["TypedData"];
                };
            };
        };
    };
    readonly prepareAdminChange: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": {
                    readonly organizationId?: number;
                    /**
                     * @deprecated
                     * @description Former name of `organizationId`.
                     */
                    readonly fleetId?: number;
                    /**
                     * @description The zero address takes back a naming that was not accepted.
                     * @example 0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045
                     */
                    readonly newAdmin: string;
                    /**
                     * @description Whose signature it is: the present admin's (`ChangeAdmin`), or the next one's over its acceptance in the same request (`AcceptAdmin`).
                     * @default admin
                     * @enum {string}
                     */
                    readonly role?: "admin" | "newAdmin";
                };
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["TypedData"];
                };
            };
        };
    };
    readonly prepareBatchRegistration: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": {
                    readonly organizationId?: number;
                    /**
                     * @deprecated
                     * @description Former name of `organizationId`.
                     */
                    readonly fleetId?: number;
                    readonly agents: readonly components["schemas"]["BatchAgent"][];
                    /**
                     * @description The organization's admin, who owns all agents.
                     * @example 0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045
                     */
                    readonly ownerAddress: string;
                };
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["TypedData"];
                };
            };
        };
    };
    readonly prepareInvitationEnd: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": {
                    /**
                     * @description The agents' owner, or the organizations' admin.
                     * @example 0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045
                     */
                    readonly accountAddress: string;
                    /** Format: uuid */
                    readonly invitationId: string;
                };
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["TypedData"];
                };
            };
        };
    };
    readonly prepareInvitationList: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": {
                    /**
                     * @description The agents' owner, or the organizations' admin.
                     * @example 0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045
                     */
                    readonly accountAddress: string;
                };
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["TypedData"];
                };
            };
        };
    };
    readonly prepareMembership: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": {
                    readonly organizationId?: number;
                    /**
                     * @deprecated
                     * @description Former name of `organizationId`.
                     */
                    readonly fleetId?: number;
                    readonly tokenId: number;
                    /**
                     * @description Whose signature it is: the agent owner's (`Join`) or the admin's (`Admission`). One account that is both signs as `owner`.
                     * @default owner
                     * @enum {string}
                     */
                    readonly role?: "owner" | "admin";
                };
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["TypedData"];
                };
            };
        };
    };
    readonly prepareMembershipEnd: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": {
                    readonly organizationId?: number;
                    /**
                     * @deprecated
                     * @description Former name of `organizationId`.
                     */
                    readonly fleetId?: number;
                    readonly tokenId: number;
                    /**
                     * @description The agent's owner or the admin. Default: the owner, and the admin without one.
                     * @example 0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045
                     */
                    readonly signer?: string;
                };
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["TypedData"];
                };
            };
        };
    };
    readonly prepareOrganization: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": {
                    readonly name: string;
                    /**
                     * @description Who founds and administers it.
                     * @example 0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045
                     */
                    readonly adminAddress: string;
                };
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["TypedData"];
                };
            };
        };
    };
    readonly prepareOrganizationAudit: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["NewOrganizationAudit"];
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["TypedData"];
                };
            };
        };
    };
    readonly prepareRegulatoryAudit: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["NewRegulatoryAudit"];
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["TypedData"];
                };
            };
        };
    };
    readonly prepareAllowance: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["AllowanceLimits"];
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["AllowanceTypedData"];
                };
            };
        };
    };
    readonly prepareAllowanceEnd: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["AllowanceEndRequest"];
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["TypedData"];
                };
            };
        };
    };
    readonly prepareEmergencyStop: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["EmergencyStopRequest"];
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["TypedData"];
                };
            };
        };
    };
    readonly prepareSeal: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["Seal"];
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["TypedData"];
                };
            };
        };
    };
    readonly getHealth: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        /** @enum {string} */
                        readonly status: "ok";
                    };
                };
            };
        };
    };
    readonly getReady: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Readiness"];
                };
            };
        };
    };
    readonly getStatus: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly version: string;
                        readonly specification: string;
                        readonly chainId: number;
                        readonly contracts: {
                            readonly [key: string]: string | null;
                        };
                        readonly startBlock: number;
                        readonly chainBlock: number | null;
                        readonly indexedBlock: number;
                        readonly lagBlocks: number | null;
                        /**
                         * @description `degraded` while the index is further behind the chain than the service allows, or its age is unknown: see docs/limits.md.
                         * @enum {string}
                         */
                        readonly status: "ok" | "degraded";
                        readonly storage: {
                            readonly driver: string;
                            readonly signer: string;
                        };
                    };
                };
            };
        };
    };
    readonly getOpenApiDocument: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": Record<string, unknown>;
                };
            };
        };
    };
    readonly getArchivedContent: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                readonly id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "*/*": string;
                };
            };
        };
    };
    readonly getArchivedItem: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                readonly id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/octet-stream": string;
                };
            };
        };
    };
    readonly listWebhooks: {
        readonly parameters: {
            readonly query?: {
                /** @description The agent. May be left out with a key. */
                readonly tokenId?: number;
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly webhooks: readonly components["schemas"]["Webhook"][];
                    };
                };
            };
        };
    };
    readonly createWebhook: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /** @description Repeating a request with the same key and body within 24 hours repeats its answer instead of its effect. */
                readonly "idempotency-key"?: string;
            };
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": {
                    /** @description The agent. Optional with a key, which belongs to one agent. A provisional key has no agent before the claim. */
                    readonly tokenId?: number;
                    /**
                     * @description https, port 443 or 1024 and above, no credentials, a host whose every address is public.
                     * @example https://hooks.example.com/agent
                     */
                    readonly url: string;
                    /**
                     * @example [
                     *       "owner.claimed",
                     *       "passport.transferred"
                     *     ]
                     */
                    readonly events: readonly ("owner.claimed" | "binding.created" | "binding.revoked" | "alignment.changed" | "freshness.requested" | "chronicle.recorded" | "embodiment.updated" | "passport.transferred" | "soul.resealed" | "soul.burned" | "disclosure.requested" | "disclosure.fulfilled" | "disclosure.expired" | "disclosure.revoked" | "audit.requested" | "webhook.failing" | "webhook.disabled")[];
                    /**
                     * Format: email
                     * @description Notified by mail when the webhook is disabled after failures, if the service sends mail.
                     */
                    readonly notifyEmail?: string | null;
                };
            };
        };
        readonly responses: {
            readonly 201: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["CreatedWebhook"];
                };
            };
        };
    };
    readonly deleteWebhook: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                readonly webhookId: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            readonly 204: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    readonly updateWebhook: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                readonly webhookId: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": {
                    readonly enabled: boolean;
                };
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Webhook"];
                };
            };
        };
    };
    readonly rotateWebhook: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /** @description Repeating a request with the same key and body within 24 hours repeats its answer instead of its effect. */
                readonly "idempotency-key"?: string;
            };
            readonly path: {
                readonly webhookId: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": {
                    /**
                     * @description How long deliveries are also signed with the previous secret. 0 ends it at once.
                     * @default 86400
                     */
                    readonly graceSeconds?: number;
                };
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["RotatedWebhook"];
                };
            };
        };
    };
    readonly testWebhook: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /** @description Repeating a request with the same key and body within 24 hours repeats its answer instead of its effect. */
                readonly "idempotency-key"?: string;
            };
            readonly path: {
                readonly webhookId: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            readonly 202: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        /** Format: uuid */
                        readonly deliveryId: string;
                    };
                };
            };
        };
    };
    readonly listWebhookDeliveries: {
        readonly parameters: {
            readonly query?: {
                readonly limit?: number;
                /** @description `nextCursor` of the previous page. */
                readonly cursor?: string;
            };
            readonly header?: never;
            readonly path: {
                readonly webhookId: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly deliveries: readonly components["schemas"]["WebhookDelivery"][];
                        /**
                         * Format: uuid
                         * @description Null on the last page.
                         */
                        readonly nextCursor: string | null;
                    };
                };
            };
        };
    };
    readonly recoverWebhook: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /** @description Repeating a request with the same key and body within 24 hours repeats its answer instead of its effect. */
                readonly "idempotency-key"?: string;
            };
            readonly path: {
                readonly webhookId: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": {
                    /**
                     * Format: date-time
                     * @description Events from this time on, which is at most 30 days ago.
                     * @example 2026-03-01T00:00:00Z
                     */
                    readonly since: string;
                    /**
                     * Format: date-time
                     * @description Events before this time. Default: now.
                     * @example 2026-03-11T00:00:00Z
                     */
                    readonly until?: string;
                };
            };
        };
        readonly responses: {
            readonly 202: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["RecoveredWebhook"];
                };
            };
        };
    };
    readonly resendWebhookDelivery: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /** @description Repeating a request with the same key and body within 24 hours repeats its answer instead of its effect. */
                readonly "idempotency-key"?: string;
            };
            readonly path: {
                readonly webhookId: string;
                readonly deliveryId: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            readonly 202: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        /** Format: uuid */
                        readonly deliveryId: string;
                        /**
                         * @description `paused`: it was pending when the webhook was disabled or the passport moved. `missed`: it happened while the webhook was disabled, or was paused for 7 days: recover sends it. `cancelled`: the webhook ended first, or the passport was away for 7 days.
                         * @enum {string}
                         */
                        readonly status: "pending" | "delivered" | "failed" | "paused" | "missed" | "cancelled";
                    };
                };
            };
        };
    };
    readonly checkName: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                readonly name: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly available: boolean;
                        readonly reason?: string;
                    };
                };
            };
        };
    };
    readonly nameAvailable: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                readonly name: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly name: string;
                        readonly available: boolean;
                        readonly suggestion: string;
                    };
                };
            };
        };
    };
    readonly getAuthorizationServerMetadata: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly issuer: string;
                        readonly introspection_endpoint: string;
                        readonly introspection_endpoint_auth_methods_supported: readonly "none"[];
                        readonly revocation_endpoint: string;
                        readonly revocation_endpoint_auth_methods_supported: readonly "none"[];
                        readonly scopes_supported: readonly ("identity" | "profile" | "soul" | "chronicles" | "certs" | "services" | "human_verified" | "did" | "manage")[];
                        readonly response_types_supported: readonly string[];
                        readonly grant_types_supported: readonly string[];
                    };
                };
            };
        };
    };
    readonly signInChallenge: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": {
                    /** @example 0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045 */
                    readonly address: string;
                    /** @description The passport to sign in with. Default: the one of the highest tier, then the one held longest. */
                    readonly agentId?: number;
                    /**
                     * @description Scopes above the caller's tier are left out silently. `manage` makes the token an owner session: for the agent of `agentId`, or for every agent of the account where none is named. Not with an `audience`.
                     * @default [
                     *       "identity"
                     *     ]
                     */
                    readonly scope?: readonly ("identity" | "profile" | "soul" | "chronicles" | "certs" | "services" | "human_verified" | "did" | "manage")[];
                    /**
                     * @description Verify refuses a lower tier with TIER_TOO_LOW.
                     * @enum {integer}
                     */
                    readonly minTier?: 1 | 2 | 3;
                    /** @description Must be the deployment's chain, which is the default. */
                    readonly chainId?: number;
                    /**
                     * Format: uri
                     * @description Origin of the relying party that the token is for: `aud` of the token, shown in the message. Default: this service's domain.
                     * @example https://shop.example
                     */
                    readonly audience?: string;
                };
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["SignInChallenge"];
                };
            };
        };
    };
    readonly signInVerify: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": {
                    readonly nonce: string;
                    readonly message: string;
                    readonly signature: string;
                };
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly code: string;
                        /**
                         * Format: date-time
                         * @example 2026-01-31T12:00:00.000Z
                         */
                        readonly expiresAt: string;
                    };
                };
            };
        };
    };
    readonly signInToken: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": {
                    readonly code: string;
                };
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["SignInToken"];
                };
            };
        };
    };
    readonly agentSignInChallenge: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": {
                    readonly agentId: number;
                    /** @example 0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045 */
                    readonly address: string;
                    /**
                     * @description Scopes above the caller's tier are left out silently. `manage` makes the token an owner session: for the agent of `agentId`, or for every agent of the account where none is named. Not with an `audience`.
                     * @default [
                     *       "identity"
                     *     ]
                     */
                    readonly scope?: readonly ("identity" | "profile" | "soul" | "chronicles" | "certs" | "services" | "human_verified" | "did" | "manage")[];
                    /**
                     * @description Verify refuses a lower tier with TIER_TOO_LOW.
                     * @enum {integer}
                     */
                    readonly minTier?: 1 | 2 | 3;
                    /** @description Must be the deployment's chain, which is the default. */
                    readonly chainId?: number;
                    /**
                     * Format: uri
                     * @description Origin of the relying party that the token is for: `aud` of the token, shown in the message. Default: this service's domain.
                     * @example https://shop.example
                     */
                    readonly audience?: string;
                };
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["SignInChallenge"];
                };
            };
        };
    };
    readonly agentSignInVerify: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": {
                    readonly nonce: string;
                    readonly message: string;
                    readonly signature: string;
                };
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["SignInToken"];
                };
            };
        };
    };
    readonly introspectToken: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: {
            readonly content: {
                readonly "application/json": {
                    readonly token: string;
                } & {
                    readonly [key: string]: unknown;
                };
                readonly "application/x-www-form-urlencoded": {
                    readonly token: string;
                } & {
                    readonly [key: string]: unknown;
                };
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Introspection"];
                };
            };
        };
    };
    readonly revokeToken: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: {
            readonly content: {
                readonly "application/json": {
                    readonly token: string;
                } & {
                    readonly [key: string]: unknown;
                };
                readonly "application/x-www-form-urlencoded": {
                    readonly token: string;
                } & {
                    readonly [key: string]: unknown;
                };
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": Record<string, unknown>;
                };
            };
        };
    };
    readonly verifyApiKey: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": {
                    readonly apiKey: string;
                };
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["KeyVerification"];
                };
            };
        };
    };
    readonly listSessions: {
        readonly parameters: {
            readonly query: {
                readonly tokenId: number;
                readonly limit?: number;
                /** @description `nextCursor` of the page before. */
                readonly cursor?: string;
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Sessions"];
                };
            };
        };
    };
    readonly endSession: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                readonly sessionId: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            readonly 204: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    readonly rotateKeys: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /** @description Repeating a request with the same key and body within 24 hours repeats its answer instead of its effect. */
                readonly "idempotency-key"?: string;
            };
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": {
                    readonly tokenId: number;
                    /**
                     * @description How long the keys of before go on working. A grace that already runs is never prolonged. A provisional key has none.
                     * @default 0
                     */
                    readonly graceSeconds?: number;
                };
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["RotatedKey"];
                };
            };
        };
    };
    readonly exchangeKey: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /** @description Repeating a request with the same key and body within 24 hours repeats its answer instead of its effect. */
                readonly "idempotency-key"?: string;
            };
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["ExchangedKey"];
                };
            };
        };
    };
    readonly listKeys: {
        readonly parameters: {
            readonly query: {
                readonly tokenId: number;
                readonly limit?: number;
                /** @description `nextCursor` of the page before. */
                readonly cursor?: string;
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["ApiKeys"];
                };
            };
        };
    };
    readonly revokeKey: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                readonly keyId: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            readonly 204: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    readonly getRegistrationFile: {
        readonly parameters: {
            readonly query?: {
                /** @description Wait until this block is indexed, a bounded time; then 503. A block that the chain does not have yet is refused. */
                readonly minBlock?: string;
            };
            readonly header?: never;
            readonly path: {
                /** @description The agent's name, or its token id. */
                readonly name: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly type?: string;
                    } & {
                        readonly [key: string]: unknown;
                    };
                };
            };
        };
    };
    readonly updateRegistrationFile: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /** @description Repeating a request with the same key and body within 24 hours repeats its answer instead of its effect. */
                readonly "idempotency-key"?: string;
            };
            readonly path: {
                readonly tokenId: number;
            };
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["SignedRegistrationFileUpdate"];
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["RegistrationFileUpdated"];
                };
            };
        };
    };
    readonly updateAgentUri: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /** @description Repeating a request with the same key and body within 24 hours repeats its answer instead of its effect. */
                readonly "idempotency-key"?: string;
            };
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["SignedAgentUriUpdate"];
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["AgentUriUpdated"];
                };
            };
        };
    };
    readonly getRegistrationStatus: {
        readonly parameters: {
            readonly query: {
                readonly id: string;
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["RegistrationStatus"];
                };
            };
        };
    };
    readonly registerAgent: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /** @description Repeating a request with the same key and body within 24 hours repeats its answer instead of its effect. */
                readonly "idempotency-key"?: string;
            };
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["OwnerRegistration"] | components["schemas"]["AgentChallengeStep"] | components["schemas"]["AgentRegisterStep"];
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["AgentChallenge"];
                };
            };
            readonly 201: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["RegisteredAgent"] | components["schemas"]["AgentRegistered"];
                };
            };
        };
    };
    readonly getClaimDraft: {
        readonly parameters: {
            readonly query: {
                readonly id: string;
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["ClaimDraft"];
                };
            };
        };
    };
    readonly claimAgent: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /** @description Repeating a request with the same key and body within 24 hours repeats its answer instead of its effect. */
                readonly "idempotency-key"?: string;
            };
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["Claim"];
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Claimed"];
                };
            };
        };
    };
    readonly claimAgentLegacy: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /** @description Repeating a request with the same key and body within 24 hours repeats its answer instead of its effect. */
                readonly "idempotency-key"?: string;
            };
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["Claim"];
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Claimed"];
                };
            };
        };
    };
    readonly getProfile: {
        readonly parameters: {
            readonly query?: {
                /** @description Wait until this block is indexed, a bounded time; then 503. A block that the chain does not have yet is refused. */
                readonly minBlock?: string;
            };
            readonly header?: never;
            readonly path: {
                /** @description The agent's name, or its token id. */
                readonly name: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["AgentProfile"];
                };
            };
        };
    };
    readonly getProfileStatus: {
        readonly parameters: {
            readonly query?: {
                /** @description Wait until this block is indexed, a bounded time; then 503. A block that the chain does not have yet is refused. */
                readonly minBlock?: string;
            };
            readonly header?: never;
            readonly path: {
                /** @description The agent's name, or its token id. */
                readonly name: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["AgentStatus"];
                };
            };
        };
    };
    readonly putPublicIdentity: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /** @description Repeating a request with the same key and body within 24 hours repeats its answer instead of its effect. */
                readonly "idempotency-key"?: string;
            };
            readonly path: {
                readonly tokenId: number;
            };
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["PublicIdentityBody"];
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["UpdatedIdentity"];
                };
            };
        };
    };
    readonly getDisplaySettings: {
        readonly parameters: {
            readonly query?: {
                /** @description Wait until this block is indexed, a bounded time; then 503. A block that the chain does not have yet is refused. */
                readonly minBlock?: string;
            };
            readonly header?: never;
            readonly path: {
                /** @description The agent's name, or its token id. */
                readonly name: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["DisplaySettings"];
                };
            };
        };
    };
    readonly putDisplaySettings: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /** @description Repeating a request with the same key and body within 24 hours repeats its answer instead of its effect. */
                readonly "idempotency-key"?: string;
            };
            readonly path: {
                /** @description The agent's name, or its token id. */
                readonly name: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["DisplayBody"];
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["DisplaySettings"];
                };
            };
        };
    };
    readonly getSoulValidity: {
        readonly parameters: {
            readonly query?: {
                /** @description Wait until this block is indexed, a bounded time; then 503. A block that the chain does not have yet is refused. */
                readonly minBlock?: string;
            };
            readonly header?: never;
            readonly path: {
                readonly tokenId: number;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["SoulValidity"];
                };
            };
        };
    };
    readonly listAgents: {
        readonly parameters: {
            readonly query?: {
                /** @description Who owns the passport now. */
                readonly owner?: string;
                /** @description Who acts for the agent: its own account, or its owner when it has none. */
                readonly operator?: string;
                /** @description The passport. Souls that were burned on it are found too. */
                readonly erc8004AgentId?: number;
                /** @description Members, while their seals are valid. */
                readonly organizationId?: number;
                /** @description The beginning of a name, a DID, an account that owns or operates, or digits: a token id and a passport's id, both are found. No wildcards. */
                readonly q?: string;
                readonly type?: "assistant" | "companion" | "specialist" | "creative" | "other";
                /** @description Of the seal, as `soulValidity`. */
                readonly validity?: "valid" | "suspended" | "not_linked";
                /** @description What the agent's public identity says. */
                readonly category?: "technology" | "commerce" | "knowledge" | "wellness" | "creation" | "communication" | "entertainment" | "relationship" | "other";
                /** @description `registered`: oldest first; `newest`: youngest first; `name`. */
                readonly sort?: "registered" | "newest" | "name";
                /** @description `nextCursor` of the page before, in the same order. */
                readonly cursor?: string;
                readonly limit?: number;
                /** @description Wait until this block is indexed, a bounded time; then 503. A block that the chain does not have yet is refused. */
                readonly minBlock?: string;
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["AgentPage"];
                };
            };
        };
    };
    readonly uploadSoulDocument: {
        readonly parameters: {
            readonly query: {
                readonly token: string;
            };
            readonly header?: {
                /** @description Repeating a request with the same key and body within 24 hours repeats its answer instead of its effect. */
                readonly "idempotency-key"?: string;
            };
            readonly path: {
                readonly documentId: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/octet-stream": string;
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["UploadedDocument"];
                };
            };
        };
    };
    readonly requestDocumentUpload: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /** @description Repeating a request with the same key and body within 24 hours repeats its answer instead of its effect. */
                readonly "idempotency-key"?: string;
            };
            readonly path: {
                readonly tokenId: number;
            };
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["DocumentUploadRequest"];
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["DocumentUploadUrl"];
                };
            };
        };
    };
    readonly listSoulDocuments: {
        readonly parameters: {
            readonly query?: {
                /** @description Wait until this block is indexed, a bounded time; then 503. A block that the chain does not have yet is refused. */
                readonly minBlock?: string;
            };
            readonly header?: never;
            readonly path: {
                /** @description The agent's name, or its token id. */
                readonly name: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["SoulDocuments"];
                };
            };
        };
    };
    readonly getChronicleRequest: {
        readonly parameters: {
            readonly query: {
                readonly id: string;
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["OpenChronicleRequest"];
                };
            };
        };
    };
    readonly requestChronicle: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /** @description Repeating a request with the same key and body within 24 hours repeats its answer instead of its effect. */
                readonly "idempotency-key"?: string;
            };
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["ChronicleRequest"];
            };
        };
        readonly responses: {
            readonly 201: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["RequestedChronicle"];
                };
            };
        };
    };
    readonly getChronicleProof: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                readonly queueId: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["ChronicleProof"];
                };
            };
        };
    };
    readonly recordChronicle: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /** @description Repeating a request with the same key and body within 24 hours repeats its answer instead of its effect. */
                readonly "idempotency-key"?: string;
            };
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["ChronicleBody"];
            };
        };
        readonly responses: {
            readonly 201: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["RecordedChronicle"];
                };
            };
        };
    };
    readonly recordChronicleLegacy: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /** @description Repeating a request with the same key and body within 24 hours repeats its answer instead of its effect. */
                readonly "idempotency-key"?: string;
            };
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["ChronicleBody"];
            };
        };
        readonly responses: {
            readonly 201: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["RecordedChronicle"];
                };
            };
        };
    };
    readonly listChronicles: {
        readonly parameters: {
            readonly query?: {
                readonly page?: number;
                readonly limit?: number;
                readonly category?: "technical" | "certification" | "achievement" | "experience" | "endorsement" | "document" | "other";
                readonly changeType?: string;
                readonly includeDetails?: "true" | "false";
                /** @description Wait until this block is indexed, a bounded time; then 503. A block that the chain does not have yet is refused. */
                readonly minBlock?: string;
            };
            readonly header?: never;
            readonly path: {
                /** @description The agent's name, or its token id. */
                readonly name: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["ChronicleList"];
                };
            };
        };
    };
    readonly listChroniclesLegacy: {
        readonly parameters: {
            readonly query?: {
                readonly page?: number;
                readonly limit?: number;
                readonly category?: "technical" | "certification" | "achievement" | "experience" | "endorsement" | "document" | "other";
                readonly changeType?: string;
                readonly includeDetails?: "true" | "false";
                /** @description Wait until this block is indexed, a bounded time; then 503. A block that the chain does not have yet is refused. */
                readonly minBlock?: string;
            };
            readonly header?: never;
            readonly path: {
                /** @description The agent's name, or its token id. */
                readonly name: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["ChronicleList"];
                };
            };
        };
    };
    readonly createBinding: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /** @description Repeating a request with the same key and body within 24 hours repeats its answer instead of its effect. */
                readonly "idempotency-key"?: string;
            };
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["NewBinding"];
            };
        };
        readonly responses: {
            readonly 201: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["CreatedBinding"];
                };
            };
        };
    };
    readonly updateBinding: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /** @description Repeating a request with the same key and body within 24 hours repeats its answer instead of its effect. */
                readonly "idempotency-key"?: string;
            };
            readonly path: {
                /** @description keccak256 of the two token ids, each as 32 bytes. */
                readonly bindingId: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["BindingUpdate"];
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["UpdatedBinding"];
                };
            };
        };
    };
    readonly listBindings: {
        readonly parameters: {
            readonly query?: {
                readonly trustLevel?: "trusted" | "verified" | "limited" | "revoked";
                /** @description `outbound`: how far this agent trusts others; `inbound`: how far others trust it. */
                readonly direction?: "inbound" | "outbound" | "both";
                /** @description Whether bindings of epochs that a reseal ended are listed too. */
                readonly includeEnded?: "true" | "false";
                readonly page?: number;
                readonly limit?: number;
                /** @description Wait until this block is indexed, a bounded time; then 503. A block that the chain does not have yet is refused. */
                readonly minBlock?: string;
            };
            readonly header?: never;
            readonly path: {
                /** @description The agent's name, or its token id. */
                readonly name: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["BindingList"];
                };
            };
        };
    };
    readonly getBindingHistory: {
        readonly parameters: {
            readonly query?: {
                readonly page?: number;
                readonly limit?: number;
                /** @description Wait until this block is indexed, a bounded time; then 503. A block that the chain does not have yet is refused. */
                readonly minBlock?: string;
            };
            readonly header?: never;
            readonly path: {
                /** @description keccak256 of the two token ids, each as 32 bytes. */
                readonly bindingId: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["BindingHistory"];
                };
            };
        };
    };
    readonly resealAgent: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /** @description Repeating a request with the same key and body within 24 hours repeats its answer instead of its effect. */
                readonly "idempotency-key"?: string;
            };
            readonly path: {
                readonly tokenId: number;
            };
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["SignedReseal"];
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["ResealedAgent"];
                };
            };
        };
    };
    readonly releaseAgent: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /** @description Repeating a request with the same key and body within 24 hours repeats its answer instead of its effect. */
                readonly "idempotency-key"?: string;
            };
            readonly path: {
                readonly tokenId: number;
            };
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["SignedRelease"];
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["ReleasedAgent"];
                };
            };
        };
    };
    readonly burnAgent: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /** @description Repeating a request with the same key and body within 24 hours repeats its answer instead of its effect. */
                readonly "idempotency-key"?: string;
            };
            readonly path: {
                readonly tokenId: number;
            };
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["SignedBurn"];
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["BurnedAgent"];
                };
            };
        };
    };
    readonly reincarnateAgent: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /** @description Repeating a request with the same key and body within 24 hours repeats its answer instead of its effect. */
                readonly "idempotency-key"?: string;
            };
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["SignedReincarnation"];
            };
        };
        readonly responses: {
            readonly 201: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["ReincarnatedAgent"];
                };
            };
        };
    };
    readonly validateAgent: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /** @description Repeating a request with the same key and body within 24 hours repeats its answer instead of its effect. */
                readonly "idempotency-key"?: string;
            };
            readonly path: {
                readonly tokenId: number;
            };
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["SignedValidation"];
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["ValidatedAgent"];
                };
            };
        };
    };
    readonly verifyAgent: {
        readonly parameters: {
            readonly query?: {
                /** @description Wait until this block is indexed, a bounded time; then 503. A block that the chain does not have yet is refused. */
                readonly minBlock?: string;
            };
            readonly header?: never;
            readonly path: {
                /** @description The agent's name, or its token id. */
                readonly name: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Verification"];
                };
            };
        };
    };
    readonly getDidDocument: {
        readonly parameters: {
            readonly query?: {
                /** @description An archived version of the present epoch, by its storage id; owner, operator and services are those of now. */
                readonly versionId?: string;
                /** @description Wait until this block is indexed, a bounded time; then 503. A block that the chain does not have yet is refused. */
                readonly minBlock?: string;
            };
            readonly header?: never;
            readonly path: {
                /** @description The agent's name or token id, `did:svc:<name>` or `did:svc:<chain id>:<name>`. */
                readonly name: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["DidDocument"];
                    readonly "application/did+ld+json": components["schemas"]["DidDocument"];
                    readonly "application/did+json": components["schemas"]["DidDocument"];
                    readonly "application/did": components["schemas"]["DidDocument"];
                    readonly "application/did-resolution": components["schemas"]["DidResolution"];
                    readonly "application/did-resolution+json": components["schemas"]["DidResolution"];
                };
            };
        };
    };
    readonly updateDidDocument: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /** @description Repeating a request with the same key and body within 24 hours repeats its answer instead of its effect. */
                readonly "idempotency-key"?: string;
            };
            readonly path: {
                /** @description The agent's name or token id, `did:svc:<name>` or `did:svc:<chain id>:<name>`. */
                readonly name: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": {
                    readonly tokenId: number;
                    readonly addAddress?: Record<string, unknown>;
                    readonly removeAddress?: Record<string, unknown>;
                    /** @description Of `message`, by `signer`. */
                    readonly signature: string;
                    /**
                     * @description The passport's owner.
                     * @example 0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045
                     */
                    readonly signer: string;
                    readonly message: components["schemas"]["SetDidArchiveMessage"];
                };
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["DidUpdated"];
                };
            };
        };
    };
    readonly getAgentKeySet: {
        readonly parameters: {
            readonly query?: {
                /** @description Wait until this block is indexed, a bounded time; then 503. A block that the chain does not have yet is refused. */
                readonly minBlock?: string;
            };
            readonly header?: never;
            readonly path: {
                /** @description The agent's name, or its token id. */
                readonly name: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/jwk-set+json": components["schemas"]["AgentKeySet"];
                };
            };
        };
    };
    readonly updateAgentKeySet: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /** @description Repeating a request with the same key and body within 24 hours repeats its answer instead of its effect. */
                readonly "idempotency-key"?: string;
            };
            readonly path: {
                /** @description The agent's name, or its token id. */
                readonly name: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["SignedAgentKeysChange"];
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["AgentKeysUpdated"];
                };
            };
        };
    };
    readonly listInvitations: {
        readonly parameters: {
            readonly query?: {
                readonly organizationId?: number;
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Invitations"];
                };
            };
        };
    };
    readonly listInvitationsBySignature: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /** @description Repeating a request with the same key and body within 24 hours repeats its answer instead of its effect. */
                readonly "idempotency-key"?: string;
            };
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["InvitationsBySignature"];
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Invitations"];
                };
            };
        };
    };
    readonly listInvitationsLegacy: {
        readonly parameters: {
            readonly query?: {
                readonly organizationId?: number;
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Invitations"];
                };
            };
        };
    };
    readonly listInvitationsBySignatureLegacy: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /** @description Repeating a request with the same key and body within 24 hours repeats its answer instead of its effect. */
                readonly "idempotency-key"?: string;
            };
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["InvitationsBySignature"];
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Invitations"];
                };
            };
        };
    };
    readonly getInvitation: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                readonly invitationId: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Invitation"];
                };
            };
        };
    };
    readonly endInvitation: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /** @description Repeating a request with the same key and body within 24 hours repeats its answer instead of its effect. */
                readonly "idempotency-key"?: string;
                readonly "x-svc-owner-signature"?: string;
            };
            readonly path: {
                readonly invitationId: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: {
            readonly content: {
                readonly "application/json": components["schemas"]["InvitationEnd"];
            };
        };
        readonly responses: {
            readonly 204: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    readonly getInvitationLegacy: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                readonly invitationId: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Invitation"];
                };
            };
        };
    };
    readonly endInvitationLegacy: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /** @description Repeating a request with the same key and body within 24 hours repeats its answer instead of its effect. */
                readonly "idempotency-key"?: string;
                readonly "x-svc-owner-signature"?: string;
            };
            readonly path: {
                readonly invitationId: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: {
            readonly content: {
                readonly "application/json": components["schemas"]["InvitationEnd"];
            };
        };
        readonly responses: {
            readonly 204: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    readonly listOrganizations: {
        readonly parameters: {
            readonly query?: {
                readonly admin?: string;
                /** @description The organization of this agent. */
                readonly tokenId?: number;
                /** @description The beginning of the name in any case, or an id. No wildcards. */
                readonly q?: string;
                /** @description `nextCursor` of the page before. */
                readonly cursor?: number;
                readonly limit?: number;
                /** @description Wait until this block is indexed, a bounded time; then 503. A block that the chain does not have yet is refused. */
                readonly minBlock?: string;
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["OrganizationPage"];
                };
            };
        };
    };
    readonly createOrganization: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /** @description Repeating a request with the same key and body within 24 hours repeats its answer instead of its effect. */
                readonly "idempotency-key"?: string;
            };
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["NewOrganization"];
            };
        };
        readonly responses: {
            readonly 201: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["FoundedOrganization"];
                };
            };
        };
    };
    readonly listOrganizationsLegacy: {
        readonly parameters: {
            readonly query?: {
                readonly admin?: string;
                /** @description The organization of this agent. */
                readonly tokenId?: number;
                /** @description The beginning of the name in any case, or an id. No wildcards. */
                readonly q?: string;
                /** @description `nextCursor` of the page before. */
                readonly cursor?: number;
                readonly limit?: number;
                /** @description Wait until this block is indexed, a bounded time; then 503. A block that the chain does not have yet is refused. */
                readonly minBlock?: string;
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["OrganizationPage"];
                };
            };
        };
    };
    readonly createOrganizationLegacy: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /** @description Repeating a request with the same key and body within 24 hours repeats its answer instead of its effect. */
                readonly "idempotency-key"?: string;
            };
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["NewOrganization"];
            };
        };
        readonly responses: {
            readonly 201: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["FoundedOrganization"];
                };
            };
        };
    };
    readonly getOrganization: {
        readonly parameters: {
            readonly query?: {
                readonly membersLimit?: number;
                readonly membersOffset?: number;
                /** @description `addedAt`: the first to join first; `agentName`; `soulAlignment`: the highest score first. */
                readonly sortBy?: "addedAt" | "agentName" | "soulAlignment";
                /** @description Wait until this block is indexed, a bounded time; then 503. A block that the chain does not have yet is refused. */
                readonly minBlock?: string;
            };
            readonly header?: never;
            readonly path: {
                readonly organizationId: number;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Organization"];
                };
            };
        };
    };
    readonly getOrganizationLegacy: {
        readonly parameters: {
            readonly query?: {
                readonly membersLimit?: number;
                readonly membersOffset?: number;
                /** @description `addedAt`: the first to join first; `agentName`; `soulAlignment`: the highest score first. */
                readonly sortBy?: "addedAt" | "agentName" | "soulAlignment";
                /** @description Wait until this block is indexed, a bounded time; then 503. A block that the chain does not have yet is refused. */
                readonly minBlock?: string;
            };
            readonly header?: never;
            readonly path: {
                readonly organizationId: number;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Organization"];
                };
            };
        };
    };
    readonly getOrganizationStats: {
        readonly parameters: {
            readonly query?: {
                /** @description Wait until this block is indexed, a bounded time; then 503. A block that the chain does not have yet is refused. */
                readonly minBlock?: string;
            };
            readonly header?: never;
            readonly path: {
                readonly organizationId: number;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["OrganizationStats"];
                };
            };
        };
    };
    readonly getOrganizationStatsLegacy: {
        readonly parameters: {
            readonly query?: {
                /** @description Wait until this block is indexed, a bounded time; then 503. A block that the chain does not have yet is refused. */
                readonly minBlock?: string;
            };
            readonly header?: never;
            readonly path: {
                readonly organizationId: number;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["OrganizationStats"];
                };
            };
        };
    };
    readonly addOrganizationMember: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /** @description Repeating a request with the same key and body within 24 hours repeats its answer instead of its effect. */
                readonly "idempotency-key"?: string;
            };
            readonly path: {
                readonly organizationId: number;
            };
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["NewMember"];
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["MemberAdded"];
                };
            };
            readonly 202: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Invitation"];
                };
            };
        };
    };
    readonly addOrganizationMemberLegacy: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /** @description Repeating a request with the same key and body within 24 hours repeats its answer instead of its effect. */
                readonly "idempotency-key"?: string;
            };
            readonly path: {
                readonly organizationId: number;
            };
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["NewMember"];
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["MemberAdded"];
                };
            };
            readonly 202: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Invitation"];
                };
            };
        };
    };
    readonly removeOrganizationMember: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /** @description Repeating a request with the same key and body within 24 hours repeats its answer instead of its effect. */
                readonly "idempotency-key"?: string;
                readonly "x-svc-owner-signature"?: string;
            };
            readonly path: {
                readonly organizationId: number;
                readonly tokenId: number;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: {
            readonly content: {
                readonly "application/json": components["schemas"]["MembershipEnd"];
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["MemberRemoved"];
                };
            };
        };
    };
    readonly removeOrganizationMemberLegacy: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /** @description Repeating a request with the same key and body within 24 hours repeats its answer instead of its effect. */
                readonly "idempotency-key"?: string;
                readonly "x-svc-owner-signature"?: string;
            };
            readonly path: {
                readonly organizationId: number;
                readonly tokenId: number;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: {
            readonly content: {
                readonly "application/json": components["schemas"]["MembershipEnd"];
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["MemberRemoved"];
                };
            };
        };
    };
    readonly changeOrganizationAdmin: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /** @description Repeating a request with the same key and body within 24 hours repeats its answer instead of its effect. */
                readonly "idempotency-key"?: string;
            };
            readonly path: {
                readonly organizationId: number;
            };
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["NewAdmin"];
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["AdminChanged"];
                };
            };
        };
    };
    readonly changeOrganizationAdminLegacy: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /** @description Repeating a request with the same key and body within 24 hours repeats its answer instead of its effect. */
                readonly "idempotency-key"?: string;
            };
            readonly path: {
                readonly organizationId: number;
            };
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["NewAdmin"];
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["AdminChanged"];
                };
            };
        };
    };
    readonly acceptOrganizationAdmin: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /** @description Repeating a request with the same key and body within 24 hours repeats its answer instead of its effect. */
                readonly "idempotency-key"?: string;
            };
            readonly path: {
                readonly organizationId: number;
            };
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["AdminAcceptance"];
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["AdminChanged"];
                };
            };
        };
    };
    readonly acceptOrganizationAdminLegacy: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /** @description Repeating a request with the same key and body within 24 hours repeats its answer instead of its effect. */
                readonly "idempotency-key"?: string;
            };
            readonly path: {
                readonly organizationId: number;
            };
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["AdminAcceptance"];
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["AdminChanged"];
                };
            };
        };
    };
    readonly registerBatch: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /** @description Repeating a request with the same key and body within 24 hours repeats its answer instead of its effect. */
                readonly "idempotency-key"?: string;
            };
            readonly path: {
                readonly organizationId: number;
            };
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["BatchRegistration"];
            };
        };
        readonly responses: {
            readonly 201: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["RegisteredBatch"];
                };
            };
        };
    };
    readonly registerBatchLegacy: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /** @description Repeating a request with the same key and body within 24 hours repeats its answer instead of its effect. */
                readonly "idempotency-key"?: string;
            };
            readonly path: {
                readonly organizationId: number;
            };
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["BatchRegistration"];
            };
        };
        readonly responses: {
            readonly 201: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["RegisteredBatch"];
                };
            };
        };
    };
    readonly discloseFields: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["NewDisclosure"];
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Disclosure"];
                };
            };
        };
    };
    readonly listDisclosures: {
        readonly parameters: {
            readonly query?: {
                readonly limit?: number;
                readonly offset?: number;
                readonly recipientDid?: string;
                readonly field?: "identity.name" | "identity.agent_type" | "identity.description" | "soul.purpose" | "soul.personality" | "soul.constraints" | "soul.guidelines" | "capabilities.skills" | "capabilities.tools" | "capabilities.languages" | "capabilities.models" | "soul.documents";
                /** @description A date or a time: only what was issued since. */
                readonly since?: string;
            };
            readonly header?: never;
            readonly path: {
                readonly tokenId: number;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["DisclosureHistory"];
                };
            };
        };
    };
    readonly revokeDisclosure: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /** @description Repeating a request with the same key and body within 24 hours repeats its answer instead of its effect. */
                readonly "idempotency-key"?: string;
            };
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["DisclosureRevocation"];
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["RevokedDisclosure"];
                };
            };
        };
    };
    readonly getDisclosureSummary: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description The agent's name, or its token id. */
                readonly name: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["DisclosureSummary"];
                };
            };
        };
    };
    readonly setDisclosurePolicy: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /** @description Repeating a request with the same key and body within 24 hours repeats its answer instead of its effect. */
                readonly "idempotency-key"?: string;
            };
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["NewDisclosurePolicy"];
            };
        };
        readonly responses: {
            readonly 201: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["CreatedDisclosurePolicy"];
                };
            };
        };
    };
    readonly listDisclosurePolicies: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                readonly tokenId: number;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["DisclosurePolicies"];
                };
            };
        };
    };
    readonly endDisclosurePolicy: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /** @description Repeating a request with the same key and body within 24 hours repeats its answer instead of its effect. */
                readonly "idempotency-key"?: string;
            };
            readonly path: {
                readonly policyId: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": {
                    readonly tokenId: number;
                };
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["DisclosurePolicy"];
                };
            };
        };
    };
    readonly verifyDisclosure: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["FieldProof"];
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["CheckedFieldProof"];
                };
            };
        };
    };
    readonly verifyDisclosures: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["FieldProofs"];
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["CheckedFieldProofs"];
                };
            };
        };
    };
    readonly requestDisclosure: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /** @description Repeating a request with the same key and body within 24 hours repeats its answer instead of its effect. */
                readonly "idempotency-key"?: string;
            };
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["NewDisclosureRequest"];
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["PartialDisclosure"];
                };
            };
            readonly 202: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["PendingDisclosureRequest"];
                };
            };
        };
    };
    readonly getDisclosureRequest: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                readonly requestId: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["DisclosureRequest"];
                };
            };
        };
    };
    readonly listDisclosureRequests: {
        readonly parameters: {
            readonly query?: {
                readonly limit?: number;
                readonly offset?: number;
            };
            readonly header?: never;
            readonly path: {
                readonly tokenId: number;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["WaitingDisclosureRequests"];
                };
            };
        };
    };
    readonly fulfilDisclosureRequest: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                readonly requestId: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["DisclosureAnswer"];
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["FulfilledDisclosure"];
                };
            };
        };
    };
    readonly confirmDisclosureDelivery: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /** @description Repeating a request with the same key and body within 24 hours repeats its answer instead of its effect. */
                readonly "idempotency-key"?: string;
            };
            readonly path: {
                readonly requestId: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["PeerToPeerDelivery"];
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["ConfirmedDisclosure"];
                };
            };
        };
    };
    readonly requestRegulatoryAudit: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /** @description Repeating a request with the same key and body within 24 hours repeats its answer instead of its effect. */
                readonly "idempotency-key"?: string;
            };
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["SignedRegulatoryAudit"];
            };
        };
        readonly responses: {
            readonly 202: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["RequestedRegulatoryAudit"];
                };
            };
        };
    };
    readonly requestOrganizationAudit: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /** @description Repeating a request with the same key and body within 24 hours repeats its answer instead of its effect. */
                readonly "idempotency-key"?: string;
            };
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["SignedOrganizationAudit"];
            };
        };
        readonly responses: {
            readonly 202: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["RequestedOrganizationAudit"];
                };
            };
        };
    };
    readonly requestOrganizationAuditLegacy: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /** @description Repeating a request with the same key and body within 24 hours repeats its answer instead of its effect. */
                readonly "idempotency-key"?: string;
            };
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["SignedOrganizationAudit"];
            };
        };
        readonly responses: {
            readonly 202: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["RequestedOrganizationAudit"];
                };
            };
        };
    };
    readonly uploadRegulatoryAudit: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                readonly auditId: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "multipart/form-data": {
                    /** @description Of the signer of the audit, as a personal message (EIP-191), over the audit's id and the hash of the files: see docs/disclosure.md. */
                    readonly signature: string;
                    /** @description Before the file that it belongs to. Default: the stored salt, for agents of the signer. */
                    readonly salt?: string;
                    /**
                     * Format: binary
                     * @description The normalised soul (CCSF) as YAML or JSON, of at most 10 MiB.
                     */
                    readonly file: string;
                };
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["VerifiedRegulatoryAudit"];
                };
            };
        };
    };
    readonly uploadOrganizationAudit: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                readonly orgAuditId: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "multipart/form-data": {
                    /** @description Of the signer of the audit, as a personal message (EIP-191), over the audit's id and the hash of the files: see docs/disclosure.md. */
                    readonly signature: string;
                    /** @description Before the file that it belongs to. Default: the stored salt, for agents of the signer. */
                    readonly salt?: string;
                    readonly "files[]": readonly string[];
                };
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["VerifiedOrganizationAudit"];
                };
            };
        };
    };
    readonly uploadOrganizationAuditLegacy: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                readonly orgAuditId: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "multipart/form-data": {
                    /** @description Of the signer of the audit, as a personal message (EIP-191), over the audit's id and the hash of the files: see docs/disclosure.md. */
                    readonly signature: string;
                    /** @description Before the file that it belongs to. Default: the stored salt, for agents of the signer. */
                    readonly salt?: string;
                    readonly "files[]": readonly string[];
                };
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["VerifiedOrganizationAudit"];
                };
            };
        };
    };
    readonly getStoredAlignment: {
        readonly parameters: {
            readonly query?: {
                readonly agentName?: string;
                readonly tokenId?: number;
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Alignment"];
                };
            };
        };
    };
    readonly calculateAlignment: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["CalculateAlignment"];
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["CalculatedAlignment"];
                };
            };
        };
    };
    readonly getAlignment: {
        readonly parameters: {
            readonly query?: {
                /** @description Wait until this block is indexed, a bounded time; then 503. A block that the chain does not have yet is refused. */
                readonly minBlock?: string;
            };
            readonly header?: never;
            readonly path: {
                /** @description The agent's name, or its token id. */
                readonly name: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Alignment"];
                };
            };
        };
    };
    readonly requestSnapshot: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /** @description Repeating a request with the same key and body within 24 hours repeats its answer instead of its effect. */
                readonly "idempotency-key"?: string;
            };
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["SnapshotRequest"];
            };
        };
        readonly responses: {
            readonly 202: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Snapshot"];
                };
            };
        };
    };
    readonly verifyFreshness: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["FreshnessRequest"];
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Freshness"];
                };
            };
        };
    };
    readonly getServiceDomainProof: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["DomainProof"];
                };
            };
        };
    };
    readonly getStaticRegistrationFile: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                readonly name: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly type?: string;
                    } & {
                        readonly [key: string]: unknown;
                    };
                };
            };
        };
    };
    readonly getDomainProof: {
        readonly parameters: {
            readonly query?: {
                /** @description Wait until this block is indexed, a bounded time; then 503. A block that the chain does not have yet is refused. */
                readonly minBlock?: string;
            };
            readonly header?: never;
            readonly path: {
                /** @description The agent's name, or its token id. */
                readonly name: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["DomainProof"];
                };
            };
        };
    };
    readonly getAllowance: {
        readonly parameters: {
            readonly query?: {
                /** @description Wait until this block is indexed, a bounded time; then 503. A block that the chain does not have yet is refused. */
                readonly minBlock?: string;
            };
            readonly header?: never;
            readonly path: {
                readonly tokenId: number;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Allowance"];
                };
            };
        };
    };
    readonly changeAllowance: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /** @description Repeating a request with the same key and body within 24 hours repeats its answer instead of its effect. */
                readonly "idempotency-key"?: string;
            };
            readonly path: {
                readonly tokenId: number;
            };
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["SignedAllowance"];
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["AllowanceChanged"];
                };
            };
        };
    };
    readonly setAllowance: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /** @description Repeating a request with the same key and body within 24 hours repeats its answer instead of its effect. */
                readonly "idempotency-key"?: string;
            };
            readonly path: {
                readonly tokenId: number;
            };
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["SignedAllowance"];
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["AllowanceChanged"];
                };
            };
        };
    };
    readonly endAllowance: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /** @description Repeating a request with the same key and body within 24 hours repeats its answer instead of its effect. */
                readonly "idempotency-key"?: string;
                readonly "x-svc-owner-signature"?: string;
            };
            readonly path: {
                readonly tokenId: number;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: {
            readonly content: {
                readonly "application/json": components["schemas"]["SignedAllowanceEnd"];
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["AllowanceEnded"];
                };
            };
        };
    };
    readonly canSpend: {
        readonly parameters: {
            readonly query: {
                /** @description Base units of the stablecoin. */
                readonly amount: number;
                /** @description Wait until this block is indexed, a bounded time; then 503. A block that the chain does not have yet is refused. */
                readonly minBlock?: string;
            };
            readonly header?: never;
            readonly path: {
                readonly tokenId: number;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["CanSpend"];
                };
            };
        };
    };
    readonly getAllowanceHistory: {
        readonly parameters: {
            readonly query?: {
                readonly limit?: number;
                readonly offset?: number;
                /** @description Only payments at this time or later. */
                readonly since?: string;
                /** @description Wait until this block is indexed, a bounded time; then 503. A block that the chain does not have yet is refused. */
                readonly minBlock?: string;
            };
            readonly header?: never;
            readonly path: {
                readonly tokenId: number;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["AllowanceHistory"];
                };
            };
        };
    };
    readonly stopAgent: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /** @description Repeating a request with the same key and body within 24 hours repeats its answer instead of its effect. */
                readonly "idempotency-key"?: string;
            };
            readonly path: {
                readonly tokenId: number;
            };
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["EmergencyStop"];
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["StoppedAgent"];
                };
            };
        };
    };
    readonly normaliseSource: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "multipart/form-data": {
                    /** Format: binary */
                    readonly file: string;
                    /** @enum {string} */
                    readonly format: "plaintext" | "soul_md" | "ccsf_yaml" | "ccsf_json" | "a2a_agent_card" | "character_json";
                    /** @description For a file that states no name. */
                    readonly agentName?: string;
                    /** @description For a file that states no type. */
                    readonly agentType?: string;
                    /** @description Salt of a soul that was hashed before: the same text then has the same hashes. Absent: a new one. */
                    readonly soulSalt?: string;
                };
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly soulHash: string;
                        readonly soulSalt: string;
                        readonly soulMerkleRoot: string;
                        readonly merkleLeaves: readonly {
                            readonly index: number;
                            /** @enum {string} */
                            readonly field: "identity.name" | "identity.agent_type" | "identity.description" | "soul.purpose" | "soul.personality" | "soul.constraints" | "soul.guidelines" | "capabilities.skills" | "capabilities.tools" | "capabilities.languages" | "capabilities.models" | "soul.documents";
                            readonly hash: string;
                        }[];
                        readonly normalisedCcsf: components["schemas"]["Ccsf"];
                        /** @description The fields that are not empty. */
                        readonly extractedFields: readonly ("identity.name" | "identity.agent_type" | "identity.description" | "soul.purpose" | "soul.personality" | "soul.constraints" | "soul.guidelines" | "capabilities.skills" | "capabilities.tools" | "capabilities.languages" | "capabilities.models" | "soul.documents")[];
                        /** @description Those of them that neither the file nor the form stated. For Markdown: the name, taken from the first heading, and the type `other`. */
                        readonly defaultedFields: readonly ("identity.name" | "identity.agent_type" | "identity.description" | "soul.purpose" | "soul.personality" | "soul.constraints" | "soul.guidelines" | "capabilities.skills" | "capabilities.tools" | "capabilities.languages" | "capabilities.models" | "soul.documents")[];
                        readonly sourceFormat: string;
                        readonly sourceHash: string;
                    };
                };
            };
        };
    };
    readonly verifyHash: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": {
                    /** @example aurora */
                    readonly agentName: string;
                    readonly soulSalt: string;
                    readonly normalisedCcsf: components["schemas"]["Ccsf"];
                };
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly match: boolean;
                        readonly computedHash: string;
                        readonly onChainHash: string | null;
                        readonly agentName: string;
                        readonly tokenId: number | null;
                    };
                };
            };
        };
    };
    readonly sealAgent: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /** @description Repeating a request with the same key and body within 24 hours repeats its answer instead of its effect. */
                readonly "idempotency-key"?: string;
            };
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["SignedSeal"];
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["SealedAgent"];
                };
            };
        };
    };
}
