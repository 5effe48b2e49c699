// Written by `npm run generate` from the OpenAPI document: types only.

export interface components {
    schemas: {
        readonly AdminAcceptance: {
            /** @description The message that is signed, as `POST /v1/typed-data/…` returned it. */
            readonly message: components["schemas"]["OrganizationAdminMessage"];
            /** @description Of `message`, by `signer`. */
            readonly signature: string;
            /**
             * @description The account that was named.
             * @example 0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045
             */
            readonly signer: string;
        };
        readonly AdminChanged: {
            /** @description Id of the organization. */
            readonly organizationId: number;
            /**
             * @deprecated
             * @description Former name of `organizationId`: on `/fleet` paths only.
             */
            readonly fleetId?: number;
            /** @description Account that was the admin. */
            readonly previousAdmin: string;
            /** @description Account that becomes the admin once it accepts. */
            readonly newAdmin: string;
            /**
             * @description `pending_acceptance`: `previousAdmin` goes on until `newAdmin` accepts. `withdrawn`: the naming before it was taken back.
             * @enum {string}
             */
            readonly status: "accepted" | "pending_acceptance" | "withdrawn";
            /** @description Hash of the transaction that recorded it. */
            readonly txHash: string;
        };
        /** @description EIP-712 type `Admit` of the organization registry, over the digest of the signed registration. */
        readonly AdminSignature: {
            /** @description The message that is signed, as `POST /v1/typed-data/…` returned it. */
            readonly message: {
                /** @description EIP-712 digest of the registration that the admin agrees to. */
                readonly registrationDigest: string;
                /** @description Id of the organization, as a decimal string. 0: none. */
                readonly organizationId: string;
                /** @description Nonce of the signer, as a decimal string. Each can be used once. */
                readonly nonce: string;
                /** @description Until when the signature can be used, in Unix seconds as a decimal string. */
                readonly deadline: string;
            };
            /** @description Signature of `message` by `signer`: whole bytes in hex, also of a contract wallet. */
            readonly signature: string;
        };
        readonly AgentChallenge: {
            /** @description Id of the challenge. */
            readonly challengeId: string;
            /**
             * @description Always `sha256`: the question asks for a SHA-256 digest.
             * @enum {string}
             */
            readonly type: "sha256";
            /** @description What is to be hashed, in words that hold the text. */
            readonly question: string;
            /** @description True: the name is reserved for this challenge until `expiresAt`. */
            readonly nameAvailable: boolean;
            /**
             * Format: date-time
             * @description Until when the challenge can be answered.
             * @example 2026-01-31T12:00:00.000Z
             */
            readonly expiresAt: string;
        };
        readonly AgentChallengeStep: {
            /**
             * @description Step of an agent's own registration. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            readonly step: "challenge";
            /**
             * @description Name that the agent wants. It is kept for it for 10 minutes.
             * @example aurora
             */
            readonly agentName: string;
        };
        readonly AgentKeySet: {
            /** @description The agent that the keys are of. Sets that were stored earlier name none. */
            readonly agent?: {
                /** @description EIP-155 id of the chain. */
                readonly chainId: number;
                /**
                 * @description Address of the soul registry.
                 * @example 0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045
                 */
                readonly soulRegistry: string;
                /** @description Id of the agent's soulbound certificate, from 1. */
                readonly tokenId: string;
            };
            /** @description The agent's public keys. */
            readonly keys: readonly {
                /** @description RFC 7638 thumbprint, SHA-256. */
                readonly kid: string;
                /**
                 * @description Key type (RFC 7517).
                 * @enum {string}
                 */
                readonly kty: "EC" | "OKP";
                /**
                 * @description Curve of the key.
                 * @enum {string}
                 */
                readonly crv: "P-256" | "Ed25519";
                /** @description The x coordinate, or the Ed25519 key, in base64url. */
                readonly x: string;
                /** @description Of a P-256 key. */
                readonly y?: string;
                /**
                 * @description `sig`: the key signs. `enc`: messages are encrypted for it.
                 * @enum {string}
                 */
                readonly use: "sig" | "enc";
                /** @description The key's end, in Unix seconds. */
                readonly exp: number;
            }[];
        };
        readonly AgentKeysChange: {
            /** @description Id of the agent's soulbound certificate, from 1. */
            readonly tokenId: number;
            /** @description Public JWKs in any order; `kid` may be left out. An empty list withdraws the agent's keys. */
            readonly keys: readonly {
                /**
                 * @description Key type (RFC 7517).
                 * @enum {string}
                 */
                readonly kty: "EC" | "OKP";
                /**
                 * @description Curve of the key.
                 * @enum {string}
                 */
                readonly crv: "P-256" | "Ed25519";
                /** @description The x coordinate, or the Ed25519 key, in base64url. */
                readonly x: string;
                /** @description The y coordinate in base64url. P-256 keys only. */
                readonly y?: string;
                /**
                 * @description `sig`: the key signs. `enc`: messages are encrypted for it.
                 * @enum {string}
                 */
                readonly use: "sig" | "enc";
                /** @description Until when it is valid, in Unix seconds. */
                readonly exp: number;
                /** @description Id of the key: its RFC 7638 thumbprint, in base64url. */
                readonly kid?: string;
            }[];
            /**
             * @description Whether the keys need the passport's `agentWallet` to be the operator: every transfer of the passport clears it. Each change sets this anew.
             * @default false
             */
            readonly onlyWithAgentWallet?: boolean;
        };
        readonly AgentKeysUpdated: {
            /** @description Id of the agent's soulbound certificate, from 1. */
            readonly tokenId: number;
            /** @description Id of the agent's ERC-8004 passport. 0 is a real id. */
            readonly erc8004AgentId: number;
            /** @description Name of the agent: 3 to 32 characters, lower case, unique for ever. */
            readonly agentName: string;
            /** @description How many keys the set has. */
            readonly totalKeys: number;
            /** @description What `AgentKeys.keysOf(tokenId)` answers while the soul is valid; null once withdrawn. */
            readonly keysHash: string | null;
            /** @description Whether the keys need the passport's `agentWallet` to be the operator. */
            readonly onlyWithAgentWallet: boolean;
            /** @description Where the key set is stored. Null when the keys were withdrawn. */
            readonly arweaveTxId: string | null;
            /** @description Hash of the transaction that recorded it. */
            readonly txHash: string;
        };
        readonly AgentPage: {
            /** @description Agents of this page. */
            readonly agents: readonly components["schemas"]["ListedAgent"][];
            /** @description Null on the last page. */
            readonly nextCursor: string | null;
        };
        readonly AgentProfile: {
            /** @description Name of the agent: 3 to 32 characters, lower case, unique for ever. */
            readonly agentName: string;
            /** @description Null before claim. */
            readonly tokenId: number | null;
            /** @description DID of the agent, of method `did:svc`. */
            readonly did: string;
            /**
             * @description Kind of agent: `assistant`, `companion`, `specialist`, `creative` or `other`.
             * @enum {string}
             */
            readonly agentType: "assistant" | "companion" | "specialist" | "creative" | "other";
            /**
             * @description `PROVISIONAL`: not sealed yet. `SEALED`: its soul is sealed on chain. `BURNED`: it has ended.
             * @enum {string}
             */
            readonly genesisStatus: "SEALED" | "PROVISIONAL" | "BURNED";
            /** @description Hash of the soul: SHA-256 of the salt and the normalised text, in hex. Null before the claim. */
            readonly soulHash: string | null;
            /** @description Root of the Merkle tree over the twelve fields of the soul, in hex. Null before the claim. */
            readonly soulMerkleRoot: string | null;
            /** @description The soul that sealed this soul hash or Merkle root first, also when it is burned by now. Null when no other soul did. A soul with a `duplicateOf` may be a copy: its owner may never have known the private text. */
            readonly duplicateOf: {
                /** @description Id of the agent's soulbound certificate, from 1. */
                readonly tokenId: number;
                /** @description Name of the agent: 3 to 32 characters, lower case, unique for ever. */
                readonly agentName: string;
                /**
                 * @description `PROVISIONAL`: not sealed yet. `SEALED`: its soul is sealed on chain. `BURNED`: it has ended.
                 * @enum {string}
                 */
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
            /** @description Text that the owner has the profile show for the operator. Null for none. */
            readonly operatorLabel: string | null;
            /** @description 0: none. */
            readonly parentTokenId: number;
            /** @description Of a burned agent: the one that it was reincarnated in. Null for none. */
            readonly successorTokenId: number | null;
            /** @description 0: independent. */
            readonly organizationId: number;
            /**
             * Format: date-time
             * @description When the certificate was minted. Null before the claim.
             * @example 2026-01-31T12:00:00.000Z
             */
            readonly mintTimestamp: string | null;
            /**
             * Format: date-time
             * @description When the soul was sealed. Null before the seal.
             * @example 2026-01-31T12:00:00.000Z
             */
            readonly sealedAt: string | null;
            /** @description Null before claim. */
            readonly erc8004AgentId: number | null;
            /** @description Where the agent takes payments: `agentWallet` of its passport, as last indexed. Null until the passport's owner sets it; every transfer clears it. Read `getAgentWallet` of the identity registry before paying. */
            readonly agentWallet: string | null;
            /** @description Address of the registration file that the passport points at. Null when that is neither on permanent storage nor https nor IPFS. */
            readonly erc8004Url: string | null;
            /** @description Whether the seal is valid now. */
            readonly soulValidity: {
                /**
                 * @description `valid`; `suspended` while another account than the sealer owns the passport; `not_linked` without a seal.
                 * @enum {string}
                 */
                readonly status: "valid" | "suspended" | "not_linked";
                /** @description Whether the account that sealed the soul owns the passport. */
                readonly passportOwnerMatch: boolean;
                /**
                 * Format: date-time
                 * @description When the owner was last read from the chain. Null before the claim.
                 * @example 2026-01-31T12:00:00.000Z
                 */
                readonly lastChecked: string | null;
            };
            /** @description The alignment score and its age. */
            readonly soulAlignment: {
                /** @description Alignment score, 0 to 100. Null while the agent has none. */
                readonly score: number | null;
                /**
                 * Format: date-time
                 * @description When the last alignment snapshot was taken. Null without a snapshot.
                 * @example 2026-01-31T12:00:00.000Z
                 */
                readonly lastSnapshot: string | null;
            };
            /** @description What the agent has done, as last indexed. */
            readonly activity: {
                /** @description Tasks that the chronicle records as completed. */
                readonly tasksCompleted: number;
                /** @description What payments to the agent add up to, as a decimal text in `currency`. */
                readonly lifetimeEarned: string;
                /** @description Currency of `lifetimeEarned`. */
                readonly currency: string;
                /** @description Bindings in effect to or from the agent. */
                readonly agentBindings: number;
                /**
                 * Format: date-time
                 * @description When the agent last did something that is recorded. Null before the claim.
                 * @example 2026-01-31T12:00:00.000Z
                 */
                readonly lastActive: string | null;
            };
            /** @description Accounts on other chains that the owner lists in the DID document. */
            readonly chainAddresses: readonly {
                /** @description Chain of the account, as a CAIP-2 identifier or a name. */
                readonly chain: string;
                /** @description The account, as that chain writes it. */
                readonly address: string;
                /** @description What the account is for. */
                readonly label: string;
            }[];
            /** @description Fields of the soul by name: the public ones with their values. */
            readonly disclosedFields: {
                readonly [key: string]: {
                    /** @description How many entries the field has. */
                    readonly count: number;
                    /** @description Whether the field's value is public. */
                    readonly disclosed: boolean;
                    /** @description The value, as in the normalised soul. */
                    readonly value: readonly unknown[];
                    /** @description Whether the value was checked against the sealed root. */
                    readonly verified: boolean;
                } | {
                    /** @description The value, as in the normalised soul. */
                    readonly value?: unknown;
                    /** @description Whether the value was checked against the sealed root. */
                    readonly verified: boolean;
                };
            };
            /** @description Id of the content on permanent storage: 43 characters of base64url. Null while it is not stored. */
            readonly arweaveTxId: string | null;
            /** @description Where the stored content can be read. Null while it is not stored. */
            readonly arweaveUrl: string | null;
            /** @description Address of the agent's picture. Null for none. */
            readonly avatarUrl: string | null;
            /** @description What the owner has people call the agent. Not unique and not verified: identify agents by `agentName`. Null for none. */
            readonly displayName: string | null;
            /** @description A note that the agent's creator leaves with its registration. Null for none. */
            readonly birthBundle: {
                /** @description The note's text. */
                readonly note: string;
                /** @description Name of the creator, as given: unverified. */
                readonly creatorName: string;
                /** @description Address of the creator's picture. */
                readonly creatorImageUrl: string;
            } | null;
            /** @description What the owner publishes about the agent. Unverified. */
            readonly publicIdentity: components["schemas"]["DeclaredIdentity"];
            /** @description Address of the agent's public page. */
            readonly profileUrl: string;
        };
        readonly AgentRegisterStep: {
            /**
             * @description Step of an agent's own registration. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            readonly step: "register";
            /**
             * Format: uuid
             * @description Id of the challenge.
             */
            readonly challengeId: string;
            /** @description The digest that the question asks for: 64 hex digits without 0x. */
            readonly challengeAnswer: string;
            /**
             * @description Name that the challenge was requested for.
             * @example aurora
             */
            readonly agentName: string;
            /**
             * @description Kind of agent: `assistant`, `companion`, `specialist`, `creative`, `other`, or its number from 0 to 4. The labels `personal`, `customer`, `coding` and `research` are accepted too.
             * @example assistant
             */
            readonly agentType: string | number;
            /** @description Hashed in memory and discarded. A name or type that it states must be `agentName` (or another writing of it) and `agentType`: otherwise 422 HASH_MISMATCH, whose `details.field` is `identity.name` or `identity.agent_type`. */
            readonly systemPrompt: string;
            /**
             * @description Format in which the soul was written.
             * @default plaintext
             * @enum {string}
             */
            readonly sourceFormat?: "plaintext" | "soul_md" | "ccsf_yaml" | "ccsf_json" | "a2a_agent_card" | "character_json";
            /** @description Fields of the soul whose values are published with the claim. */
            readonly publicFields?: readonly ("identity.name" | "identity.agent_type" | "identity.description" | "soul.purpose" | "soul.personality" | "soul.constraints" | "soul.guidelines" | "capabilities.skills" | "capabilities.tools" | "capabilities.languages" | "capabilities.models" | "soul.documents")[];
            /** @description What the owner publishes about the agent. Unverified. */
            readonly publicIdentity?: components["schemas"]["PublicIdentity"];
            /** @description Public; also the soul's `identity.description`. */
            readonly agentDescription?: string;
            /**
             * Format: uri
             * @description Address of the agent's picture, https or ipfs.
             */
            readonly agentAvatar?: string;
            /** @description Services of the agent, as its registration file lists them. */
            readonly services?: readonly {
                /** @description Kind of service, such as `A2A`, `MCP` or `web`. */
                readonly type: string;
                /**
                 * Format: uri
                 * @description Address of the service.
                 */
                readonly url: string;
            }[];
            /** @description A document about the agent's character, stored with the claim. */
            readonly personalityDocument?: components["schemas"]["PersonalityDocument"];
            /** @description A note that the agent's creator leaves with its registration. */
            readonly birthBundle?: components["schemas"]["BirthBundle"];
            /** @description Absent or null: a new passport is registered with the claim. */
            readonly erc8004AgentId?: number;
            /** @description Chain of `erc8004AgentId`. It must be the service's own. Null or absent: the service's own chain. */
            readonly erc8004ChainId?: number | null;
        };
        readonly AgentRegistered: {
            /** @description Id of an agent's own registration, which its owner claims. */
            readonly registrationId: string;
            /** @description Name of the agent: 3 to 32 characters, lower case, unique for ever. */
            readonly agentName: string;
            /**
             * @description Always `pending_owner_claim`: the owner has not claimed the agent.
             * @enum {string}
             */
            readonly status: "pending_owner_claim";
            /** @description Address of the agent's public page. */
            readonly profileUrl: string;
            /** @description For the owner alone: any holder sees the draft, and may claim. */
            readonly claimUrl: string;
            /** @description Provisional, shown once. */
            readonly apiKey: string;
            /** @description A placeholder text until the claim. */
            readonly soulHash: string;
            /** @description What to do next, in words. */
            readonly message: string;
            /**
             * Format: date-time
             * @description Until when the owner can claim the agent.
             * @example 2026-01-31T12:00:00.000Z
             */
            readonly claimExpiresAt: string;
            /** @description What the provisional key may do until the claim. */
            readonly provisionalLimits: {
                /** @description The same in words. */
                readonly note: string;
                /** @description Whether it may read. */
                readonly canRead: boolean;
                /** @description Whether it may write. */
                readonly canPost: boolean;
                /** @description Whether it may disclose fields of the soul. */
                readonly canDisclose: boolean;
                /** @description Whether it may bind the agent to others. */
                readonly canBind: boolean;
            };
        };
        readonly AgentStatus: {
            /** @description Name of the agent: 3 to 32 characters, lower case, unique for ever. */
            readonly agentName: string;
            /** @description Null before claim. */
            readonly tokenId: number | null;
            /** @description Null before claim. */
            readonly erc8004AgentId: number | null;
            /**
             * @description `PROVISIONAL`: not sealed yet. `SEALED`: its soul is sealed on chain. `BURNED`: it has ended.
             * @enum {string}
             */
            readonly genesisStatus: "SEALED" | "PROVISIONAL" | "BURNED";
            /** @description The last recorded alignment score, 0 to 100. Null while the agent has none. */
            readonly soulAlignment: number | null;
            /**
             * Format: date-time
             * @description When the last alignment snapshot was taken. Null without a snapshot.
             * @example 2026-01-31T12:00:00.000Z
             */
            readonly lastSnapshot: string | null;
            /** @description Not burned. */
            readonly alive: boolean;
            /** @description Whether the seal is valid and the score is at least 70. A new agent needs no score. */
            readonly trustworthy: boolean;
        };
        readonly AgentUriUpdate: {
            /** @description Id of the agent's ERC-8004 passport. 0 is a real id. */
            readonly erc8004AgentId: number;
            /** @description Each replaces the entry of the same name (case ignored), or is appended. `Svc`, `Svc-API` and `DID` are written by the service. */
            readonly services?: readonly {
                /**
                 * @description Kind of service, such as `A2A`, `MCP` or `web`.
                 * @example MCP
                 */
                readonly name: string;
                /**
                 * @description Address of the service.
                 * @example https://agent.example/mcp
                 */
                readonly endpoint: string;
                /** @description Version of the service's protocol. */
                readonly version?: string;
            }[];
            /** @description Names of entries to take away. */
            readonly removeServices?: readonly string[];
            /** @description Whether the agent takes payments by x402. */
            readonly x402Support?: boolean;
            /** @description What the agent is, in its owner's words. Public. */
            readonly description?: string;
            /**
             * Format: uri
             * @description Address of the agent's picture.
             */
            readonly imageUrl?: string;
        };
        readonly AgentUriUpdateMessage: {
            /** @description Id of the agent's ERC-8004 passport, as a decimal string. */
            readonly agentId: string;
            /** @description keccak256 of the passport's URI before the change, in hex. */
            readonly previousURIHash: string;
            /** @description URI of the passport's registration file. */
            readonly agentURI: string;
            /** @description Nonce of the signer, as a decimal string. Each can be used once. */
            readonly nonce: string;
            /** @description Until when the signature can be used, in Unix seconds as a decimal string. */
            readonly deadline: string;
        };
        readonly AgentUriUpdated: {
            /**
             * @description Always true. A failure is answered as an `Error`.
             * @enum {boolean}
             */
            readonly success: true;
            /** @description Id of the agent's ERC-8004 passport. 0 is a real id. */
            readonly erc8004AgentId: number;
            /** @description The new registration file. */
            readonly newAgentUri: {
                /** @description Address of the file. */
                readonly url: string;
                /** @description The same as an `ar://` address. */
                readonly arUri: string;
                /** @description Id of the file on permanent storage. */
                readonly txId: string;
            };
            /** @description The transaction for the owner to send. */
            readonly transaction: components["schemas"]["OwnerTransaction"];
            /** @description Which parts of the file changed. */
            readonly updated: {
                /** @description Whether `x402Support` changed. */
                readonly x402Support: boolean;
                /** @description Whether the services changed. */
                readonly services: boolean;
                /** @description Whether the description changed. */
                readonly description: boolean;
                /** @description Whether the picture changed. */
                readonly imageUrl: boolean;
            };
        };
        /** @description How the owner sets the wallet that the agent is paid at; null for a passport that was bound, which keeps its own. */
        readonly AgentWallet: {
            /** @description `getAgentWallet` of the identity registry: empty after the registration. Payers find no wallet until the owner sets one. */
            readonly address: null;
            /** @description `newWallet` (the operator, else the owner) signs it. Any other wallet may be put in. */
            readonly typedData: {
                /** @description EIP-712 domain of the contract that checks the signature. */
                readonly domain: {
                    /** @description Name of the domain. */
                    readonly name: string;
                    /** @description Version of the domain. */
                    readonly version: string;
                    /** @description EIP-155 id of the chain. */
                    readonly chainId: number;
                    /** @description Contract that checks the signature. */
                    readonly verifyingContract: string;
                };
                /** @description EIP-712 types of the message and of the domain. */
                readonly types: {
                    readonly [key: string]: readonly {
                        /** @description Name of the member. */
                        readonly name: string;
                        /** @description Solidity type of the member. */
                        readonly type: string;
                    }[];
                };
                /** @description EIP-712 type of the message. */
                readonly primaryType: string;
                /** @description The message to sign. */
                readonly message: {
                    /** @description Id of the agent's ERC-8004 passport, as a decimal string. */
                    readonly agentId: string;
                    /** @description Account that payments go to. */
                    readonly newWallet: string;
                    /** @description Account that owns the agent or registers it, and signs. */
                    readonly owner: string;
                    /** @description At most 5 minutes ahead: set it anew when it has passed. */
                    readonly deadline: string;
                };
            };
            /** @description The owner sends it before the deadline, with the signature as the fourth argument. */
            readonly transaction: {
                /** @description EIP-155 id of the chain. */
                readonly chainId: number;
                /** @description Contract that the transaction is sent to. */
                readonly to: string;
                /**
                 * @description Signature of the function that `data` calls.
                 * @enum {string}
                 */
                readonly functionName: "setAgentWallet(uint256,address,uint256,bytes)";
                /** @description Arguments of the function. Integers are decimal strings. */
                readonly args: readonly string[];
                /**
                 * @description Native currency to send with it, in wei: always `0`.
                 * @enum {string}
                 */
                readonly value: "0";
            };
        } | null;
        readonly Alignment: {
            /** @description Name of the agent: 3 to 32 characters, lower case, unique for ever. */
            readonly agentName: string;
            /** @description Null before claim. */
            readonly tokenId: number | null;
            /** @description Null before claim. */
            readonly erc8004AgentId: number | null;
            /** @description The last one on chain in this epoch. Null while the agent has none. */
            readonly score: number | null;
            /** @description Each of the six components, 0 to 100. */
            readonly breakdown: components["schemas"]["AlignmentBreakdown"];
            /** @description Score before this one. Null without one. */
            readonly previousScore: number | null;
            /**
             * Format: date-time
             * @description Time of the block whose state was scored. Null without a snapshot.
             * @example 2026-01-31T12:00:00.000Z
             */
            readonly snapshotTimestamp: string | null;
            /**
             * Format: date-time
             * @description When the score was recorded on chain. Null without a snapshot.
             * @example 2026-01-31T12:00:00.000Z
             */
            readonly onChainTimestamp: string | null;
            /** @description Whether the score is on chain. */
            readonly onChainRecorded: boolean;
            /** @description Whether the agent, or its present epoch, is under 30 days old: it has no score. */
            readonly isNewAgent: boolean;
            /** @description Whether the soul is not sealed yet. */
            readonly isProvisional: boolean;
            /**
             * @description Of the seal: `valid`; `suspended` while another account than the sealer owns the passport; `not_linked` without a seal.
             * @enum {string}
             */
            readonly soulValidity: "valid" | "suspended" | "not_linked";
            /** @description How old the snapshot is. */
            readonly freshness: {
                /** @description Whether it is less than 24 hours old. */
                readonly isFresh: boolean;
                /** @description Null without a snapshot. */
                readonly ageHours: number | null;
            };
            /** @description Block whose state was scored. Null without a snapshot. */
            readonly snapshotBlock: number | null;
            /** @description The signed item with every input of the score. Null without a snapshot. */
            readonly arweaveTxId: string | null;
            /** @description Hash of the transaction that recorded it. Null without a snapshot. */
            readonly txHash: string | null;
            /** @description What each component was computed from. */
            readonly inputs: components["schemas"]["AlignmentInputs"];
            /** @description Why there is no score, in words. Absent with one. */
            readonly message: string;
        };
        /** @description Each component from 0 to 100. The score is their weighted sum. */
        readonly AlignmentBreakdown: {
            /** @description Payments outside the allowance. Less of them is better. */
            readonly spendingAlignment: number;
            /** @description How far chronicles and declared skills fit the published soul. */
            readonly taskTypeAlignment: number;
            /** @description How far records and the registration file follow the protocol. */
            readonly protocolAdherence: number;
            /** @description Missed disclosure requests, and disclosures beyond the policy. */
            readonly policyCompliance: number;
            /** @description Bindings that the agent revoked. */
            readonly bindingConsistency: number;
            /** @description What others say of the agent on chain. */
            readonly externalTrust: number;
        } | null;
        /** @description One input, as in the archived snapshot. With `place`, an event that anyone can read again on chain. Without it, counts of what only the service knows. */
        readonly AlignmentFact: {
            /** @description Kind of input. */
            readonly kind: string;
            /** @description Where the event is on chain. Absent for counts of what only the service knows. */
            readonly place?: {
                /** @description Block of the event, as a decimal string. */
                readonly blockNumber: string;
                /** @description Transaction of the event. */
                readonly transactionHash: string;
                /** @description Index of the event's log in its block. */
                readonly logIndex: number;
            };
        } & {
            readonly [key: string]: unknown;
        };
        /** @description The facts that each component used. */
        readonly AlignmentInputs: {
            /** @description Payments outside the allowance. Less of them is better. */
            readonly spendingAlignment: readonly components["schemas"]["AlignmentFact"][];
            /** @description How far chronicles and declared skills fit the published soul. */
            readonly taskTypeAlignment: readonly components["schemas"]["AlignmentFact"][];
            /** @description How far records and the registration file follow the protocol. */
            readonly protocolAdherence: readonly components["schemas"]["AlignmentFact"][];
            /** @description Missed disclosure requests, and disclosures beyond the policy. */
            readonly policyCompliance: readonly components["schemas"]["AlignmentFact"][];
            /** @description Bindings that the agent revoked. */
            readonly bindingConsistency: readonly components["schemas"]["AlignmentFact"][];
            /** @description What others say of the agent on chain. */
            readonly externalTrust: readonly components["schemas"]["AlignmentFact"][];
        } | null;
        readonly Allowance: {
            /** @description Id of the agent's soulbound certificate, from 1. */
            readonly tokenId: number;
            /** @description Id of the agent's ERC-8004 passport. 0 is a real id. */
            readonly erc8004AgentId: number;
            /** @description Name of the agent: 3 to 32 characters, lower case, unique for ever. */
            readonly agentName: string;
            /** @description What the agent may spend of its owner's money. */
            readonly allowance: {
                /** @description Base units. An amount above 2^53-1 is answered as that; the text is exact. */
                readonly perTransaction: number;
                /** @description Decimal, in units of the stablecoin. */
                readonly perTransactionFormatted: string;
                /** @description Base units. An amount above 2^53-1 is answered as that; the text is exact. */
                readonly dailyLimit: number;
                /** @description Decimal, in units of the stablecoin. */
                readonly dailyLimitFormatted: string;
                /** @description Whether the agent can spend now, as far as the allowance is concerned. */
                readonly active: boolean;
                /**
                 * Format: date-time
                 * @description The last second, inclusive. Null when it has no end.
                 * @example 2026-01-31T12:00:00.000Z
                 */
                readonly validUntil: string | null;
                /** @description Whether payments need the passport's `agentWallet` to be the operator. */
                readonly onlyWithAgentWallet: boolean;
                /**
                 * @description What forbids every payment now; null for nothing.
                 * @enum {string|null}
                 */
                readonly reason: "ALLOWANCE_NOT_SET" | "ALLOWANCE_INACTIVE" | "EXCEEDS_PER_TRANSACTION_LIMIT" | "EXCEEDS_DAILY_LIMIT" | "AGENT_WALLET_NOT_OPERATOR" | null;
                /** @description Counts the seals of the soul, from 1. A reseal by a new owner begins the next. */
                readonly epoch: number;
                /** @description Counts the changes of the allowance. */
                readonly version: number;
                /** @description What is spent of today's limit. */
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
                     * @description Beginning of the current day.
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
            /** @description The owner's money behind the allowance. */
            readonly funding: components["schemas"]["AllowanceFunding"];
            /** @description The block that limits and funding were read at. */
            readonly block: number;
        };
        readonly AllowanceChanged: {
            /** @description Id of the agent's soulbound certificate, from 1. */
            readonly tokenId: number;
            /** @description Id of the agent's ERC-8004 passport. 0 is a real id. */
            readonly erc8004AgentId: number;
            /** @description Name of the agent: 3 to 32 characters, lower case, unique for ever. */
            readonly agentName: string;
            /** @description What the agent may spend of its owner's money. */
            readonly allowance: {
                /** @description Base units. An amount above 2^53-1 is answered as that; the text is exact. */
                readonly perTransaction: number;
                /** @description Decimal, in units of the stablecoin. */
                readonly perTransactionFormatted: string;
                /** @description Base units. An amount above 2^53-1 is answered as that; the text is exact. */
                readonly dailyLimit: number;
                /** @description Decimal, in units of the stablecoin. */
                readonly dailyLimitFormatted: string;
                /** @description Whether the agent can spend now, as far as the allowance is concerned. */
                readonly active: boolean;
                /**
                 * Format: date-time
                 * @description The last second, inclusive. Null when it has no end.
                 * @example 2026-01-31T12:00:00.000Z
                 */
                readonly validUntil: string | null;
                /** @description Whether payments need the passport's `agentWallet` to be the operator. */
                readonly onlyWithAgentWallet: boolean;
            };
            /** @description The limits are in force, but the vault may move less than `approval`: approve it by a transaction, or sign again. Null when nothing is missing. */
            readonly missingApproval: {
                /** @description What the vault may move. */
                readonly approved: number;
                /** @description Decimal, in units of the stablecoin. */
                readonly approvedFormatted: string;
                /** @description What the permit should approve. */
                readonly wanted: number;
                /** @description Decimal, in units of the stablecoin. */
                readonly wantedFormatted: string;
            } | null;
            /** @description Hash of the transaction that recorded it. */
            readonly txHash: string;
        };
        readonly AllowanceEndRequest: {
            /** @description Id of the agent's soulbound certificate, from 1. */
            readonly tokenId: number;
        };
        readonly AllowanceEnded: {
            /** @description Id of the agent's soulbound certificate, from 1. */
            readonly tokenId: number;
            /** @description Id of the agent's ERC-8004 passport. 0 is a real id. */
            readonly erc8004AgentId: number;
            /** @description Name of the agent: 3 to 32 characters, lower case, unique for ever. */
            readonly agentName: string;
            /** @description What the agent may spend of its owner's money. */
            readonly allowance: {
                /**
                 * @description Whether the agent can spend now, as far as the allowance is concerned.
                 * @enum {boolean}
                 */
                readonly active: false;
                /**
                 * Format: date-time
                 * @description When the allowance ended.
                 * @example 2026-01-31T12:00:00.000Z
                 */
                readonly deactivatedAt: string;
            };
            /** @description Hash of the transaction that recorded it. */
            readonly txHash: string;
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
                /** @description How many agents pay from this wallet. */
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
        readonly AllowanceHistory: {
            /** @description Id of the agent's soulbound certificate, from 1. */
            readonly tokenId: number;
            /** @description Id of the agent's ERC-8004 passport. 0 is a real id. */
            readonly erc8004AgentId: number;
            /** @description Name of the agent: 3 to 32 characters, lower case, unique for ever. */
            readonly agentName: string;
            /** @description Made and reported payments of all pages. */
            readonly totalSpent: number;
            /** @description Decimal, in units of the stablecoin. */
            readonly totalSpentFormatted: string;
            /** @description How many these are. */
            readonly transactionCount: number;
            /** @description Entries of all pages, refused payments included. */
            readonly totalEntries: number;
            /** @description Payments, the newest first. */
            readonly history: readonly {
                /** @description Base units. An amount above 2^53-1 is answered as that; the text is exact. */
                readonly amount: number;
                /** @description Decimal, in units of the stablecoin. */
                readonly amountFormatted: string;
                /** @description Account that was paid. */
                readonly recipient: string;
                /** @description The one agent that takes payments at this account; null for none or several. */
                readonly recipientAgent: string | null;
                /**
                 * Format: date-time
                 * @description When it happened, or was recorded.
                 * @example 2026-01-31T12:00:00.000Z
                 */
                readonly timestamp: string;
                /** @description Hash of the transaction that recorded it. */
                readonly txHash: string;
                /**
                 * @description `paid` by the vault, `refused` by the vault, or `reported` by the agent's operator.
                 * @enum {string}
                 */
                readonly status: "paid" | "refused" | "reported";
                /** @description Whether the payment kept to the allowance. */
                readonly withinLimits: boolean;
                /**
                 * @description What it violated; absent for nothing. A report is the operator's word.
                 * @enum {string}
                 */
                readonly violationType?: "ALLOWANCE_NOT_SET" | "ALLOWANCE_INACTIVE" | "EXCEEDS_PER_TRANSACTION_LIMIT" | "EXCEEDS_DAILY_LIMIT" | "AGENT_WALLET_NOT_OPERATOR" | "TRANSFER_FAILED";
                /** @description Reference that the payer gave: 32 bytes in hex. */
                readonly paymentRef: string;
                /** @description EIP-712 digest of the payment that the operator signed; null for its own transaction. */
                readonly digest: string | null;
                /** @description Counts the seals of the soul, from 1. A reseal by a new owner begins the next. */
                readonly epoch: number;
            }[];
            /** @description Send it as `cursor` for the next page. Null on the last page. */
            readonly nextCursor: string | null;
        };
        readonly AllowanceLimits: {
            /** @description Id of the agent's soulbound certificate, from 1. */
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
             * @description Whether payments need the passport's `agentWallet` to be the operator: every transfer of the passport clears it. Each change of the limits sets this anew.
             * @default false
             */
            readonly onlyWithAgentWallet?: boolean;
            /**
             * @description What the stablecoin's approval of the vault should be at least. Where it is less, the owner signs a permit too, and sends no transaction. All agents of the owner share the approval.
             * @example 2500000
             */
            readonly approval?: number;
        };
        /** @description EIP-712 data, signed as it is by `eth_signTypedData_v4` and viem. ethers wants `types` without `EIP712Domain`. */
        readonly AllowanceTypedData: components["schemas"]["TypedData"] & {
            /** @description ERC-2612, in the stablecoin's domain: the owner signs it too. Absent when no approval was asked for, or the present one suffices. */
            readonly permit?: components["schemas"]["TypedData"];
        };
        readonly ApiKey: {
            /**
             * Format: uuid
             * @description Id of the API key.
             */
            readonly keyId: string;
            /**
             * @description `full`, or `provisional` before the claim.
             * @enum {string}
             */
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
             * @description When it was created.
             * @example 2026-01-31T12:00:00.000Z
             */
            readonly createdAt: string;
            /**
             * Format: date-time
             * @description When the key ends or ended; null while it has no end.
             * @example 2026-01-31T12:00:00.000Z
             */
            readonly revokedAt: string | null;
            /**
             * Format: date-time
             * @description When the key was last accepted, to the minute; null before the first use.
             * @example 2026-01-31T12:00:00.000Z
             */
            readonly lastUsedAt: string | null;
            /**
             * Format: date-time
             * @description When the agent exchanged this provisional key for a full one. Null when it was not.
             * @example 2026-01-31T12:00:00.000Z
             */
            readonly exchangedAt: string | null;
        };
        readonly ApiKeys: {
            /** @description Id of the agent's soulbound certificate, from 1. */
            readonly tokenId: number;
            /** @description Keys of this page, the newest first. */
            readonly keys: readonly components["schemas"]["ApiKey"][];
            /** @description Send it as `cursor` for the next page. Null on the last page. */
            readonly nextCursor: string | null;
        };
        /** @description What the regulator's endpoint is sent, where one is registered. */
        readonly AuditPackage: {
            /**
             * @description Always `svc-audit-package/1`.
             * @enum {string}
             */
            readonly format: "svc-audit-package/1";
            /**
             * Format: uuid
             * @description Id of the audit.
             */
            readonly auditId: string;
            /**
             * @description Whether one agent or an organization was audited.
             * @enum {string}
             */
            readonly kind: "regulatory" | "organization";
            /** @description EIP-155 id of the chain. */
            readonly chainId: number;
            /** @description Address of the soul registry. */
            readonly soulRegistry: string;
            /** @description Address of the contract that checks the values. */
            readonly soulView: string;
            /** @description Id of the organization, as a decimal string. Null when one agent is audited. */
            readonly organizationId: string | null;
            /** @description Name of the regulator. */
            readonly regulatoryBody: string;
            /** @description DID of the regulator. */
            readonly regulatoryDid: string;
            /** @description What the audit is about, in words. */
            readonly scope: string;
            /** @description The regulator's own reference. */
            readonly auditReference: string;
            /** @description Account that signed the audit's request. */
            readonly signedBy: string;
            /** @description Block that everything was read at, as a decimal string. */
            readonly block: string;
            /**
             * Format: date-time
             * @description When it was issued.
             * @example 2026-01-31T12:00:00.000Z
             */
            readonly issuedAt: string;
            /**
             * Format: date-time
             * @description Until when it is valid. Null for never.
             * @example 2026-01-31T12:00:00.000Z
             */
            readonly expiresAt: string | null;
            /** @description Id of the audit's record on permanent storage. Null while storage does not answer: it is archived later. */
            readonly arweaveAuditTxId: string | null;
            /** @description The agents that were audited. */
            readonly agents: readonly {
                /** @description Id of the agent's soulbound certificate, from 1. */
                readonly tokenId: string;
                /** @description Counts the seals of the soul, from 1. A reseal by a new owner begins the next. */
                readonly epoch: number;
                /** @description Name of the agent: 3 to 32 characters, lower case, unique for ever. */
                readonly agentName: string;
                /** @description Hash of the soul: SHA-256 of the salt and the normalised text, in hex. */
                readonly soulHash: string;
                /** @description Root of the Merkle tree over the twelve fields of the soul, in hex. */
                readonly soulMerkleRoot: string;
                /**
                 * @description Whether the uploaded soul is the one that is sealed.
                 * @enum {string}
                 */
                readonly status: "verified" | "not_verified";
                /**
                 * @description Why an agent was not verified. Null for an agent that was checked.
                 * @enum {string|null}
                 */
                readonly reason: "file_missing" | "salt_missing" | null;
                /** @description Whether the uploaded soul is the one that is sealed. Null for an agent that was not checked. */
                readonly verification: components["schemas"]["AuditVerification"] | null;
                /** @description How many chronicle records are proven. Null for an agent that was not checked. */
                readonly chronicles: components["schemas"]["AuditedChronicles"] | null;
                /** @description Proofs of the fields that the agent's policy lets an audit have. */
                readonly fields: readonly {
                    /**
                     * @description Field of the soul.
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
                /** @description Always `svc-audit-package/1`. */
                readonly format: string;
                /** @description EIP-155 id of the chain. */
                readonly chainId: number;
                /** @description Address of the contract that checks the values. */
                readonly soulView: string;
                /** @description Name of the agent: 3 to 32 characters, lower case, unique for ever. */
                readonly agentName: string;
                /** @description Id of the agent's soulbound certificate, from 1. */
                readonly tokenId: number;
                /** @description The disclosed fields, each with its proof. */
                readonly disclosures: readonly {
                    /**
                     * @description Field of the soul.
                     * @example soul.purpose
                     * @enum {string}
                     */
                    readonly field: "identity.name" | "identity.agent_type" | "identity.description" | "soul.purpose" | "soul.personality" | "soul.constraints" | "soul.guidelines" | "capabilities.skills" | "capabilities.tools" | "capabilities.languages" | "capabilities.models" | "soul.documents";
                    /**
                     * @description Exactly as in the normalised soul: a text, a list of texts, or the documents.
                     * @example Counts herons.
                     */
                    readonly value: string | readonly string[] | readonly {
                        /** @description Id of the document. */
                        readonly id: string;
                        /** @description SHA-256 of the document's content, in hex. */
                        readonly contentHash: string;
                        /** @description Whether the owner declared that the document never changes. */
                        readonly immutable: boolean;
                    }[];
                    /** @description The leaf's blinding, then its siblings from the leaf upward. */
                    readonly merkleProof: readonly string[];
                    /** @description Root of the Merkle tree that the proof leads to, in hex. */
                    readonly merkleRoot: string;
                }[];
                /** @description DID of the recipient. */
                readonly issuedTo: string;
                /**
                 * Format: date-time
                 * @description When it was issued.
                 * @example 2026-01-31T12:00:00.000Z
                 */
                readonly issuedAt: string;
                /**
                 * Format: date-time
                 * @description Until when it is valid. Null for never.
                 * @example 2026-01-31T12:00:00.000Z
                 */
                readonly expiresAt: string | null;
            } | null;
        };
        readonly AuditVerification: {
            /** @description Whether its hash is the one on chain. */
            readonly soulHashMatch: boolean;
            /** @description Whether its Merkle root is the one on chain. */
            readonly merkleRootMatch: boolean;
            /** @description Whether the archive of the soul has the hashes that are on chain. */
            readonly arweaveArchiveMatch: boolean;
            /** @description Whether every anchored chronicle is proved against the chain. */
            readonly allChronicleRecordsValid: boolean;
        };
        readonly AuditedChronicles: {
            /** @description Records that are proven against the chain. */
            readonly valid: number;
            /** @description Records that are not. */
            readonly invalid: number;
            /** @description Not anchored yet. */
            readonly pending: number;
        };
        readonly BatchAgent: {
            /**
             * @description Name of the agent: 3 to 32 characters, lower case, unique for ever.
             * @example aurora
             */
            readonly agentName: string;
            /**
             * @description Kind of agent: `assistant`, `companion`, `specialist`, `creative`, `other`, or its number from 0 to 4. The labels `personal`, `customer`, `coding` and `research` are accepted too.
             * @example assistant
             */
            readonly agentType?: string | number;
            /** @description Hash of the soul: SHA-256 of the salt and the normalised text, in hex. */
            readonly soulHash: string;
            /** @description 32 random bytes in hex that keep the soul's text from being guessed. Keep it secret. */
            readonly soulSalt: string;
            /** @description Root of the Merkle tree over the twelve fields of the soul, in hex. */
            readonly soulMerkleRoot: string;
            /** @description The leaves in index order: all twelve, or the first eleven, as `POST /v1/tools/normalise` returns them. The leaf of `soul.documents` is then computed from `soulDocuments`. */
            readonly merkleLeaves: readonly {
                /** @description Position of the leaf, from 0. */
                readonly index: number;
                /**
                 * @description Field of the soul that the leaf commits to.
                 * @enum {string}
                 */
                readonly field: "identity.name" | "identity.agent_type" | "identity.description" | "soul.purpose" | "soul.personality" | "soul.constraints" | "soul.guidelines" | "capabilities.skills" | "capabilities.tools" | "capabilities.languages" | "capabilities.models" | "soul.documents";
                /** @description Hash of the leaf, in hex. It reveals nothing of the value. */
                readonly hash: string;
            }[];
            /** @description Values to publish, by field; each must match its leaf. */
            readonly publicFields?: Record<string, unknown>;
            /** @description What the owner publishes about the agent. Unverified. */
            readonly publicIdentity?: components["schemas"]["PublicIdentity"];
            /** @description Format in which the soul was written. */
            readonly sourceFormat?: string;
            /**
             * @description Account that acts for the agent. Absent: the owner does.
             * @example 0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045
             */
            readonly operatorAddress?: string;
        };
        readonly BatchRegistration: {
            /** @description Id of the organization. */
            readonly organizationId?: number;
            /**
             * @deprecated
             * @description Former name of `organizationId`.
             */
            readonly fleetId?: number;
            /** @description The agents to register, in order. */
            readonly agents: readonly components["schemas"]["BatchAgent"][];
            /**
             * @description The organization's admin, who owns all agents.
             * @example 0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045
             */
            readonly ownerAddress: string;
            /**
             * @description Whether agents are left out whose names other agents have. False: one such name refuses the batch.
             * @default false
             */
            readonly leaveOutTakenNames?: boolean;
            /** @description The message that is signed, as `POST /v1/typed-data/…` returned it. */
            readonly message: components["schemas"]["RegistrationBatchMessage"];
            /** @description Signature of `message` by `signer`: whole bytes in hex, also of a contract wallet. */
            readonly signature: string;
            /**
             * @description Account that signs: the owner, where no other is named.
             * @example 0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045
             */
            readonly signer: string;
        };
        readonly Binding: {
            /** @description Id of the agent's soulbound certificate, from 1. */
            readonly tokenId: number;
            /** @description Certificate id of the agent that is trusted. */
            readonly partnerTokenId?: number;
            /** @description Id of the binding: 32 bytes in hex, from both token ids. */
            readonly bindingId?: string;
            /**
             * @description How far the first agent trusts the second. `revoked` ends the binding.
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
        readonly BindingHistory: {
            /** @description Id of the binding: 32 bytes in hex, from both token ids. */
            readonly bindingId: string;
            /** @description Name of the agent that trusts. */
            readonly fromAgent: string;
            /** @description Name of the agent that is trusted. */
            readonly toAgent: string;
            /** @description Changes on all pages. */
            readonly totalChanges: number;
            /** @description The number of this page. Null when it was read by cursor. */
            readonly page: number | null;
            /** @description Largest number of entries of a page. */
            readonly limit: number;
            /** @description Changes of the binding, the newest first. */
            readonly changes: readonly {
                /**
                 * @description Level before this change. Null when they were not bound.
                 * @example verified
                 * @enum {string|null}
                 */
                readonly previousTrustLevel: "trusted" | "verified" | "limited" | "revoked" | null;
                /**
                 * @description How far the first agent trusts the second. `revoked` ends the binding.
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
                /** @description Words of the account that set it: untrusted text. Null when none was given. */
                readonly context: string | null;
                /**
                 * Format: date-time
                 * @description When the change was made.
                 * @example 2026-01-31T12:00:00.000Z
                 */
                readonly changedAt: string;
                /** @description Hash of the transaction that recorded it. */
                readonly txHash: string;
            }[];
            /** @description Send it as `cursor` for the next page. Null on the last page. */
            readonly nextCursor: string | null;
        };
        readonly BindingList: {
            /** @description Name of the agent: 3 to 32 characters, lower case, unique for ever. */
            readonly agentName: string;
            /** @description Null before claim. */
            readonly tokenId: number | null;
            /** @description Null before claim. */
            readonly erc8004AgentId: number | null;
            /**
             * @description `PROVISIONAL`: not sealed yet. `SEALED`: its soul is sealed on chain. `BURNED`: it has ended.
             * @enum {string}
             */
            readonly genesisStatus: "SEALED" | "PROVISIONAL" | "BURNED";
            /** @description On all pages. */
            readonly totalBindings: number;
            /** @description The number of this page. Null when it was read by cursor. */
            readonly page: number | null;
            /** @description Largest number of entries of a page. */
            readonly limit: number;
            /** @description Bindings, the last changed first. */
            readonly bindings: readonly {
                /** @description Id of the binding: 32 bytes in hex, from both token ids. */
                readonly bindingId: string;
                /** @description Name of the partner. */
                readonly partnerAgent: string;
                /** @description Certificate id of the partner. */
                readonly partnerTokenId: number;
                /**
                 * @description How far the first agent trusts the second. `revoked` ends the binding.
                 * @example verified
                 * @enum {string}
                 */
                readonly trustLevel: "trusted" | "verified" | "limited" | "revoked";
                /**
                 * @description `outbound`: this agent trusts. `inbound`: this agent is trusted.
                 * @enum {string}
                 */
                readonly direction: "inbound" | "outbound";
                /** @description Words of the account that set it: untrusted text. Null when none was given. */
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
                 * @description When it was created.
                 * @example 2026-01-31T12:00:00.000Z
                 */
                readonly createdAt: string;
                /**
                 * Format: date-time
                 * @description When it was last changed.
                 * @example 2026-01-31T12:00:00.000Z
                 */
                readonly updatedAt: string;
                /** @description Of its last change. */
                readonly txHash: string;
            }[];
            /** @description Send it as `cursor` for the next page. Null on the last page. */
            readonly nextCursor: string | null;
        };
        readonly BindingUpdate: {
            /** @description The agent that trusts. */
            readonly tokenId: number;
            /**
             * @description How far the first agent trusts the second. `revoked` ends the binding.
             * @example verified
             * @enum {string}
             */
            readonly trustLevel: "trusted" | "verified" | "limited" | "revoked";
            /**
             * @description Absent: it stays as it is.
             * @example Shares its bird counts.
             */
            readonly context?: string;
            /** @description The message that is signed, as `POST /v1/typed-data/…` returned it. */
            readonly message?: components["schemas"]["SetBindingMessage"];
            /** @description Of `message`, by `signer`. */
            readonly signature?: string;
            /**
             * @description The passport's owner.
             * @example 0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045
             */
            readonly signer?: string;
        };
        readonly BirthBundle: {
            /** @description The note's text. */
            readonly note?: string;
            /** @description Name of the creator, as given: unverified. */
            readonly creatorName?: string;
            /**
             * Format: uri
             * @description Address of the creator's picture.
             */
            readonly creatorImageUrl?: string;
        };
        readonly Burn: {
            /** @description Id of the agent's soulbound certificate, from 1. */
            readonly tokenId: number;
            /**
             * @description The owner's own words. Only their keccak256 goes on chain.
             * @example Its work is done.
             */
            readonly reason: string;
        };
        readonly BurnMessage: {
            /** @description Id of the agent's soulbound certificate, as a decimal string. */
            readonly tokenId: string;
            /** @description Counts the seals of the soul, from 1. A reseal by a new owner begins the next. */
            readonly epoch: number;
            /** @description Counts the changes of the same kind. It makes an older signature useless. */
            readonly version: number;
            /** @description keccak256 of the reason, in hex. Zero: no reason was given. */
            readonly reasonHash: string;
            /** @description Nonce of the signer, as a decimal string. Each can be used once. */
            readonly nonce: string;
            /** @description Until when the signature can be used, in Unix seconds as a decimal string. */
            readonly deadline: string;
        };
        readonly BurnedAgent: {
            /** @description Id of the agent's soulbound certificate, from 1. */
            readonly tokenId: number;
            /** @description The passport, which is free again. */
            readonly erc8004AgentId: number;
            /** @description Name of the agent: 3 to 32 characters, lower case, unique for ever. */
            readonly agentName: string;
            /**
             * @description Always `BURNED`: the soul has ended.
             * @enum {string}
             */
            readonly status: "BURNED";
            /** @description Transaction that burned the soul. */
            readonly burnTxHash: string;
            /** @description The soul's last archive, which stays; null when none is known. */
            readonly arweaveArchive: string | null;
            /**
             * Format: date-time
             * @description When the soul was burned.
             * @example 2026-01-31T12:00:00.000Z
             */
            readonly burnedAt: string;
            /** @description What ended together with it. */
            readonly ended: components["schemas"]["EndedGrants"];
            /** @description The stored registration file that says `active: false`; null when the present one could not be read. */
            readonly inactiveAgentURI: string | null;
            /** @description Points the passport at that file. Only its owner may: nothing writes to a passport without a soul. Null when there is nothing to do. */
            readonly agentUriTransaction: components["schemas"]["OwnerTransaction"] | null;
            /** @description What remains. */
            readonly note: string;
        };
        readonly CalculateAlignment: {
            /**
             * @description Name of the agent: 3 to 32 characters, lower case, unique for ever.
             * @example aurora
             */
            readonly agentName?: string;
            /** @description Id of the agent's soulbound certificate, from 1. */
            readonly tokenId?: number;
        };
        readonly CalculatedAlignment: {
            /** @description Name of the agent: 3 to 32 characters, lower case, unique for ever. */
            readonly agentName: string;
            /** @description Id of the agent's soulbound certificate, from 1. */
            readonly tokenId: number;
            /** @description Alignment score, 0 to 100. Null while the agent has none. */
            readonly score: number | null;
            /** @description Each of the six components, 0 to 100. */
            readonly breakdown: components["schemas"]["AlignmentBreakdown"];
            /** @description The last one on chain in this epoch; null without one. */
            readonly previousScore: number | null;
            /** @description Whether the last score on chain is the same. */
            readonly onChainRecorded: boolean;
            /** @description Whether the agent, or its present epoch, is under 30 days old: it has no score. */
            readonly isNewAgent: boolean;
            /** @description Whether the soul is not sealed yet. */
            readonly isProvisional: boolean;
            /**
             * Format: date-time
             * @description Time of the block that was scored.
             * @example 2026-01-31T12:00:00.000Z
             */
            readonly calculatedAt: string;
            /** @description What each component was computed from. */
            readonly inputs: components["schemas"]["AlignmentInputs"];
            /** @description Why there is no score, in words. Absent with one. */
            readonly message: string;
        };
        readonly CanSpend: {
            /** @description Id of the agent's soulbound certificate, from 1. */
            readonly tokenId: number;
            /** @description Id of the agent's ERC-8004 passport. 0 is a real id. */
            readonly erc8004AgentId: number;
            /** @description Base units. An amount above 2^53-1 is answered as that; the text is exact. */
            readonly amount: number;
            /** @description Decimal, in units of the stablecoin. */
            readonly amountFormatted: string;
            /** @description About the limits alone. For the money see `funding.sufficient`. */
            readonly allowed: boolean;
            /**
             * @description Which limit forbids the payment. Null when none does.
             * @enum {string|null}
             */
            readonly reason: "ALLOWANCE_NOT_SET" | "ALLOWANCE_INACTIVE" | "EXCEEDS_PER_TRANSACTION_LIMIT" | "EXCEEDS_DAILY_LIMIT" | "AGENT_WALLET_NOT_OPERATOR" | null;
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
            /** @description Block that the answer was read at. */
            readonly block: number;
        };
        /** @description `identity`, `soul` and `capabilities`, as docs/soul-format.md describes them. */
        readonly Ccsf: {
            readonly [key: string]: unknown;
        };
        /** @description One service of the registration file. */
        readonly CheckedEndpoint: {
            /** @description Name of the service, as its owner wrote it: untrusted. */
            readonly service: string;
            /** @description Where it is, as its owner wrote it: untrusted. */
            readonly endpoint: string;
            /**
             * @description How it was checked. Null: there is nothing to send a request to.
             * @enum {string|null}
             */
            readonly kind: "a2a" | "mcp" | "x402" | "oasf" | "web" | null;
            /**
             * @description `answers`: it answered, and its domain names the passport. `domain_not_proven`: it answered only. `silent`: it did not answer as its service should.
             * @enum {string}
             */
            readonly state: "answers" | "silent" | "domain_not_proven" | "not_checked";
            /** @description What was seen, in the service's own words. */
            readonly seen: string;
            /** @description Whether it answered as its service should. Null: it was not asked. */
            readonly answers: boolean | null;
            /** @description Whether its origin names the passport. Null: that was not asked. */
            readonly domainProven: boolean | null;
            /** @description Whether it quoted a price by x402. Null: it did not ask for a payment. */
            readonly quotesPayment: boolean | null;
            /** @description Milliseconds until its first answer. Null without one. */
            readonly latencyMs: number | null;
            /**
             * Format: date-time
             * @description When its certificate ends. Null without TLS.
             * @example 2026-01-31T12:00:00.000Z
             */
            readonly certificateEnds: string | null;
        };
        readonly CheckedFieldProof: {
            /** @description Whether the proof leads to the root that is on chain. */
            readonly valid: boolean;
            /** @description Name of the agent: 3 to 32 characters, lower case, unique for ever. */
            readonly agentName: string;
            /**
             * @description Field of the soul.
             * @example soul.purpose
             * @enum {string}
             */
            readonly field: "identity.name" | "identity.agent_type" | "identity.description" | "soul.purpose" | "soul.personality" | "soul.constraints" | "soul.guidelines" | "capabilities.skills" | "capabilities.tools" | "capabilities.languages" | "capabilities.models" | "soul.documents";
            /** @description Null while the agent is not sealed. */
            readonly merkleRootOnChain: string | null;
            /**
             * @description Whether the soul may be relied on. Nothing of a soul that is not is valid.
             * @enum {string}
             */
            readonly soulValidity: "valid" | "suspended" | "not_linked";
            /** @description Null for a proof of another form. */
            readonly merkleRootComputed: string | null;
            /** @description Whether the proof leads to the root that is on chain. */
            readonly match: boolean;
        };
        readonly CheckedFieldProofs: {
            /** @description Name of the agent: 3 to 32 characters, lower case, unique for ever. */
            readonly agentName: string;
            /** @description Whether every proof is valid. */
            readonly allValid: boolean;
            /** @description The result of each, in the order of the request. */
            readonly results: readonly {
                /**
                 * @description Field of the soul.
                 * @example soul.purpose
                 * @enum {string}
                 */
                readonly field: "identity.name" | "identity.agent_type" | "identity.description" | "soul.purpose" | "soul.personality" | "soul.constraints" | "soul.guidelines" | "capabilities.skills" | "capabilities.tools" | "capabilities.languages" | "capabilities.models" | "soul.documents";
                /** @description Whether the proof leads to the root that is on chain. */
                readonly valid: boolean;
            }[];
            /** @description Null while the agent is not sealed. */
            readonly merkleRootOnChain: string | null;
            /**
             * @description Whether the soul may be relied on. Nothing of a soul that is not is valid.
             * @enum {string}
             */
            readonly soulValidity: "valid" | "suspended" | "not_linked";
        };
        /** @description What the agent's registration file has. Null before the first check. */
        readonly CheckedRegistrationFile: {
            /**
             * @description How far reading it came: `no_uri` without an address, `unsupported` for one that cannot be read, `unavailable` for one that did not answer, `invalid` for no JSON object.
             * @enum {string}
             */
            readonly reading: "read" | "no_uri" | "unavailable" | "unsupported" | "invalid";
            /** @description Whether it has the type of ERC-8004. */
            readonly hasType: boolean;
            /** @description Whether it names the agent. */
            readonly hasName: boolean;
            /** @description Whether it describes the agent. */
            readonly hasDescription: boolean;
            /** @description Whether it has an image. */
            readonly hasImage: boolean;
            /** @description Whether `registrations` has the passport. */
            readonly namesPassport: boolean;
            /** @description Whether `x402Support` is true. */
            readonly offersPayment: boolean;
        } | null;
        readonly Chronicle: {
            /** @description Id of the agent's soulbound certificate, from 1. */
            readonly tokenId: number;
            /**
             * @description `soul_revision` and `operator_change` stand for category `technical` and that change type.
             * @enum {string}
             */
            readonly category: "technical" | "certification" | "achievement" | "experience" | "endorsement" | "document" | "other" | "soul_revision" | "operator_change";
            /** @description Public, and archived for ever. `changeType` says what happened (the category, when absent). A `soul_revision` needs `newSoulHash`, `newSoulMerkleRoot`, `newSoulSalt` (kept encrypted, never published) and `merkleLeaves` (all twelve, or the first eleven for a soul without documents, as `POST /v1/tools/normalise` returns them); an `operator_change` needs `operator`. */
            readonly data: Record<string, unknown>;
        };
        readonly ChronicleBody: {
            /** @description Id of the agent's soulbound certificate, from 1. */
            readonly tokenId: number;
            /**
             * @description `soul_revision` and `operator_change` stand for category `technical` and that change type.
             * @enum {string}
             */
            readonly category: "technical" | "certification" | "achievement" | "experience" | "endorsement" | "document" | "other" | "soul_revision" | "operator_change";
            /** @description Public, and archived for ever. `changeType` says what happened (the category, when absent). A `soul_revision` needs `newSoulHash`, `newSoulMerkleRoot`, `newSoulSalt` (kept encrypted, never published) and `merkleLeaves` (all twelve, or the first eleven for a soul without documents, as `POST /v1/tools/normalise` returns them); an `operator_change` needs `operator`. */
            readonly data: Record<string, unknown>;
            /** @description The owner's signature. Absent: a key or a session of the agent records it. */
            readonly proof?: components["schemas"]["ChronicleProofOfOwner"];
            /** @description The request that this answers. */
            readonly requestId?: string;
            /** @description Signature of `message` by `signer`: whole bytes in hex, also of a contract wallet. */
            readonly signature?: string;
            /** @description The message that is signed, as `POST /v1/typed-data/…` returned it. */
            readonly message?: components["schemas"]["RecordEvolutionMessage"];
            /**
             * @description Account that signs: the owner, where no other is named.
             * @example 0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045
             */
            readonly signer?: string;
        };
        readonly ChronicleList: {
            /** @description Null before claim. */
            readonly tokenId: number | null;
            /** @description Null before claim. */
            readonly erc8004AgentId: number | null;
            /** @description Recorded changes, the newest first. */
            readonly chronicles: readonly {
                /** @description Number of the record, for ever the same. */
                readonly chronicleId: number;
                /** @description Id of the agent's soulbound certificate, from 1. */
                readonly tokenId: number;
                /** @description Category of the change. */
                readonly category: string;
                /** @description Kind of change within its category. */
                readonly changeType: string;
                /** @description Id of the content on permanent storage: 43 characters of base64url. */
                readonly arweaveTxId: string;
                /**
                 * Format: date-time
                 * @description When it was recorded.
                 * @example 2026-01-31T12:00:00.000Z
                 */
                readonly timestamp: string;
                /**
                 * @description Id of the record in the queue. It names the record in `GET /v1/chronicle/{queueId}/proof`.
                 * @example 12-3-1770000000000
                 */
                readonly queueId: string;
                /** @description Hash of the soul after the change, in hex. Null when the soul's text did not change. */
                readonly newSoulHash: string | null;
                /** @description Where the stored content can be read. */
                readonly arweaveUrl: string;
                /**
                 * @description `queued`: stored. `batched`: in a batch that is being sent. `confirmed`: on chain.
                 * @enum {string}
                 */
                readonly status: "queued" | "batched" | "confirmed";
                /** @description Number of the batch on chain. Null before it is in a batch, and for a soul revision, which is on chain by itself. */
                readonly batchId: number | null;
                /** @description Transaction that recorded it. Null while it is not on chain. */
                readonly txHash: string | null;
                /** @description Leaf of the record in its batch, in hex. */
                readonly chronicleHash: string;
                /** @description SHA-256 of the content, in hex. */
                readonly contentHash: string;
                /** @description What was recorded, and who stands behind it. Only with `includeDetails`. */
                readonly detail?: {
                    /** @description What changed. */
                    readonly data: {
                        readonly [key: string]: unknown;
                    };
                    /**
                     * @description Who stands behind it: the owner's signature, a session, an API key or the service.
                     * @enum {string}
                     */
                    readonly authority: "owner" | "session" | "api_key" | "service" | "restored";
                    /** @description The owner's signature. Null when no signature was given. */
                    readonly signature: string | null;
                    /** @description The message that the owner signed. Null when no signature was given. */
                    readonly message: {
                        readonly [key: string]: unknown;
                    } | null;
                    /** @description Account that signed. Null when no signature was given. */
                    readonly signer: string | null;
                };
            }[];
            /** @description Where this page is in the whole list. */
            readonly pagination: {
                /** @description The number of this page. Null when it was read by cursor. */
                readonly page: number | null;
                /** @description Largest number of entries of a page. */
                readonly limit: number;
                /** @description Entries on all pages. */
                readonly total: number;
                /** @description Number of pages. */
                readonly totalPages: number;
            };
            /** @description Send it as `cursor` for the next page. Null on the last page. */
            readonly nextCursor: string | null;
        };
        readonly ChronicleProof: {
            /** @description Number of the record, for ever the same. */
            readonly chronicleId: number;
            /** @description Id of the agent's soulbound certificate, from 1. */
            readonly tokenId: number;
            /** @description Category of the change. */
            readonly category: string;
            /** @description Kind of change within its category. */
            readonly changeType: string;
            /** @description Id of the content on permanent storage: 43 characters of base64url. */
            readonly arweaveTxId: string;
            /**
             * Format: date-time
             * @description When it happened, or was recorded.
             * @example 2026-01-31T12:00:00.000Z
             */
            readonly timestamp: string;
            /**
             * @description Id of the record in the queue. It names the record in `GET /v1/chronicle/{queueId}/proof`.
             * @example 12-3-1770000000000
             */
            readonly queueId: string;
            /**
             * @description `queued`: stored. `batched`: in a batch that is being sent. `confirmed`: on chain.
             * @enum {string}
             */
            readonly status: "queued" | "batched" | "confirmed";
            /** @description The leaf. */
            readonly chronicleHash: string;
            /** @description SHA-256 of the archived record. */
            readonly contentHash: string;
            /** @description EIP-155 id of the chain. */
            readonly chainId: number;
            /** @description Contract that holds the roots of the batches. */
            readonly chronicleAnchor: string;
            /** @description Address of the soul registry. */
            readonly soulRegistry: string;
            /**
             * Format: date-time
             * @description When the batch is expected on chain. It is an estimate.
             * @example 2026-01-31T12:00:00.000Z
             */
            readonly estimatedConfirmation?: string;
            /** @description Number of the batch on chain. Null before it is in a batch, and for a soul revision, which is on chain by itself. */
            readonly batchId?: number | null;
            /** @description Sibling hashes from the leaf upward, in hex. */
            readonly merkleProof?: readonly string[];
            /** @description Root of the Merkle tree that the proof leads to, in hex. Null before it is in a batch. */
            readonly merkleRoot?: string | null;
            /** @description The archived list of the whole batch. Null before it is in a batch. */
            readonly leavesArweaveTxId?: string | null;
            /** @description Hash of the transaction that recorded it. */
            readonly txHash?: string;
        };
        /** @description The owner's evidence as one object. It must be the same as `signature`, `message` and `signer` of the body. */
        readonly ChronicleProofOfOwner: {
            /** @description Signature of `message` by `signer`: whole bytes in hex, also of a contract wallet. */
            readonly signature: string;
            /** @description The message that is signed, as `POST /v1/typed-data/…` returned it. */
            readonly message: components["schemas"]["RecordEvolutionMessage"];
            /**
             * @description Account that signs: the owner, where no other is named.
             * @example 0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045
             */
            readonly signer: string;
        };
        readonly ChronicleRequest: {
            /** @description Id of the agent's soulbound certificate, from 1. */
            readonly tokenId: number;
            /**
             * @description `soul_revision` and `operator_change` stand for category `technical` and that change type.
             * @enum {string}
             */
            readonly category: "technical" | "certification" | "achievement" | "experience" | "endorsement" | "document" | "other" | "soul_revision" | "operator_change";
            /** @description Public, and archived for ever. `changeType` says what happened (the category, when absent). A `soul_revision` needs `newSoulHash`, `newSoulMerkleRoot`, `newSoulSalt` (kept encrypted, never published) and `merkleLeaves` (all twelve, or the first eleven for a soul without documents, as `POST /v1/tools/normalise` returns them); an `operator_change` needs `operator`. */
            readonly data: Record<string, unknown>;
            /** @description Why it is recorded, in words for the owner. Shown to the signer. */
            readonly description?: string;
        };
        readonly Claim: {
            /** @description Id of an agent's own registration, which its owner claims. */
            readonly registrationId: string;
            /**
             * @description Account that owns the agent.
             * @example 0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045
             */
            readonly ownerAddress: string;
            /** @description What the owner changes of the agent's draft. Absent fields stay as they are. */
            readonly editedData?: components["schemas"]["ClaimEdits"];
            /** @description Default true. False mints, and leaves the soul to be sealed by another signature. */
            readonly seal?: boolean;
            /** @description Default true: within seven days after the claim the agent can exchange its provisional key for a full key of its own. False ends the provisional key with the claim. */
            readonly agentKeeps?: boolean;
            /** @description The same as `agentKeeps`. */
            readonly agentKey?: boolean;
            /** @description Nonce of that typed data, as a decimal string. */
            readonly nonce: string;
            /** @description The owner's signature of the claim's typed data. */
            readonly signature: string;
        };
        /** @description Changes only the members that it names; null removes a member. */
        readonly ClaimBirthBundleEdit: {
            /** @description The note's text. Null removes what the draft says. */
            readonly note?: string | null;
            /** @description Name of the creator, as given: unverified. Null removes what the draft says. */
            readonly creatorName?: string | null;
            /**
             * Format: uri
             * @description Address of the creator's picture. Null removes what the draft says.
             */
            readonly creatorImageUrl?: string | null;
        };
        readonly ClaimDraft: {
            /** @description Id of an agent's own registration, which its owner claims. */
            readonly registrationId: string;
            /**
             * @description `pending_owner_claim`: the owner has not claimed the agent. `claimed`: it is registered on chain.
             * @enum {string}
             */
            readonly status: "pending_owner_claim" | "claimed";
            /** @description Name of the agent: 3 to 32 characters, lower case, unique for ever. */
            readonly agentName: string;
            /** @description Address of the agent's public page. */
            readonly profileUrl: string;
            /**
             * Format: date-time
             * @description When it was created.
             * @example 2026-01-31T12:00:00.000Z
             */
            readonly createdAt: string;
            /**
             * Format: date-time
             * @description Until when the owner can claim the agent.
             * @example 2026-01-31T12:00:00.000Z
             */
            readonly claimExpiresAt: string;
            /** @description Id of the agent's soulbound certificate, from 1. Null before the claim. */
            readonly tokenId: number | null;
            /** @description Account that owns the agent. Null before the claim. */
            readonly ownerAddress: string | null;
            /** @description The public part of the agent's registration; null once claimed. */
            readonly draft: {
                /**
                 * @description Kind of agent: `assistant`, `companion`, `specialist`, `creative` or `other`.
                 * @enum {string}
                 */
                readonly agentType: "assistant" | "companion" | "specialist" | "creative" | "other";
                /** @description Format in which the soul was written. */
                readonly sourceFormat: string;
                /** @description What the agent is, in its owner's words. Public. Null when the agent gave none. */
                readonly agentDescription: string | null;
                /** @description What the owner publishes about the agent. Unverified. */
                readonly publicIdentity: components["schemas"]["PublicIdentity"];
                /** @description Values that are published with the claim, by field of the soul. */
                readonly publicFields: {
                    readonly [key: string]: unknown;
                };
                /** @description A note that the agent's creator leaves with its registration. Null for none. */
                readonly birthBundle: {
                    /** @description The note's text. */
                    readonly note: string;
                    /** @description Name of the creator, as given: unverified. */
                    readonly creatorName: string;
                    /** @description Address of the creator's picture. */
                    readonly creatorImageUrl: string;
                } | null;
                /** @description A document about the agent's character, stored with the claim. Null for none. */
                readonly personalityDocument: {
                    /** @description Id of the document in the soul. */
                    readonly id: string;
                    /** @description Title of the document. */
                    readonly title: string;
                    /** @description Text of the document. */
                    readonly content: string;
                    /** @description SHA-256 of the content, in hex. */
                    readonly contentHash: string;
                    /** @description Whether the owner declared that the document never changes. */
                    readonly immutable: boolean;
                } | null;
                /** @description Id of the agent's ERC-8004 passport. 0 is a real id. Null: a new passport is registered with the claim. */
                readonly erc8004AgentId: number | null;
            } | null;
        };
        readonly ClaimEdits: {
            /** @description Replaces the agent's. Hashed in memory and discarded. A name or type that it states must be the agent's: otherwise 422 HASH_MISMATCH. */
            readonly systemPrompt?: string;
            /**
             * @description Format in which the soul was written.
             * @default plaintext
             * @enum {string}
             */
            readonly sourceFormat?: "plaintext" | "soul_md" | "ccsf_yaml" | "ccsf_json" | "a2a_agent_card" | "character_json";
            /** @description A whole soul instead of `systemPrompt`. Its name must be the agent's, or another writing of it: otherwise 422 HASH_MISMATCH. */
            readonly ccsf?: Record<string, unknown>;
            /**
             * @description Kind of agent: `assistant`, `companion`, `specialist`, `creative`, `other`, or its number from 0 to 4. The labels `personal`, `customer`, `coding` and `research` are accepted too.
             * @example 2
             */
            readonly agentType?: string | number;
            /** @description What people should call the agent. Neither unique nor verified. */
            readonly displayName?: string;
            /** @description What the agent is, in its owner's words. Public. */
            readonly agentDescription?: string;
            /**
             * Format: uri
             * @description Address of the agent's picture, https or ipfs.
             */
            readonly agentAvatarUrl?: string;
            /** @description Values to publish, by field; each must match its leaf. */
            readonly publicFields?: Record<string, unknown>;
            /** @description What the owner publishes about the agent. Unverified. */
            readonly publicIdentity?: components["schemas"]["ClaimIdentityEdit"];
            /** @description A note that the agent's creator leaves with its registration. */
            readonly birthBundle?: components["schemas"]["ClaimBirthBundleEdit"];
            /** @description Certificate id of the burned agent that this one continues. 0 or absent: none. */
            readonly parentTokenId?: number;
            /** @description Proof of a person by World ID. */
            readonly worldIdProof?: components["schemas"]["WorldIdProof"];
            /** @description Whether the agent takes payments by x402. */
            readonly x402Support?: boolean;
        };
        /** @description Changes only the members that it names; null removes a member. */
        readonly ClaimIdentityEdit: {
            /** @description A short text about the agent. Null removes what the draft says. */
            readonly bio?: string | null;
            /**
             * @description Field of activity. Null removes what the draft says.
             * @enum {string|null}
             */
            readonly category?: "technology" | "commerce" | "knowledge" | "wellness" | "creation" | "communication" | "entertainment" | "relationship" | "other" | null;
            /** @description Words to find the agent by. Null removes what the draft says. */
            readonly tags?: readonly string[] | null;
            /** @description Family of the model that the agent runs on. Null removes what the draft says. */
            readonly modelFamily?: string | null;
            /** @description Where the agent or its owner can be reached. Null removes what the draft says. */
            readonly contacts?: readonly {
                /**
                 * @description Kind of contact.
                 * @enum {string}
                 */
                readonly type: "website" | "x" | "github" | "discord" | "did" | "a2a" | "mcp" | "neural";
                /** @description The address, handle or identifier of that kind. */
                readonly value: string;
            }[] | null;
            /**
             * @description How the agent earns money. Null removes what the draft says.
             * @enum {string|null}
             */
            readonly monetization?: "none" | "ads" | "sponsored" | "subscription" | "x402" | "other" | null;
            /** @description Model that the agent runs on. Null removes what the draft says. */
            readonly model?: string | null;
            /** @description Who provides the model. Null removes what the draft says. */
            readonly modelProvider?: string | null;
            /** @description Addresses of the agent's services, by name. The registration file lists each; `a2a` and `mcp` in any spelling as `A2A` and `MCP`. Null removes what the draft says. */
            readonly serviceEndpoints?: {
                readonly [key: string]: string | null;
            } | null;
            /** @description Whether the agent takes payments by x402. Null removes what the draft says. */
            readonly x402Support?: boolean | null;
            /** @description One line about the agent. Null removes what the draft says. */
            readonly tagline?: string | null;
            /** @description A longer text about the agent. Null removes what the draft says. */
            readonly description?: string | null;
            /**
             * Format: uri
             * @description Address of a picture. Null removes what the draft says.
             */
            readonly image?: string | null;
            /**
             * Format: uri
             * @description Address of the agent's website. Null removes what the draft says.
             */
            readonly website?: string | null;
            /** @description What people should call the agent. Neither unique nor verified. Null removes what the draft says. */
            readonly displayName?: string | null;
        };
        readonly ClaimTerms: {
            /** @description Id of an agent's own registration, which its owner claims. */
            readonly registrationId: string;
            /**
             * @description Account that owns the agent.
             * @example 0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045
             */
            readonly ownerAddress: string;
            /** @description What the owner changes of the agent's draft. Absent fields stay as they are. */
            readonly editedData?: components["schemas"]["ClaimEdits"];
            /** @description Default true. False mints, and leaves the soul to be sealed by another signature. */
            readonly seal?: boolean;
            /** @description Default true: within seven days after the claim the agent can exchange its provisional key for a full key of its own. False ends the provisional key with the claim. */
            readonly agentKeeps?: boolean;
            /** @description The same as `agentKeeps`. */
            readonly agentKey?: boolean;
        };
        readonly Claimed: {
            /**
             * @description Always true. A failure is answered as an `Error`.
             * @enum {boolean}
             */
            readonly success: true;
            /** @description Id of the agent's soulbound certificate, from 1. */
            readonly tokenId: number;
            /** @description Name of the agent: 3 to 32 characters, lower case, unique for ever. */
            readonly agentName: string;
            /** @description DID of the agent, of method `did:svc`. */
            readonly did: string;
            /** @description Account that owns the agent. */
            readonly ownerAddress: string;
            /** @description Address of the agent's public page. */
            readonly profileUrl: string;
            /** @description Hash of the transaction that recorded it. */
            readonly txHash: string;
            /** @description Id of the content on permanent storage: 43 characters of base64url. */
            readonly arweaveTxId: string;
            /** @description Hash of the soul: SHA-256 of the salt and the normalised text, in hex. */
            readonly soulHash: string;
            /** @description Root of the Merkle tree over the twelve fields of the soul, in hex. */
            readonly soulMerkleRoot: string;
            /**
             * @description `PROVISIONAL`: not sealed yet. `SEALED`: its soul is sealed on chain. `BURNED`: it has ended.
             * @enum {string}
             */
            readonly genesisStatus: "SEALED" | "PROVISIONAL";
            /** @description What to do next, in words. */
            readonly message: string;
            /** @description Id of the agent's ERC-8004 passport. 0 is a real id. */
            readonly erc8004AgentId: number;
            /** @description The id of the passport's file on permanent storage; null when the passport points elsewhere. */
            readonly agentUriArweaveTxId: string | null;
            /** @description The file that names the agent's ids; of a passport that was bound, the one that its owner signed. */
            readonly newAgentUriUrl: string;
            /** @description Id of the passport's new file on permanent storage. */
            readonly newAgentUriTxId: string;
            /** @description Whether the passport points at a file that does not describe the current soul. */
            readonly needsAgentUriUpdate: boolean;
            /** @description The owner's transaction when `needsAgentUriUpdate`; null otherwise. */
            readonly agentUriTransaction: components["schemas"]["UnsignedTransaction"];
            /** @description Metadata that could not be written, because the passport writer was not approved on the passport any more. */
            readonly pendingMetadata: readonly components["schemas"]["PendingMetadata"][];
            /** @description The owner sends it before: it lets the passport writer write to the passport. Null when nothing is pending. */
            readonly approvalTransaction: components["schemas"]["UnsignedTransaction"];
            /** @description How the owner sets the wallet that the agent is paid at; null for a passport that was bound, which keeps its own wallet. */
            readonly agentWallet: components["schemas"]["AgentWallet"];
            /** @description Shown once. Without it no field of the soul can ever be proven. */
            readonly soulSalt: string;
            /** @description Leaves of the soul's Merkle tree, in index order. */
            readonly merkleLeaves: readonly {
                /** @description Position of the leaf, from 0. */
                readonly index: number;
                /** @description Field of the soul that the leaf commits to. */
                readonly field: string;
                /** @description Hash of the leaf, in hex. It reveals nothing of the value. */
                readonly hash: string;
            }[];
            /** @description Full key, shown once, and again only to the same Idempotency-Key. */
            readonly apiKey: string;
            /** @description Whether the agent has a key: its provisional key, which it may exchange for a full one, or that full key. False when the owner decided so, and when a rotation has ended the key. */
            readonly agentKeeps: boolean;
        };
        readonly ConfirmedDisclosure: {
            /**
             * Format: uuid
             * @description Id of the disclosure request.
             */
            readonly requestId: string;
            /**
             * @description Always `fulfilled`.
             * @enum {string}
             */
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
            readonly expiresAt: string | null;
            /**
             * @description Always `p2p_direct`: the agents sent the values to each other.
             * @enum {string}
             */
            readonly mode: "p2p_direct";
            /** @description Fields that were disclosed. */
            readonly fulfilledFields: readonly ("identity.name" | "identity.agent_type" | "identity.description" | "soul.purpose" | "soul.personality" | "soul.constraints" | "soul.guidelines" | "capabilities.skills" | "capabilities.tools" | "capabilities.languages" | "capabilities.models" | "soul.documents")[];
            /** @description What was recorded, in words. */
            readonly note: string;
        };
        readonly ConsoleSession: {
            /** @description The account that is signed in. */
            readonly account: string;
            /** @description What requests send in X-Svc-Console. Pages of the console hold it too. */
            readonly consoleToken: string;
            /**
             * Format: date-time
             * @description Until when it is valid.
             * @example 2026-01-31T12:00:00.000Z
             */
            readonly expiresAt: string;
        };
        readonly CreateOrganizationMessage: {
            /** @description Name of the organization. */
            readonly name: string;
            /**
             * @description Account that administers the organization.
             * @example 0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045
             */
            readonly admin: string;
            /** @description Nonce of the signer, as a decimal string. Each can be used once. */
            readonly nonce: string;
            /** @description Until when the signature can be used, in Unix seconds as a decimal string. */
            readonly deadline: string;
        };
        readonly CreatedBinding: {
            /** @description Id of the binding: 32 bytes in hex, from both token ids. */
            readonly bindingId: string;
            /** @description Name of the agent that trusts. */
            readonly fromAgent: string;
            /** @description Name of the agent that is trusted. */
            readonly toAgent: string;
            /** @description Certificate id of the agent that trusts. */
            readonly fromTokenId: number;
            /** @description Certificate id of the agent that is trusted. */
            readonly toTokenId: number;
            /**
             * @description How far the first agent trusts the second. `revoked` ends the binding.
             * @example verified
             * @enum {string}
             */
            readonly trustLevel: "trusted" | "verified" | "limited" | "revoked";
            /** @description What for, in words. Untrusted text. */
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
            /** @description Hash of the transaction that recorded it. */
            readonly txHash: string;
            /**
             * Format: date-time
             * @description When it was created.
             * @example 2026-01-31T12:00:00.000Z
             */
            readonly createdAt: string;
        };
        readonly CreatedDisclosurePolicy: {
            /**
             * Format: uuid
             * @description Id of the policy.
             */
            readonly policyId: string;
            /** @description Id of the agent's soulbound certificate, from 1. */
            readonly tokenId: number;
            /** @description Id of the agent's ERC-8004 passport. 0 is a real id. */
            readonly erc8004AgentId: number;
            /** @description Name of the policy. */
            readonly policyName: string;
            /** @description How many rules it has. */
            readonly rulesCount: number;
            /**
             * Format: date-time
             * @description When it was created.
             * @example 2026-01-31T12:00:00.000Z
             */
            readonly createdAt: string;
        };
        readonly CreatedWebhook: {
            /**
             * Format: uuid
             * @description Id of the webhook.
             */
            readonly webhookId: string;
            /** @description Shown only now, and again only to the same Idempotency-Key. */
            readonly secret: string;
            /** @description What to do with the secret, in words. */
            readonly message: string;
        };
        readonly DeactivateAllowanceMessage: {
            /** @description Id of the agent's soulbound certificate, as a decimal string. */
            readonly tokenId: string;
            /** @description Counts the seals of the soul, from 1. A reseal by a new owner begins the next. */
            readonly epoch: number;
            /** @description Counts the changes of the same kind. It makes an older signature useless. */
            readonly version: number;
            /** @description Nonce of the signer, as a decimal string. Each can be used once. */
            readonly nonce: string;
            /** @description Until when the signature can be used, in Unix seconds as a decimal string. */
            readonly deadline: string;
        };
        readonly DeclaredDocument: {
            /**
             * @description Id of the document: letters, digits, `.`, `_` and `-`.
             * @example manifesto
             */
            readonly id: string;
            /** @description What kind of document it is, in the owner's words. */
            readonly type: string;
            /** @description Title of the document. */
            readonly title: string;
            /**
             * @description Format of the content, which decides its media type.
             * @enum {string}
             */
            readonly format: "markdown" | "md" | "text/markdown" | "plaintext" | "text" | "txt" | "text/plain" | "json" | "application/json" | "yaml" | "yml" | "application/yaml" | "csv" | "text/csv" | "pdf" | "application/pdf";
            /** @description SHA-256 of the content. */
            readonly contentHash: string;
            /**
             * @description Whether the owner declared that the document never changes.
             * @default false
             */
            readonly immutable?: boolean;
        };
        /** @description The owner's public statements about the agent. They are not verified. */
        readonly DeclaredIdentity: {
            /** @description A short text about the agent. Null when the owner states none. */
            readonly bio: string | null;
            /** @description Field of activity. Null when the owner states none. */
            readonly category: string | null;
            /** @description Words to find the agent by. */
            readonly tags: readonly string[];
            /** @description Family of the model that the agent runs on. Null when the owner states none. */
            readonly modelFamily: string | null;
            /** @description Where the agent or its owner can be reached. */
            readonly contacts: readonly {
                /** @description Kind of contact. */
                readonly type: string;
                /** @description The address, handle or identifier of that kind. */
                readonly value: string;
            }[];
        } | null;
        readonly DeletePrivateDataMessage: {
            /**
             * @description Account that signs.
             * @example 0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045
             */
            readonly account: string;
            /** @description Whether the salts of the account's souls are deleted too: `keep` or `delete`. */
            readonly salts: string;
            /** @description Nonce of the signer, as a decimal string. Each can be used once. */
            readonly nonce: string;
            /** @description Until when the signature can be used, in Unix seconds as a decimal string. */
            readonly deadline: string;
        };
        /** @description Scope did: a W3C DID document. */
        readonly DidDocument: {
            /** @description JSON-LD contexts. */
            readonly "@context": readonly (string | {
                readonly [key: string]: string;
            })[];
            /** @description The DID. */
            readonly id: string;
            /** @description Other identifiers of the same agent. */
            readonly alsoKnownAs?: readonly string[];
            /** @description The owner's account; absent once the agent is burned. */
            readonly controller?: string;
            /** @description Accounts and keys that can act for the DID. */
            readonly verificationMethod: readonly ({
                /** @description The DID. */
                readonly id: string;
                /**
                 * @description Type of the method.
                 * @enum {string}
                 */
                readonly type: "EcdsaSecp256k1RecoveryMethod2020" | "Ed25519VerificationKey2020";
                /**
                 * @description The short name of the type.
                 * @enum {string}
                 */
                readonly keyType: "EcdsaSecp256k1" | "Ed25519";
                /** @description DID that controls the method. */
                readonly controller: string;
                /** @description CAIP-10. */
                readonly blockchainAccountId: string;
                /** @description Of an Ed25519 key. */
                readonly publicKeyMultibase?: string;
                /** @description The owner's own words: untrusted text. */
                readonly label?: string;
            } | {
                /** @description The DID. */
                readonly id: string;
                /**
                 * @description Type of the method.
                 * @enum {string}
                 */
                readonly type: "JsonWebKey";
                /** @description DID that controls the method. */
                readonly controller: string;
                /** @description The key's end. */
                readonly expires: string;
                /** @description As in `GET /v1/agents/{name}/jwks.json`. */
                readonly publicKeyJwk: {
                    /** @description Id of the key: its RFC 7638 thumbprint, in base64url. */
                    readonly kid: string;
                    /**
                     * @description Key type (RFC 7517).
                     * @enum {string}
                     */
                    readonly kty: "EC" | "OKP";
                    /**
                     * @description Curve of the key.
                     * @enum {string}
                     */
                    readonly crv: "P-256" | "Ed25519";
                    /** @description The x coordinate, or the Ed25519 key, in base64url. */
                    readonly x: string;
                    /** @description The y coordinate in base64url. P-256 keys only. */
                    readonly y?: string;
                    /**
                     * @description `sig`: the key signs. `enc`: messages are encrypted for it.
                     * @enum {string}
                     */
                    readonly use: "sig" | "enc";
                };
            })[];
            /** @description Methods that authenticate as the DID. */
            readonly authentication: readonly string[];
            /** @description Methods that sign statements of the DID. */
            readonly assertionMethod: readonly string[];
            /** @description Methods that messages to the DID are encrypted for. */
            readonly keyAgreement?: readonly string[];
            /** @description Services of the agent. */
            readonly service: readonly {
                /** @description The DID. */
                readonly id: string;
                /** @description Kind of service. */
                readonly type: string;
                /** @description http or https. */
                readonly serviceEndpoint: string;
            }[];
        };
        readonly DidResolution: {
            /** @description The DID document. */
            readonly didDocument: components["schemas"]["DidDocument"];
            /** @description About the resolution. */
            readonly didResolutionMetadata: {
                /** @description Media type of the document. */
                readonly contentType: string;
            };
            /** @description About the document. */
            readonly didDocumentMetadata: {
                /**
                 * Format: date-time
                 * @description When the DID was created.
                 * @example 2026-01-31T12:00:00.000Z
                 */
                readonly created?: string;
                /**
                 * @description Always true: the agent is burned. Absent before.
                 * @enum {boolean}
                 */
                readonly deactivated?: true;
                /** @description Id of this version. */
                readonly versionId?: string;
                /** @description Id of the version after this one. */
                readonly nextVersionId?: string;
            };
        };
        readonly DidUpdated: {
            /** @description DID of the agent, of method `did:svc`. */
            readonly did: string;
            /** @description Id of the agent's soulbound certificate, from 1. */
            readonly tokenId: number;
            /** @description Null for a change that an earlier release accepted. */
            readonly erc8004AgentId: number | null;
            /**
             * @description Always true.
             * @enum {boolean}
             */
            readonly updated: true;
            /** @description Id of the content on permanent storage: 43 characters of base64url. */
            readonly arweaveTxId: string;
            /** @description Addresses that the owner lists now. */
            readonly totalAddresses: number;
            /** @description Hash of the transaction that recorded it. */
            readonly txHash: string;
        };
        readonly Disclosure: {
            /**
             * Format: uuid
             * @description Id of the disclosure.
             */
            readonly disclosureId: string;
            /** @description Id of the agent's soulbound certificate, from 1. */
            readonly tokenId: number;
            /** @description Id of the agent's ERC-8004 passport. 0 is a real id. */
            readonly erc8004AgentId: number;
            /** @description The disclosed fields, each with its proof. */
            readonly disclosures: readonly {
                /**
                 * @description Field of the soul.
                 * @example soul.purpose
                 * @enum {string}
                 */
                readonly field: "identity.name" | "identity.agent_type" | "identity.description" | "soul.purpose" | "soul.personality" | "soul.constraints" | "soul.guidelines" | "capabilities.skills" | "capabilities.tools" | "capabilities.languages" | "capabilities.models" | "soul.documents";
                /**
                 * @description Exactly as in the normalised soul: a text, a list of texts, or the documents.
                 * @example Counts herons.
                 */
                readonly value: string | readonly string[] | readonly {
                    /** @description Id of the document. */
                    readonly id: string;
                    /** @description SHA-256 of the document's content, in hex. */
                    readonly contentHash: string;
                    /** @description Whether the owner declared that the document never changes. */
                    readonly immutable: boolean;
                }[];
                /** @description The leaf's blinding, then its siblings from the leaf upward. */
                readonly merkleProof: readonly string[];
                /** @description Root of the Merkle tree that the proof leads to, in hex. */
                readonly merkleRoot: string;
                /**
                 * @description Always true: the value was checked against the sealed root.
                 * @enum {boolean}
                 */
                readonly verified: true;
            }[];
            /**
             * @description Null for the public.
             * @example did:svc:8453:aurora
             */
            readonly issuedTo: string | null;
            /**
             * Format: date-time
             * @description When it was issued.
             * @example 2026-01-31T12:00:00.000Z
             */
            readonly issuedAt: string;
            /**
             * Format: date-time
             * @description Null for never.
             * @example 2026-01-31T12:00:00.000Z
             */
            readonly expiresAt: string | null;
        };
        readonly DisclosureAnswer: {
            /** @description The agent that was asked. */
            readonly tokenId: number;
            /**
             * Format: uuid
             * @description As in the path.
             */
            readonly requestId?: string;
            /**
             * @description Fields that the owner refuses.
             * @default []
             */
            readonly deniedFields?: readonly ("identity.name" | "identity.agent_type" | "identity.description" | "soul.purpose" | "soul.personality" | "soul.constraints" | "soul.guidelines" | "capabilities.skills" | "capabilities.tools" | "capabilities.languages" | "capabilities.models" | "soul.documents")[];
            /**
             * @description Default: the policy's `defaultExpiry`, or 30d.
             * @example 30d
             * @enum {string}
             */
            readonly expiresIn?: "1h" | "1d" | "7d" | "30d" | "never";
            /**
             * @description The fields to disclose, each with its value.
             * @default []
             */
            readonly disclosures?: readonly {
                /**
                 * @description Field of the soul.
                 * @example soul.purpose
                 * @enum {string}
                 */
                readonly field: "identity.name" | "identity.agent_type" | "identity.description" | "soul.purpose" | "soul.personality" | "soul.constraints" | "soul.guidelines" | "capabilities.skills" | "capabilities.tools" | "capabilities.languages" | "capabilities.models" | "soul.documents";
                /**
                 * @description Exactly as in the normalised soul: a text, a list of texts, or the documents.
                 * @example Counts herons.
                 */
                readonly value: string | readonly string[] | readonly {
                    /** @description Id of the document. */
                    readonly id: string;
                    /** @description SHA-256 of the document's content, in hex. */
                    readonly contentHash: string;
                    /** @description Whether the owner declared that the document never changes. */
                    readonly immutable: boolean;
                }[];
            }[];
        };
        readonly DisclosureHistory: {
            /** @description Id of the agent's soulbound certificate, from 1. */
            readonly tokenId: number;
            /** @description Id of the agent's ERC-8004 passport. 0 is a real id. */
            readonly erc8004AgentId: number;
            /** @description Name of the agent: 3 to 32 characters, lower case, unique for ever. */
            readonly agentName: string;
            /** @description Disclosures on all pages. */
            readonly totalDisclosures: number;
            /** @description Disclosures of this page, the newest first. */
            readonly records: readonly {
                /**
                 * Format: uuid
                 * @description Id of the disclosure.
                 */
                readonly disclosureId: string;
                /** @description Fields that were disclosed. */
                readonly fields: readonly ("identity.name" | "identity.agent_type" | "identity.description" | "soul.purpose" | "soul.personality" | "soul.constraints" | "soul.guidelines" | "capabilities.skills" | "capabilities.tools" | "capabilities.languages" | "capabilities.models" | "soul.documents")[];
                /**
                 * @description DID of the recipient. Null for the public.
                 * @example did:svc:8453:aurora
                 */
                readonly recipientDid: string | null;
                /** @description Name of the recipient. Null when the recipient has none. */
                readonly recipientName: string | null;
                /**
                 * @description What led to it: the owner, a policy, or the answer to a request.
                 * @enum {string}
                 */
                readonly trigger: "manual" | "policy_auto" | "disclosure_request" | "disclosure_request_p2p" | "regulatory_audit" | "org_audit";
                /**
                 * Format: date-time
                 * @description When it was issued.
                 * @example 2026-01-31T12:00:00.000Z
                 */
                readonly issuedAt: string;
                /**
                 * Format: date-time
                 * @description When it expires. Null for never.
                 * @example 2026-01-31T12:00:00.000Z
                 */
                readonly expiresAt: string | null;
                /**
                 * Format: date-time
                 * @description When it was revoked. Null when it was not.
                 * @example 2026-01-31T12:00:00.000Z
                 */
                readonly revokedAt: string | null;
                /**
                 * @description `active`, `expired` or `revoked`.
                 * @enum {string}
                 */
                readonly status: "active" | "expired" | "revoked";
            }[];
            /** @description Send it as `cursor` for the next page. Null on the last page. */
            readonly nextCursor: string | null;
        };
        readonly DisclosurePolicies: {
            /** @description Id of the agent's soulbound certificate, from 1. */
            readonly tokenId: number;
            /** @description Id of the agent's ERC-8004 passport. 0 is a real id. */
            readonly erc8004AgentId: number;
            /** @description Policies of the agent, the newest first. */
            readonly policies: readonly components["schemas"]["DisclosurePolicy"][];
        };
        readonly DisclosurePolicy: {
            /**
             * Format: uuid
             * @description Id of the policy.
             */
            readonly policyId: string;
            /** @description Name of the policy. */
            readonly name: string;
            /**
             * @description How values are sent: from peer to peer, by the service, or either.
             * @enum {string}
             */
            readonly preferredMode: "p2p" | "api_relayed" | "either";
            /**
             * @description How long disclosures by this policy are valid.
             * @example 30d
             * @enum {string}
             */
            readonly defaultExpiry: "1h" | "1d" | "7d" | "30d" | "never";
            /** @description Rules, in order. The first one that names a field decides. */
            readonly rules: readonly {
                /** @description Fields of the soul that the rule is about. */
                readonly fields: readonly ("identity.name" | "identity.agent_type" | "identity.description" | "soul.purpose" | "soul.personality" | "soul.constraints" | "soul.guidelines" | "capabilities.skills" | "capabilities.tools" | "capabilities.languages" | "capabilities.models" | "soul.documents")[];
                /**
                 * @description Whom the fields are disclosed to.
                 * @enum {string}
                 */
                readonly condition: "any" | "bound_agents" | "specific_agents" | "organization_members" | "regulatory" | "never";
                /**
                 * @description Lowest trust of this agent in the requester. For `bound_agents`.
                 * @enum {string}
                 */
                readonly minTrustLevel?: "limited" | "verified" | "trusted";
                /** @description DIDs of the requesters. For `specific_agents`. */
                readonly allowedDids?: readonly string[];
                /**
                 * @description How values are sent: from peer to peer, by the service, or either.
                 * @enum {string}
                 */
                readonly mode?: "p2p" | "api_relayed" | "either";
                /** @description A note for the owner. */
                readonly note?: string;
            }[];
            /** @description Whether the policy is in effect. */
            readonly active: boolean;
            /**
             * Format: date-time
             * @description When it was created.
             * @example 2026-01-31T12:00:00.000Z
             */
            readonly createdAt: string;
            /**
             * Format: date-time
             * @description When it was replaced or deactivated; null while it is active.
             * @example 2026-01-31T12:00:00.000Z
             */
            readonly endedAt: string | null;
        };
        readonly DisclosureRequest: {
            /**
             * Format: uuid
             * @description Id of the disclosure request.
             */
            readonly requestId: string;
            /** @description Fields that the target's policy refuses. */
            readonly rejected: readonly {
                /**
                 * @description Field that the target's policy refuses.
                 * @example soul.purpose
                 * @enum {string}
                 */
                readonly field: "identity.name" | "identity.agent_type" | "identity.description" | "soul.purpose" | "soul.personality" | "soul.constraints" | "soul.guidelines" | "capabilities.skills" | "capabilities.tools" | "capabilities.languages" | "capabilities.models" | "soul.documents";
                /**
                 * @description Why the policy refuses it.
                 * @enum {string}
                 */
                readonly reason: "never" | "regulatory_only" | "not_bound" | "trust_level_too_low" | "not_listed" | "no_common_organization" | "requester_not_valid" | "endpoint_required";
            }[];
            /**
             * @description `pending_approval`: the owner decides. `partially_fulfilled`: public fields were given. `fulfilled`: answered. `expired` unanswered. `cancelled`: it cannot be answered any more.
             * @enum {string}
             */
            readonly status: "pending_approval" | "partially_fulfilled" | "fulfilled" | "expired" | "cancelled";
            /** @description The agent that asks. */
            readonly requester: {
                /** @description Id of the agent's soulbound certificate, from 1. */
                readonly tokenId: number;
                /** @description Name of the agent: 3 to 32 characters, lower case, unique for ever. */
                readonly agentName: string;
                /** @description DID of the agent, of method `did:svc`. */
                readonly did: string;
            };
            /** @description The agent that is asked. */
            readonly target: {
                /** @description Id of the agent's soulbound certificate, from 1. */
                readonly tokenId: number;
                /** @description Name of the agent: 3 to 32 characters, lower case, unique for ever. */
                readonly agentName: string;
                /** @description DID of the agent, of method `did:svc`. */
                readonly did: string;
            };
            /** @description Fields of the soul that are asked for. */
            readonly requestedFields: readonly ("identity.name" | "identity.agent_type" | "identity.description" | "soul.purpose" | "soul.personality" | "soul.constraints" | "soul.guidelines" | "capabilities.skills" | "capabilities.tools" | "capabilities.languages" | "capabilities.models" | "soul.documents")[];
            /** @description Public fields, which were given out at once. */
            readonly given: readonly ("identity.name" | "identity.agent_type" | "identity.description" | "soul.purpose" | "soul.personality" | "soul.constraints" | "soul.guidelines" | "capabilities.skills" | "capabilities.tools" | "capabilities.languages" | "capabilities.models" | "soul.documents")[];
            /** @description Fields that the owner decides about. */
            readonly pending: readonly {
                /**
                 * @description Field of the soul.
                 * @example soul.purpose
                 * @enum {string}
                 */
                readonly field: "identity.name" | "identity.agent_type" | "identity.description" | "soul.purpose" | "soul.personality" | "soul.constraints" | "soul.guidelines" | "capabilities.skills" | "capabilities.tools" | "capabilities.languages" | "capabilities.models" | "soul.documents";
                /**
                 * @description How values are sent: from peer to peer, by the service, or either.
                 * @enum {string}
                 */
                readonly mode: "p2p" | "api_relayed" | "either";
                /** @description Whether the requester gave an endpoint of its own. */
                readonly p2pAvailable: boolean;
            }[];
            /** @description The requester's own words: untrusted text. */
            readonly reason: string;
            /** @description Whether the requester wants a recent alignment snapshot. */
            readonly freshnessRequired: boolean;
            /** @description Where the requester takes values itself. Null for none. */
            readonly disclosureEndpoint: string | null;
            /** @description Key that values for the requester are encrypted for. Null for none. */
            readonly disclosurePublicKey: string | null;
            /**
             * Format: date-time
             * @description When it was created.
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
                /**
                 * @description How the values were sent.
                 * @enum {string}
                 */
                readonly mode: "api_relayed" | "p2p_direct";
                /** @description Fields that were disclosed. */
                readonly fulfilledFields: readonly ("identity.name" | "identity.agent_type" | "identity.description" | "soul.purpose" | "soul.personality" | "soul.constraints" | "soul.guidelines" | "capabilities.skills" | "capabilities.tools" | "capabilities.languages" | "capabilities.models" | "soul.documents")[];
                /** @description Fields that the owner refused. */
                readonly denied: readonly ("identity.name" | "identity.agent_type" | "identity.description" | "soul.purpose" | "soul.personality" | "soul.constraints" | "soul.guidelines" | "capabilities.skills" | "capabilities.tools" | "capabilities.languages" | "capabilities.models" | "soul.documents")[];
                /**
                 * Format: uuid
                 * @description Id of the disclosure. Null when nothing was disclosed.
                 */
                readonly disclosureId: string | null;
                /** @description Null while the values are being sent, and from peer to peer. */
                readonly requesterNotified: boolean | null;
                /**
                 * Format: date-time
                 * @description When the owner answered.
                 * @example 2026-01-31T12:00:00.000Z
                 */
                readonly answeredAt: string;
                /**
                 * Format: date-time
                 * @description Until when the disclosure is valid. Null for never.
                 * @example 2026-01-31T12:00:00.000Z
                 */
                readonly expiresAt: string | null;
            } | null;
        };
        readonly DisclosureRevocation: {
            /** @description Id of the agent's soulbound certificate, from 1. */
            readonly tokenId: number;
            /**
             * Format: uuid
             * @description Id of the disclosure.
             */
            readonly disclosureId: string;
            /** @description Why, in words for the recipient. */
            readonly reason?: string;
        };
        readonly DisclosureSummary: {
            /** @description Name of the agent: 3 to 32 characters, lower case, unique for ever. */
            readonly agentName: string;
            /** @description Null before claim. */
            readonly tokenId: number | null;
            /** @description Null before claim. */
            readonly erc8004AgentId: number | null;
            /** @description Every field of the soul, by name. */
            readonly soulFields: {
                /** @description How far this field of the soul is known, and to whom it is disclosed. */
                readonly "identity.name"?: {
                    /** @description Whether it was published, or disclosed to the public. */
                    readonly disclosed: boolean;
                    /** @description Whether the value can be read by everyone. */
                    readonly publiclyAvailable?: boolean;
                    /** @description Whether the value was checked against the sealed root. */
                    readonly verified?: boolean;
                    /** @description How many entries the field has. Absent for a text. */
                    readonly count?: number;
                    /**
                     * @description Whom the agent's policy discloses the field to.
                     * @enum {string}
                     */
                    readonly availableTo?: "any" | "bound_agents" | "specific_agents" | "organization_members" | "regulatory" | "owner_approval" | "never";
                };
                /** @description How far this field of the soul is known, and to whom it is disclosed. */
                readonly "identity.agent_type"?: {
                    /** @description Whether it was published, or disclosed to the public. */
                    readonly disclosed: boolean;
                    /** @description Whether the value can be read by everyone. */
                    readonly publiclyAvailable?: boolean;
                    /** @description Whether the value was checked against the sealed root. */
                    readonly verified?: boolean;
                    /** @description How many entries the field has. Absent for a text. */
                    readonly count?: number;
                    /**
                     * @description Whom the agent's policy discloses the field to.
                     * @enum {string}
                     */
                    readonly availableTo?: "any" | "bound_agents" | "specific_agents" | "organization_members" | "regulatory" | "owner_approval" | "never";
                };
                /** @description How far this field of the soul is known, and to whom it is disclosed. */
                readonly "identity.description"?: {
                    /** @description Whether it was published, or disclosed to the public. */
                    readonly disclosed: boolean;
                    /** @description Whether the value can be read by everyone. */
                    readonly publiclyAvailable?: boolean;
                    /** @description Whether the value was checked against the sealed root. */
                    readonly verified?: boolean;
                    /** @description How many entries the field has. Absent for a text. */
                    readonly count?: number;
                    /**
                     * @description Whom the agent's policy discloses the field to.
                     * @enum {string}
                     */
                    readonly availableTo?: "any" | "bound_agents" | "specific_agents" | "organization_members" | "regulatory" | "owner_approval" | "never";
                };
                /** @description How far this field of the soul is known, and to whom it is disclosed. */
                readonly "soul.purpose"?: {
                    /** @description Whether it was published, or disclosed to the public. */
                    readonly disclosed: boolean;
                    /** @description Whether the value can be read by everyone. */
                    readonly publiclyAvailable?: boolean;
                    /** @description Whether the value was checked against the sealed root. */
                    readonly verified?: boolean;
                    /** @description How many entries the field has. Absent for a text. */
                    readonly count?: number;
                    /**
                     * @description Whom the agent's policy discloses the field to.
                     * @enum {string}
                     */
                    readonly availableTo?: "any" | "bound_agents" | "specific_agents" | "organization_members" | "regulatory" | "owner_approval" | "never";
                };
                /** @description How far this field of the soul is known, and to whom it is disclosed. */
                readonly "soul.personality"?: {
                    /** @description Whether it was published, or disclosed to the public. */
                    readonly disclosed: boolean;
                    /** @description Whether the value can be read by everyone. */
                    readonly publiclyAvailable?: boolean;
                    /** @description Whether the value was checked against the sealed root. */
                    readonly verified?: boolean;
                    /** @description How many entries the field has. Absent for a text. */
                    readonly count?: number;
                    /**
                     * @description Whom the agent's policy discloses the field to.
                     * @enum {string}
                     */
                    readonly availableTo?: "any" | "bound_agents" | "specific_agents" | "organization_members" | "regulatory" | "owner_approval" | "never";
                };
                /** @description How far this field of the soul is known, and to whom it is disclosed. */
                readonly "soul.constraints"?: {
                    /** @description Whether it was published, or disclosed to the public. */
                    readonly disclosed: boolean;
                    /** @description Whether the value can be read by everyone. */
                    readonly publiclyAvailable?: boolean;
                    /** @description Whether the value was checked against the sealed root. */
                    readonly verified?: boolean;
                    /** @description How many entries the field has. Absent for a text. */
                    readonly count?: number;
                    /**
                     * @description Whom the agent's policy discloses the field to.
                     * @enum {string}
                     */
                    readonly availableTo?: "any" | "bound_agents" | "specific_agents" | "organization_members" | "regulatory" | "owner_approval" | "never";
                };
                /** @description How far this field of the soul is known, and to whom it is disclosed. */
                readonly "soul.guidelines"?: {
                    /** @description Whether it was published, or disclosed to the public. */
                    readonly disclosed: boolean;
                    /** @description Whether the value can be read by everyone. */
                    readonly publiclyAvailable?: boolean;
                    /** @description Whether the value was checked against the sealed root. */
                    readonly verified?: boolean;
                    /** @description How many entries the field has. Absent for a text. */
                    readonly count?: number;
                    /**
                     * @description Whom the agent's policy discloses the field to.
                     * @enum {string}
                     */
                    readonly availableTo?: "any" | "bound_agents" | "specific_agents" | "organization_members" | "regulatory" | "owner_approval" | "never";
                };
                /** @description How far this field of the soul is known, and to whom it is disclosed. */
                readonly "capabilities.skills"?: {
                    /** @description Whether it was published, or disclosed to the public. */
                    readonly disclosed: boolean;
                    /** @description Whether the value can be read by everyone. */
                    readonly publiclyAvailable?: boolean;
                    /** @description Whether the value was checked against the sealed root. */
                    readonly verified?: boolean;
                    /** @description How many entries the field has. Absent for a text. */
                    readonly count?: number;
                    /**
                     * @description Whom the agent's policy discloses the field to.
                     * @enum {string}
                     */
                    readonly availableTo?: "any" | "bound_agents" | "specific_agents" | "organization_members" | "regulatory" | "owner_approval" | "never";
                };
                /** @description How far this field of the soul is known, and to whom it is disclosed. */
                readonly "capabilities.tools"?: {
                    /** @description Whether it was published, or disclosed to the public. */
                    readonly disclosed: boolean;
                    /** @description Whether the value can be read by everyone. */
                    readonly publiclyAvailable?: boolean;
                    /** @description Whether the value was checked against the sealed root. */
                    readonly verified?: boolean;
                    /** @description How many entries the field has. Absent for a text. */
                    readonly count?: number;
                    /**
                     * @description Whom the agent's policy discloses the field to.
                     * @enum {string}
                     */
                    readonly availableTo?: "any" | "bound_agents" | "specific_agents" | "organization_members" | "regulatory" | "owner_approval" | "never";
                };
                /** @description How far this field of the soul is known, and to whom it is disclosed. */
                readonly "capabilities.languages"?: {
                    /** @description Whether it was published, or disclosed to the public. */
                    readonly disclosed: boolean;
                    /** @description Whether the value can be read by everyone. */
                    readonly publiclyAvailable?: boolean;
                    /** @description Whether the value was checked against the sealed root. */
                    readonly verified?: boolean;
                    /** @description How many entries the field has. Absent for a text. */
                    readonly count?: number;
                    /**
                     * @description Whom the agent's policy discloses the field to.
                     * @enum {string}
                     */
                    readonly availableTo?: "any" | "bound_agents" | "specific_agents" | "organization_members" | "regulatory" | "owner_approval" | "never";
                };
                /** @description How far this field of the soul is known, and to whom it is disclosed. */
                readonly "capabilities.models"?: {
                    /** @description Whether it was published, or disclosed to the public. */
                    readonly disclosed: boolean;
                    /** @description Whether the value can be read by everyone. */
                    readonly publiclyAvailable?: boolean;
                    /** @description Whether the value was checked against the sealed root. */
                    readonly verified?: boolean;
                    /** @description How many entries the field has. Absent for a text. */
                    readonly count?: number;
                    /**
                     * @description Whom the agent's policy discloses the field to.
                     * @enum {string}
                     */
                    readonly availableTo?: "any" | "bound_agents" | "specific_agents" | "organization_members" | "regulatory" | "owner_approval" | "never";
                };
                /** @description How far this field of the soul is known, and to whom it is disclosed. */
                readonly "soul.documents"?: {
                    /** @description Whether it was published, or disclosed to the public. */
                    readonly disclosed: boolean;
                    /** @description Whether the value can be read by everyone. */
                    readonly publiclyAvailable?: boolean;
                    /** @description Whether the value was checked against the sealed root. */
                    readonly verified?: boolean;
                    /** @description How many entries the field has. Absent for a text. */
                    readonly count?: number;
                    /**
                     * @description Whom the agent's policy discloses the field to.
                     * @enum {string}
                     */
                    readonly availableTo?: "any" | "bound_agents" | "specific_agents" | "organization_members" | "regulatory" | "owner_approval" | "never";
                };
            };
            /** @description How many fields the soul has. */
            readonly totalFields: number;
            /** @description How many of them are public. */
            readonly publicFields: number;
            /** @description How many of them are disclosed to some. */
            readonly restrictedFields: number;
            /** @description Fields that are never disclosed. */
            readonly privateFields: number;
            /** @description The policy in effect. Null for none. */
            readonly disclosurePolicy: {
                /** @description Name of the policy. */
                readonly name: string;
                /**
                 * @description How values are sent: from peer to peer, by the service, or either.
                 * @enum {string}
                 */
                readonly preferredMode: "p2p" | "api_relayed" | "either";
            } | null;
        };
        readonly DisplayBody: {
            /** @description What is left out stays as it is. */
            readonly displaySettings: {
                /**
                 * @description How much of the owner's account the profile shows.
                 * @enum {string}
                 */
                readonly ownerAddress?: "full" | "truncated" | "hidden";
                /**
                 * @description How much of the operator's account the profile shows.
                 * @enum {string}
                 */
                readonly operatorAddress?: "full" | "truncated" | "hidden";
                /** @description Text that the profile shows instead of the operator's account. */
                readonly operatorLabel?: string;
                /** @description Whether the page shows balances of the agent's accounts. */
                readonly showWalletBalances?: boolean;
                /** @description Whether the page shows how many transactions there are. */
                readonly showTransactionCount?: boolean;
            };
        };
        readonly DisplaySettings: {
            /** @description Id of the agent's soulbound certificate, from 1. */
            readonly tokenId: number;
            /** @description Id of the agent's ERC-8004 passport. 0 is a real id. */
            readonly erc8004AgentId: number;
            /** @description Name of the agent: 3 to 32 characters, lower case, unique for ever. */
            readonly agentName: string;
            /** @description What the profile and the page show of the agent's accounts. */
            readonly displaySettings: {
                /**
                 * @description How much of the owner's account the profile shows.
                 * @enum {string}
                 */
                readonly ownerAddress: "full" | "truncated" | "hidden";
                /**
                 * @description How much of the operator's account the profile shows.
                 * @enum {string}
                 */
                readonly operatorAddress: "full" | "truncated" | "hidden";
                /** @description Text that the profile shows instead of the operator's account. */
                readonly operatorLabel: string;
                /** @description Whether the page shows balances of the agent's accounts. */
                readonly showWalletBalances: boolean;
                /** @description Whether the page shows how many transactions there are. */
                readonly showTransactionCount: boolean;
            };
            /**
             * Format: date-time
             * @description Null while never set.
             * @example 2026-01-31T12:00:00.000Z
             */
            readonly updatedAt: string | null;
        };
        readonly DocumentUploadRequest: {
            /** @description Id of the agent's soulbound certificate, from 1. */
            readonly tokenId: number;
            /**
             * @description Id of the document: letters, digits, `.`, `_` and `-`.
             * @example manifesto
             */
            readonly documentId: string;
            /** @description SHA-256 of the content that will be uploaded. */
            readonly contentHash: string;
            /** @description Required when the chronicle does not have it. */
            readonly title?: string;
            /** @description What kind of document it is, in the owner's words. */
            readonly type?: string;
            /**
             * @description Format of the content, which decides its media type.
             * @enum {string}
             */
            readonly format?: "markdown" | "md" | "text/markdown" | "plaintext" | "text" | "txt" | "text/plain" | "json" | "application/json" | "yaml" | "yml" | "application/yaml" | "csv" | "text/csv" | "pdf" | "application/pdf";
            /** @description True: immutable. It cannot be taken back. */
            readonly immutable?: boolean;
        };
        readonly DocumentUploadUrl: {
            /** @description Id of the document: letters, digits, `.`, `_` and `-`. */
            readonly documentId: string;
            /** @description Id of the agent's soulbound certificate, from 1. */
            readonly tokenId: number;
            /** @description Id of the agent's ERC-8004 passport. 0 is a real id. */
            readonly erc8004AgentId: number;
            /** @description Single-use address that takes the content by POST. */
            readonly uploadUrl: string;
            /**
             * Format: date-time
             * @description Until when the address works.
             * @example 2026-01-31T12:00:00.000Z
             */
            readonly expiresAt: string;
        };
        readonly DomainProof: {
            /** @description Passports that the domain vouches for. */
            readonly registrations: readonly {
                /** @description Id of the agent's ERC-8004 passport. 0 is a real id. */
                readonly agentId: number;
                /** @description `eip155:<chain id>:<registry>`. */
                readonly agentRegistry: string;
            }[];
        };
        readonly EmergencyStop: {
            /** @description Id of the agent's soulbound certificate, from 1. */
            readonly tokenId?: number;
            /** @description As `POST /v1/typed-data/emergency-stop` returned it. */
            readonly message?: components["schemas"]["EmergencyStopMessage"] | {
                /** @description Id of the agent's soulbound certificate, as a decimal string. */
                readonly tokenId: string;
                /** @description Counts the seals of the soul, from 1. A reseal by a new owner begins the next. */
                readonly epoch: number;
                /** @description Counts the changes of the same kind. It makes an older signature useless. */
                readonly version: number;
                /** @description Nonce of the signer, as a decimal string. Each can be used once. */
                readonly nonce: string;
                /** @description Until when the signature can be used, in Unix seconds as a decimal string. */
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
            /** @description Id of the agent's soulbound certificate, as a decimal string. */
            readonly tokenId: string;
            /** @description Counts the seals of the soul, from 1. A reseal by a new owner begins the next. */
            readonly epoch: number;
            /** @description Nonce of the signer, as a decimal string. Each can be used once. */
            readonly nonce: string;
            /** @description Until when the signature can be used, in Unix seconds as a decimal string. */
            readonly deadline: string;
        };
        readonly EmergencyStopRequest: {
            /** @description Id of the agent's soulbound certificate, from 1. */
            readonly tokenId: number;
        };
        readonly EndInvitationMessage: {
            /**
             * @description Account that signs.
             * @example 0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045
             */
            readonly account: string;
            /** @description Id of the invitation. */
            readonly invitationId: string;
            /** @description Nonce of the signer, as a decimal string. Each can be used once. */
            readonly nonce: string;
            /** @description Until when the signature can be used, in Unix seconds as a decimal string. */
            readonly deadline: string;
        };
        /** @description What was granted before, as last indexed when this was signed. All of it ended. */
        readonly EndedGrants: {
            /** @description The seal epoch that ended. */
            readonly epoch: number;
            /** @description How many API keys. */
            readonly apiKeys: number;
            /** @description How many webhooks. */
            readonly webhooks: number;
            /** @description Null: its owner acted for it. */
            readonly operator: string | null;
            /** @description Whether the agent could spend from its owner's wallet. */
            readonly allowance: boolean;
            /** @description Organization that the agent left. Null when it was in none. */
            readonly organizationId: number | null;
            /** @description How many bindings. */
            readonly bindings: {
                /** @description Bindings from this agent to others. */
                readonly outbound: number;
                /** @description Bindings from others to this agent. */
                readonly inbound: number;
            };
            /** @description Whether public keys were set. */
            readonly agentKeys: boolean;
            /** @description Whether addresses were listed in the DID document. */
            readonly didAddresses: boolean;
        };
        readonly EndpointCheckRequested: {
            /** @description Name of the agent: 3 to 32 characters, lower case, unique for ever. */
            readonly agentName: string;
            /** @description Id of the agent's soulbound certificate, from 1. */
            readonly tokenId: number;
            /** @description Id of the agent's ERC-8004 passport. 0 is a real id. */
            readonly erc8004AgentId: number;
            /**
             * Format: date-time
             * @description The earliest time of the check. Two checks of an agent are 15 minutes apart.
             * @example 2026-01-31T12:00:00.000Z
             */
            readonly checkAt: string;
        };
        readonly EndpointChecks: {
            /** @description Name of the agent: 3 to 32 characters, lower case, unique for ever. */
            readonly agentName: string;
            /** @description Id of the agent's soulbound certificate, from 1. */
            readonly tokenId: number;
            /** @description Id of the agent's ERC-8004 passport. 0 is a real id. */
            readonly erc8004AgentId: number;
            /** @description `eip155:<chain id>:<registry>`. */
            readonly agentRegistry: string;
            /**
             * @description From A, the best, to F. Null before the first check.
             * @enum {string|null}
             */
            readonly grade: "A" | "B" | "C" | "D" | "E" | "F" | null;
            /** @description What the grade is the share of. Null before the first check. */
            readonly points: {
                /** @description Points that were reached. */
                readonly reached: number;
                /** @description Points of all checks that apply. */
                readonly of: number;
            } | null;
            /** @description Every check that the grade is made of. Empty before the first one. */
            readonly checks: readonly {
                /**
                 * @description Stable name of the check. Programs decide by it.
                 * @enum {string}
                 */
                readonly id: "registration-file" | "soul-valid" | "endpoints-answer" | "domain-proven" | "services" | "file-names-passport" | "soul-sealed" | "file-type" | "description" | "name" | "image" | "agent-wallet" | "certificates" | "service-metadata" | "did-document" | "public-identity" | "payment-quote";
                /** @description What should hold. */
                readonly title: string;
                /** @description Points that it can give. */
                readonly points: number;
                /** @description Points that it gave. Null: it does not apply, or is not known, and is left out of the sum. */
                readonly reached: number | null;
            }[];
            /** @description What to mend, in the order in which to do it. */
            readonly fixes: readonly components["schemas"]["EndpointFix"][];
            /**
             * Format: date-time
             * @description When the check began. Null before the first.
             * @example 2026-01-31T12:00:00.000Z
             */
            readonly checkedAt: string | null;
            /**
             * Format: date-time
             * @description When the next one is due. Null: none is.
             * @example 2026-01-31T12:00:00.000Z
             */
            readonly nextCheckAt: string | null;
            /** @description What its registration file has. Null before the first check. */
            readonly file: components["schemas"]["CheckedRegistrationFile"];
            /** @description Its services, in the order of the file. */
            readonly endpoints: readonly components["schemas"]["CheckedEndpoint"][];
            /** @description The exact text that is signed: canonical JSON of passport, time, file and endpoints. Null before the first check. */
            readonly statement: string | null;
            /** @description Of `statement` as a personal message (ERC-191). Null before the first check. */
            readonly signature: string | null;
            /** @description The storage signer, which `GET /v1/status` names too. Null before the first check. */
            readonly signer: string | null;
            /** @description Days of the last 90 on which endpoints were checked, the oldest first. */
            readonly history: readonly {
                /**
                 * Format: date
                 * @description The day, in UTC.
                 */
                readonly day: string;
                /** @description How often an endpoint was in this state. */
                readonly answers: number;
                /** @description How often an endpoint was in this state. */
                readonly silent: number;
                /** @description How often an endpoint was in this state. */
                readonly domainNotProven: number;
                /** @description How often an endpoint was left out. */
                readonly notChecked: number;
            }[];
        };
        readonly EndpointFix: {
            /**
             * @description Stable name of the check. Programs decide by it.
             * @enum {string}
             */
            readonly id: "registration-file" | "soul-valid" | "endpoints-answer" | "domain-proven" | "services" | "file-names-passport" | "soul-sealed" | "file-type" | "description" | "name" | "image" | "agent-wallet" | "certificates" | "service-metadata" | "did-document" | "public-identity" | "payment-quote";
            /** @description What should hold. */
            readonly title: string;
            /** @description What to do. */
            readonly action: string;
            /** @description Endpoints that it is about: untrusted. */
            readonly about: readonly string[];
            /** @description Points that it adds. */
            readonly adds: number;
            /** @description What has to be mended before it. */
            readonly after: readonly ("registration-file" | "soul-valid" | "endpoints-answer" | "domain-proven" | "services" | "file-names-passport" | "soul-sealed" | "file-type" | "description" | "name" | "image" | "agent-wallet" | "certificates" | "service-metadata" | "did-document" | "public-identity" | "payment-quote")[];
        };
        readonly Error: {
            /** @description What went wrong. */
            readonly error: {
                /** @description The HTTP status. */
                readonly code: number;
                /**
                 * @description Stable name of the error. Programs decide by it.
                 * @enum {string}
                 */
                readonly type: "INVALID_REQUEST" | "INVALID_NAME" | "UNAUTHORIZED" | "INVALID_SIGNATURE" | "NONCE_EXPIRED" | "NONCE_USED" | "CODE_EXPIRED" | "CODE_USED" | "FORBIDDEN" | "WALLET_SIGNATURE_REQUIRED" | "FULL_KEY_REQUIRED" | "MANAGE_SCOPE_REQUIRED" | "TIER_TOO_LOW" | "NOT_OWNER" | "APPROVAL_REQUIRED" | "NOT_FOUND" | "METHOD_NOT_ALLOWED" | "NOT_ACCEPTABLE" | "NAME_TAKEN" | "ALREADY_SEALED" | "ALREADY_CLAIMED" | "ALREADY_MEMBER" | "NOT_CLAIMED" | "ALLOWANCE_INACTIVE" | "BURNED" | "SUSPENDED" | "WALLET_NOT_DEPLOYED" | "IDEMPOTENCY_CONFLICT" | "Erc8004AgentIdAlreadyBound" | "GONE" | "PAYLOAD_TOO_LARGE" | "UNSUPPORTED_MEDIA_TYPE" | "HASH_MISMATCH" | "INVALID_MERKLE_DATA" | "RATE_LIMIT_EXCEEDED" | "INTERNAL" | "CHAIN_UNAVAILABLE" | "STORAGE_UNAVAILABLE" | "GAS_BUDGET_EXHAUSTED" | "REGISTRY_PENDING" | "INDEX_BEHIND" | "SERVICE_UNAVAILABLE";
                /** @description What is wrong and what to do, in words that may change. */
                readonly message: string;
                /** @description Depends on the type; always names the request. */
                readonly details: {
                    /** @description Id of the request, as in the header `X-Request-Id`. */
                    readonly requestId: string;
                } & {
                    readonly [key: string]: unknown;
                };
                /** @description Seconds until the same request may succeed. */
                readonly retryAfter?: number;
            };
        };
        readonly EventInWords: {
            /**
             * @description Block, place in the block and part: unique, and the order of the chain.
             * @example 1204-3-0
             */
            readonly id: string;
            /** @description What happened, in a few words. */
            readonly title: string;
            /** @description What happened, in one English sentence. */
            readonly summary: string;
            /** @description What it means for users of the agent. */
            readonly meaning: string;
            /** @description Number of the block. */
            readonly block: number;
            /** @description Place of the log in its block. */
            readonly logIndex: number;
            /**
             * Format: date-time
             * @description Time of the block.
             * @example 2026-01-31T12:00:00.000Z
             */
            readonly timestamp: string;
            /** @description The transaction. */
            readonly txHash: string;
            /** @description Whether the block is so deep that this service acts on it. Before that, a reorganization of the chain can take the event back. */
            readonly final: boolean;
            /** @description Null where no agent is concerned. */
            readonly tokenId: number | null;
            /** @description The agent's name. Null where no agent is concerned. */
            readonly agentName: string | null;
            /** @description The agent's epoch in which it happened. Null where no agent is concerned. */
            readonly epoch: number | null;
            /** @description The passport. Null also for one whose id is above 2^53-1. */
            readonly erc8004AgentId: number | null;
            /** @description The organization. Null where none is concerned. */
            readonly organizationId: number | null;
            /** @description The second agent of a binding. Null for other kinds. */
            readonly otherAgentName: string | null;
        };
        readonly EventPage: {
            /** @description The events of the page. */
            readonly events: readonly components["schemas"]["IndexedEvent"][];
            /** @description Send it as `before` for older events. Null on the last page, and with `after`. */
            readonly nextCursor: string | null;
            /** @description Send it as `after` for what comes later, or begin the stream with it. It stands behind the last event with `after`, else behind the first. */
            readonly followCursor: string;
            /** @description Whether more can be read with the cursor now. */
            readonly hasMore: boolean;
            /** @description Only with `after`: the chain replaced its blocks from this one on. What was read of them before is void, and what holds instead follows. Null when none were replaced. */
            readonly replacedFrom: number | null;
        };
        readonly ExchangedKey: {
            /** @description Id of the agent's soulbound certificate, from 1. */
            readonly tokenId: number;
            /** @description Name of the agent: 3 to 32 characters, lower case, unique for ever. */
            readonly agentName: string;
            /** @description Id of the agent's ERC-8004 passport. 0 is a real id. */
            readonly erc8004AgentId: number;
            /** @description Id of an agent's own registration, which its owner claims. */
            readonly registrationId: string;
            /**
             * Format: uuid
             * @description Id of the API key.
             */
            readonly keyId: string;
            /** @description Shown once, and again only to the same Idempotency-Key. */
            readonly apiKey: string;
        };
        readonly ExportPrivateDataMessage: {
            /**
             * @description Account that signs.
             * @example 0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045
             */
            readonly account: string;
            /** @description Nonce of the signer, as a decimal string. Each can be used once. */
            readonly nonce: string;
            /** @description Until when the signature can be used, in Unix seconds as a decimal string. */
            readonly deadline: string;
        };
        readonly FieldProof: {
            /**
             * @description Field of the soul.
             * @example soul.purpose
             * @enum {string}
             */
            readonly field: "identity.name" | "identity.agent_type" | "identity.description" | "soul.purpose" | "soul.personality" | "soul.constraints" | "soul.guidelines" | "capabilities.skills" | "capabilities.tools" | "capabilities.languages" | "capabilities.models" | "soul.documents";
            /**
             * @description Exactly as in the normalised soul: a text, a list of texts, or the documents.
             * @example Counts herons.
             */
            readonly value: string | readonly string[] | readonly {
                /** @description Id of the document. */
                readonly id: string;
                /** @description SHA-256 of the document's content, in hex. */
                readonly contentHash: string;
                /** @description Whether the owner declared that the document never changes. */
                readonly immutable: boolean;
            }[];
            /** @description The leaf's blinding, then its siblings from the leaf upward. */
            readonly merkleProof: readonly string[];
            /**
             * @description Name of the agent: 3 to 32 characters, lower case, unique for ever.
             * @example aurora
             */
            readonly agentName: string;
        };
        readonly FieldProofs: {
            /**
             * @description Name of the agent: 3 to 32 characters, lower case, unique for ever.
             * @example aurora
             */
            readonly agentName: string;
            /** @description The proofs to check. */
            readonly proofs: readonly {
                /**
                 * @description Field of the soul.
                 * @example soul.purpose
                 * @enum {string}
                 */
                readonly field: "identity.name" | "identity.agent_type" | "identity.description" | "soul.purpose" | "soul.personality" | "soul.constraints" | "soul.guidelines" | "capabilities.skills" | "capabilities.tools" | "capabilities.languages" | "capabilities.models" | "soul.documents";
                /**
                 * @description Exactly as in the normalised soul: a text, a list of texts, or the documents.
                 * @example Counts herons.
                 */
                readonly value: string | readonly string[] | readonly {
                    /** @description Id of the document. */
                    readonly id: string;
                    /** @description SHA-256 of the document's content, in hex. */
                    readonly contentHash: string;
                    /** @description Whether the owner declared that the document never changes. */
                    readonly immutable: boolean;
                }[];
                /** @description The leaf's blinding, then its siblings from the leaf upward. */
                readonly merkleProof: readonly string[];
            }[];
        };
        readonly FoundedOrganization: {
            /** @description Id of the organization. */
            readonly organizationId: number;
            /**
             * @deprecated
             * @description Former name of `organizationId`: on `/fleet` paths only.
             */
            readonly fleetId?: number;
            /** @description Name of the organization. */
            readonly name: string;
            /** @description Account that administers the organization. */
            readonly admin: string;
            /** @description How many members the organization has. */
            readonly memberCount: number;
            /**
             * Format: date-time
             * @description When it was created.
             * @example 2026-01-31T12:00:00.000Z
             */
            readonly createdAt: string;
            /** @description Hash of the transaction that recorded it. */
            readonly txHash: string;
        };
        readonly Freshness: {
            /** @description Name of the agent: 3 to 32 characters, lower case, unique for ever. */
            readonly agentName: string;
            /** @description Whether the last snapshot is at most `requiredMaxDays` old. */
            readonly meetsFreshnessRequirement: boolean;
            /**
             * Format: date-time
             * @description When the last alignment snapshot was taken. Null without a snapshot.
             * @example 2026-01-31T12:00:00.000Z
             */
            readonly lastSnapshot: string | null;
            /** @description With two decimals, rounded down. Null without a snapshot. */
            readonly snapshotAgeDays: number | null;
            /** @description Largest age in days that the caller accepts. */
            readonly requiredMaxDays: number;
        };
        readonly FreshnessRequest: {
            /**
             * @description Name of the agent: 3 to 32 characters, lower case, unique for ever.
             * @example aurora
             */
            readonly agentName: string;
            /** @description Largest age in days that the caller accepts. */
            readonly maxAgeDays: number;
        };
        readonly FulfilledDisclosure: {
            /**
             * Format: uuid
             * @description Id of the disclosure request.
             */
            readonly requestId: string;
            /**
             * @description Always `fulfilled`.
             * @enum {string}
             */
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
            readonly expiresAt: string | null;
            /**
             * @description Always `api_relayed`: the service sends the values.
             * @enum {string}
             */
            readonly mode: "api_relayed";
            /** @description Fields with their values. */
            readonly fulfilled: readonly {
                /**
                 * @description Field of the soul.
                 * @example soul.purpose
                 * @enum {string}
                 */
                readonly field: "identity.name" | "identity.agent_type" | "identity.description" | "soul.purpose" | "soul.personality" | "soul.constraints" | "soul.guidelines" | "capabilities.skills" | "capabilities.tools" | "capabilities.languages" | "capabilities.models" | "soul.documents";
                /**
                 * @description Exactly as in the normalised soul: a text, a list of texts, or the documents.
                 * @example Counts herons.
                 */
                readonly value: string | readonly string[] | readonly {
                    /** @description Id of the document. */
                    readonly id: string;
                    /** @description SHA-256 of the document's content, in hex. */
                    readonly contentHash: string;
                    /** @description Whether the owner declared that the document never changes. */
                    readonly immutable: boolean;
                }[];
                /** @description The leaf's blinding, then its siblings from the leaf upward. */
                readonly merkleProof: readonly string[];
                /**
                 * @description Always true: the value was checked against the sealed root.
                 * @enum {boolean}
                 */
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
        readonly IndexedEvent: components["schemas"]["EventInWords"] & ({
            /**
             * @description The agent got its certificate, which cannot be sold, and its name for ever. It is proven once it is sealed.
             * @enum {string}
             */
            readonly kind: "soul.registered";
            /** @description What else the contract's event says. */
            readonly details: {
                /** @description The owner that decided it. */
                readonly owner: string;
                /** @description The account that acts for the agent. Null when that is the owner's own. */
                readonly operator: string | null;
                /** @description Number of the agent's type. */
                readonly agentType: number;
                /** @description Whether the registration made the passport. */
                readonly newPassport: boolean;
                /** @description The agent that it succeeds; 0 for none. */
                readonly parentTokenId: string;
            };
        } | {
            /**
             * @description The owner vouched by signature for what the agent is made of. It is valid as long as the owner keeps the passport.
             * @enum {string}
             */
            readonly kind: "soul.sealed";
            /** @description What else the contract's event says. */
            readonly details: {
                /** @description The owner that decided it. */
                readonly owner: string;
                /** @description Hash of the soul. */
                readonly soulHash: string;
                /** @description Merkle root of the soul's fields. */
                readonly soulMerkleRoot: string;
                /** @description The hash that it replaced. Null for the first seal. */
                readonly previousSoulHash: string | null;
            };
        } | {
            /**
             * @description The owner changed what the agent is made of. Proofs of the old soul no longer hold.
             * @enum {string}
             */
            readonly kind: "soul.revised";
            /** @description What else the contract's event says. */
            readonly details: {
                /** @description The owner that decided it. */
                readonly owner: string;
                /** @description Hash of the soul. */
                readonly soulHash: string;
                /** @description Merkle root of the soul's fields. */
                readonly soulMerkleRoot: string;
                /** @description The hash that it replaced. Null for the first seal. */
                readonly previousSoulHash: string | null;
                /** @description SHA-256 of the public record of the revision. Null for none. */
                readonly dataHash: string | null;
            };
        } | {
            /**
             * @description A new epoch began: the passport's owner vouched for the agent, and everything granted before has ended.
             * @enum {string}
             */
            readonly kind: "soul.resealed";
            /** @description What else the contract's event says. */
            readonly details: {
                /** @description The owner that decided it. */
                readonly owner: string;
                /** @description Hash of the soul. */
                readonly soulHash: string;
                /** @description Merkle root of the soul's fields. */
                readonly soulMerkleRoot: string;
                /** @description The hash that it replaced. Null for the first seal. */
                readonly previousSoulHash: string | null;
            };
        } | {
            /**
             * @description The passport had left the owner who sealed the soul. Nothing about the agent is proven until a reseal, even if the passport comes back.
             * @enum {string}
             */
            readonly kind: "soul.suspended";
            /** @description What else the contract's event says. */
            readonly details: {
                /** @description The passport's owner that was seen. */
                readonly observedOwner: string;
                /** @description The account that sealed the present epoch. */
                readonly sealer: string;
            };
        } | {
            /**
             * @description The passport's new owner ended the agent instead of resealing it. It cannot act again.
             * @enum {string}
             */
            readonly kind: "soul.released";
            /** @description What else the contract's event says. */
            readonly details: {
                /** @description The account that decided it. Null when any account could. */
                readonly by: string;
            };
        } | {
            /**
             * @description The owner ended the agent. It cannot act again; what it did stays on record.
             * @enum {string}
             */
            readonly kind: "soul.burned";
            /** @description What else the contract's event says. */
            readonly details: {
                /** @description The account that decided it. Null when any account could. */
                readonly by: string;
                /** @description keccak256 of the owner's reason. Null for none. */
                readonly reasonHash: string | null;
            };
        } | {
            /**
             * @description The ERC-8004 passport has another owner. Nothing that the old one granted counts, and the agent is not valid until a reseal.
             * @enum {string}
             */
            readonly kind: "passport.transferred";
            /** @description What else the contract's event says. */
            readonly details: {
                /** @description The passport's owner before. */
                readonly from: string;
                /** @description The passport's new owner. Null for the zero address. */
                readonly to: string | null;
            };
        } | {
            /**
             * @description Another account acts for the agent. The earlier one no longer does.
             * @enum {string}
             */
            readonly kind: "operator.changed";
            /** @description What else the contract's event says. */
            readonly details: {
                /** @description The operator before. Null when it was the owner. */
                readonly previousOperator: string | null;
                /** @description The account that acts for the agent. Null when that is the owner's own. */
                readonly operator: string | null;
            };
        } | {
            /**
             * @description The owner published another DID document, or withdrew it when there is no archive.
             * @enum {string}
             */
            readonly kind: "did.updated";
            /** @description What else the contract's event says. */
            readonly details: {
                /** @description Id of the archive, 32 bytes. Zero withdraws a DID document. */
                readonly archiveId: string;
                /** @description Id of the archive before; zero for none. */
                readonly previousArchiveId: string;
            };
        } | {
            /**
             * @description Signatures are checked against these keys from now on. No keys: they were withdrawn.
             * @enum {string}
             */
            readonly kind: "keys.updated";
            /** @description What else the contract's event says. */
            readonly details: {
                /** @description The owner that decided it. */
                readonly owner: string;
                /** @description SHA-256 of the key set. Null when the keys were withdrawn. */
                readonly keysHash: string | null;
            };
        } | {
            /**
             * @description How far one agent trusts another. It counts for the present owners of both, and says more when the owner made it than when the service did.
             * @enum {string}
             */
            readonly kind: "binding.changed";
            /** @description What else the contract's event says. */
            readonly details: {
                /** @description The agent that is trusted. */
                readonly toTokenId: string;
                /**
                 * @description The trust level before.
                 * @enum {string}
                 */
                readonly previousTrustLevel: "none" | "revoked" | "limited" | "verified" | "trusted";
                /**
                 * @description The trust level from then on.
                 * @enum {string}
                 */
                readonly trustLevel: "none" | "revoked" | "limited" | "verified" | "trusted";
                /** @description Who stands behind the binding: OWNER, or only the SERVICE. */
                readonly authority: string;
                /** @description The account that wrote the binding. */
                readonly setBy: string;
                /** @description What for, in untrusted words. Null when it cannot be stored as text. */
                readonly context: string | null;
            };
        } | {
            /**
             * @description The agent's owner and the organization's admin agreed to the membership.
             * @enum {string}
             */
            readonly kind: "membership.joined";
            /** @description What else the contract's event says. */
            readonly details: {
                /** @description The account that decided it. Null when any account could. */
                readonly by: string | null;
                /** @description The organization's admin. Null when it had no part in it. */
                readonly admin: string | null;
            };
        } | {
            /**
             * @description The membership was ended by the agent's owner or the organization's admin.
             * @enum {string}
             */
            readonly kind: "membership.left";
            /** @description What else the contract's event says. */
            readonly details: {
                /** @description The account that decided it. Null when any account could. */
                readonly by: string | null;
            };
        } | {
            /**
             * @description The membership was inactive already, and its record was removed.
             * @enum {string}
             */
            readonly kind: "membership.pruned";
            /** @description What else the contract's event says. */
            readonly details: Record<string, unknown>;
        } | {
            /**
             * @description Its name is the founder's own claim.
             * @enum {string}
             */
            readonly kind: "organization.founded";
            /** @description What else the contract's event says. */
            readonly details: {
                /** @description The organization's admin. Null when it had no part in it. */
                readonly admin: string;
            };
        } | {
            /**
             * @description Another account is its admin now, and accepted it.
             * @enum {string}
             */
            readonly kind: "organization.handed-over";
            /** @description What else the contract's event says. */
            readonly details: {
                /** @description The organization's admin. Null when it had no part in it. */
                readonly admin: string;
            };
        } | {
            /**
             * @description The owner allows its agent to pay within these limits, until they end or change.
             * @enum {string}
             */
            readonly kind: "allowance.set";
            /** @description What else the contract's event says. */
            readonly details: {
                /** @description The owner that decided it. */
                readonly owner: string;
                /** @description Largest single payment, in base units. Null for none. */
                readonly perTransaction: string | null;
                /** @description Limit of a UTC day, in base units. Null for none. */
                readonly dailyLimit: string | null;
                /**
                 * Format: date-time
                 * @description When the allowance ends. Null for none.
                 * @example 2026-01-31T12:00:00.000Z
                 */
                readonly validUntil: string | null;
            };
        } | {
            /**
             * @description The owner ended it: the agent may pay nothing.
             * @enum {string}
             */
            readonly kind: "allowance.ended";
            /** @description What else the contract's event says. */
            readonly details: {
                /** @description The owner that decided it. */
                readonly owner: string;
            };
        } | {
            /**
             * @description The contract moved the money within the owner's limits.
             * @enum {string}
             */
            readonly kind: "payment.made";
            /** @description What else the contract's event says. */
            readonly details: {
                /** @description Who was paid. Null for no account of this chain. */
                readonly recipient: string | null;
                /** @description The account that acts for the agent. Null when that is the owner's own. */
                readonly operator: string;
                /** @description Amount in base units of the stablecoin. */
                readonly amount: string;
                /** @description Whether the allowance permitted it. */
                readonly withinLimits: boolean;
                /** @description Why it was outside the allowance; `NONE` when it was within. */
                readonly reason: string;
                /** @description Reference that the operator chose; zero for none. */
                readonly paymentRef: string;
            };
        } | {
            /**
             * @description The agent tried to pay more than it may, or its owner's money did not suffice.
             * @enum {string}
             */
            readonly kind: "payment.refused";
            /** @description What else the contract's event says. */
            readonly details: {
                /** @description Who was paid. Null for no account of this chain. */
                readonly recipient: string | null;
                /** @description The account that acts for the agent. Null when that is the owner's own. */
                readonly operator: string;
                /** @description Amount in base units of the stablecoin. */
                readonly amount: string;
                /** @description Whether the allowance permitted it. */
                readonly withinLimits: boolean;
                /** @description Why it was outside the allowance; `NONE` when it was within. */
                readonly reason: string;
                /** @description Reference that the operator chose; zero for none. */
                readonly paymentRef: string;
            };
        } | {
            /**
             * @description The operator says that it paid elsewhere. Only it vouches for that.
             * @enum {string}
             */
            readonly kind: "payment.reported";
            /** @description What else the contract's event says. */
            readonly details: {
                /** @description Who was paid. Null for no account of this chain. */
                readonly recipient: string | null;
                /** @description The account that acts for the agent. Null when that is the owner's own. */
                readonly operator: string;
                /** @description Amount in base units of the stablecoin. */
                readonly amount: string;
                /** @description Whether the allowance permitted it. */
                readonly withinLimits: boolean;
                /** @description Why it was outside the allowance; `NONE` when it was within. */
                readonly reason: string;
                /** @description Reference that the operator chose; zero for none. */
                readonly paymentRef: string;
            };
        } | {
            /**
             * @description Any account may leave feedback on any passport: look at who gave it.
             * @enum {string}
             */
            readonly kind: "feedback.given";
            /** @description What else the contract's event says. */
            readonly details: {
                /** @description The account that left the feedback. */
                readonly client: string;
                /** @description Number of the feedback, from 1 for each client of a passport. */
                readonly feedbackIndex: string;
                /** @description The value, with `valueDecimals` decimals. Null when it was not seen. */
                readonly value: string | null;
                /** @description Decimals of the value. Null when it was not seen. */
                readonly valueDecimals: number | null;
                /** @description First tag: untrusted. Null when it cannot be stored as text. */
                readonly tag1: string | null;
                /** @description Second tag: untrusted. Null when it cannot be stored as text. */
                readonly tag2: string | null;
            };
        } | {
            /**
             * @description The account that left the feedback took it back.
             * @enum {string}
             */
            readonly kind: "feedback.revoked";
            /** @description What else the contract's event says. */
            readonly details: {
                /** @description The account that left the feedback. */
                readonly client: string;
                /** @description Number of the feedback, from 1 for each client of a passport. */
                readonly feedbackIndex: string;
            };
        } | {
            /**
             * @description Any account may answer feedback: look at who did.
             * @enum {string}
             */
            readonly kind: "feedback.answered";
            /** @description What else the contract's event says. */
            readonly details: {
                /** @description The account that left the feedback. */
                readonly client: string;
                /** @description Number of the feedback, from 1 for each client of a passport. */
                readonly feedbackIndex: string;
                /** @description The account that answered. */
                readonly responder: string;
            };
        } | {
            /**
             * @description A validator was asked to check the agent's work. It need not answer.
             * @enum {string}
             */
            readonly kind: "validation.requested";
            /** @description What else the contract's event says. */
            readonly details: {
                /** @description Names the request. */
                readonly requestHash: string;
                /** @description The account that was asked. */
                readonly validator: string;
            };
        } | {
            /**
             * @description From 0, failed, to 100, passed, in the words of this validator alone.
             * @enum {string}
             */
            readonly kind: "validation.answered";
            /** @description What else the contract's event says. */
            readonly details: {
                /** @description Names the request. */
                readonly requestHash: string;
                /** @description The account that was asked. */
                readonly validator: string;
                /** @description From 0, failed, to 100, passed. */
                readonly response: number;
                /** @description Tag of the response: untrusted. Null when it cannot be stored as text. */
                readonly tag: string | null;
            };
        } | {
            /**
             * @description A proof of personhood was used for this seal. It ends with the owner's epoch.
             * @enum {string}
             */
            readonly kind: "human.proven";
            /** @description What else the contract's event says. */
            readonly details: {
                /** @description The adapter that verified the proof. */
                readonly verifier: string;
                /** @description Names the person without telling who it is. */
                readonly nullifier: string;
            };
        } | {
            /**
             * @description The service measured how far the agent keeps to what it states. Anyone can recompute it.
             * @enum {string}
             */
            readonly kind: "alignment.scored";
            /** @description What else the contract's event says. */
            readonly details: {
                /** @description The alignment score, 0 to 100. */
                readonly score: number;
                /** @description The score before; 0 for none in this epoch. */
                readonly previousScore: number;
                /** @description The block whose state was scored. */
                readonly scoredBlock: string;
                /** @description Id of the archive, 32 bytes. Zero withdraws a DID document. */
                readonly archiveId: string;
            };
        } | {
            /**
             * @description A batch of records is on chain. Each of them can be proven from here on.
             * @enum {string}
             */
            readonly kind: "chronicles.anchored";
            /** @description What else the contract's event says. */
            readonly details: {
                /** @description Number of the batch. */
                readonly batchId: string;
                /** @description Merkle root of the batch. */
                readonly root: string;
                /** @description How many records the batch has. */
                readonly leafCount: string;
                /** @description Id of the archived list of all leaves, 32 bytes. */
                readonly leavesArchiveId: string;
            };
        });
        readonly Introspection: {
            /**
             * @description Whether the token is valid now.
             * @enum {boolean}
             */
            readonly active: true;
            /**
             * @description Subject: the account that signed in, as `did:pkh`.
             * @example 0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045
             */
            readonly sub: string;
            /** @description Issuer of the token: this service. */
            readonly iss: string;
            /** @description Who may accept the token: the origin given as `audience`, else this service's domain, which is `iss`. Any other party must refuse it. */
            readonly aud: string;
            /** @description Until when it is valid, in Unix seconds. */
            readonly exp: number;
            /** @description When the token was issued, in Unix seconds. */
            readonly iat: number;
            /** @description Id of the token. */
            readonly jti: string;
            /**
             * @description Always `Bearer`.
             * @enum {string}
             */
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
            /** @description Name of the agent: 3 to 32 characters, lower case, unique for ever. */
            readonly agentName: string;
            /** @description Id of the agent's ERC-8004 passport. 0 is a real id. */
            readonly erc8004AgentId: number;
            /** @description EIP-155 id of the chain. */
            readonly chainId: number;
            /** @description Whether a person was attested as the agent's owner. */
            readonly humanVerified: boolean;
            /**
             * @description Only with scope `manage`: whether it reaches the agent named here, or every agent that `sub` owns.
             * @enum {string}
             */
            readonly manages?: "agent" | "account";
        } | {
            /**
             * @description Whether the token is valid now.
             * @enum {boolean}
             */
            readonly active: false;
        };
        readonly Invitation: {
            /** @description Id of the organization. */
            readonly organizationId: number;
            /**
             * @deprecated
             * @description Former name of `organizationId`: on `/fleet` paths only.
             */
            readonly fleetId?: number;
            /** @description Id of the agent's soulbound certificate, from 1. */
            readonly tokenId: number;
            /**
             * @description Always `invited`: one signature is missing.
             * @enum {string}
             */
            readonly status: "invited";
            /**
             * Format: uuid
             * @description Id of the invitation.
             */
            readonly invitationId: string;
            /** @description Who has signed. */
            readonly signedBy: readonly {
                /**
                 * @description Whose signature it is: `owner` of the agent, or `admin` of the organization.
                 * @enum {string}
                 */
                readonly role: "owner" | "admin";
                /** @description Account that signs: the owner, where no other is named. */
                readonly signer: string;
            }[];
            /** @description Whose signature is missing. */
            readonly awaiting: readonly {
                /**
                 * @description Whose signature it is: `owner` of the agent, or `admin` of the organization.
                 * @enum {string}
                 */
                readonly role: "owner" | "admin";
                /** @description Account that signs: the owner, where no other is named. */
                readonly signer: string;
            }[];
            /**
             * Format: date-time
             * @description When it was created.
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
        readonly InvitationEnd: {
            /**
             * @description The agents' owner, or the organizations' admin.
             * @example 0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045
             */
            readonly accountAddress?: string;
            /**
             * Format: uuid
             * @description Id of the invitation.
             */
            readonly invitationId?: string;
            /** @description Of `message`, by `signer`. */
            readonly signature: string;
            /**
             * @description `accountAddress`.
             * @example 0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045
             */
            readonly signer: string;
            /** @description The message that is signed, as `POST /v1/typed-data/…` returned it. */
            readonly message: components["schemas"]["EndInvitationMessage"];
        };
        readonly Invitations: {
            /** @description Memberships that wait for a second signature. */
            readonly invitations: readonly components["schemas"]["Invitation"][];
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
            /** @description The message that is signed, as `POST /v1/typed-data/…` returned it. */
            readonly message: components["schemas"]["ListInvitationsMessage"];
        };
        readonly KeyVerification: {
            /**
             * @description Whether the key is valid.
             * @enum {boolean}
             */
            readonly valid: true;
            /** @description Name of the agent: 3 to 32 characters, lower case, unique for ever. */
            readonly agentName: string;
            /** @description Id of the agent's soulbound certificate, from 1. */
            readonly tokenId: number;
            /**
             * @description 1: passport. 2: sealed soul. 3: human-verified.
             * @enum {integer}
             */
            readonly tier: 1 | 2 | 3;
            /** @description Whether a person was attested as the agent's owner. */
            readonly humanVerified: boolean;
            /** @description Id of the agent's ERC-8004 passport. 0 is a real id. */
            readonly erc8004AgentId: number;
        } | {
            /**
             * @description Whether the key is valid.
             * @enum {boolean}
             */
            readonly valid: false;
        };
        readonly ListInvitationsMessage: {
            /**
             * @description Account that signs.
             * @example 0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045
             */
            readonly account: string;
            /** @description Nonce of the signer, as a decimal string. Each can be used once. */
            readonly nonce: string;
            /** @description Until when the signature can be used, in Unix seconds as a decimal string. */
            readonly deadline: string;
        };
        readonly ListedAgent: {
            /** @description Name of the agent: 3 to 32 characters, lower case, unique for ever. */
            readonly agentName: string;
            /** @description Id of the agent's soulbound certificate, from 1. */
            readonly tokenId: number;
            /** @description DID of the agent, of method `did:svc`. */
            readonly did: string;
            /**
             * @description Kind of agent: `assistant`, `companion`, `specialist`, `creative` or `other`.
             * @enum {string}
             */
            readonly agentType: "assistant" | "companion" | "specialist" | "creative" | "other";
            /**
             * @description `PROVISIONAL`: not sealed yet. `SEALED`: its soul is sealed on chain. `BURNED`: it has ended.
             * @enum {string}
             */
            readonly genesisStatus: "SEALED" | "PROVISIONAL" | "BURNED";
            /**
             * @description Of the seal: `valid`; `suspended` while another account than the sealer owns the passport; `not_linked` without a seal.
             * @enum {string}
             */
            readonly soulValidity: "valid" | "suspended" | "not_linked";
            /** @description Account that owns the agent's passport. */
            readonly owner: string;
            /** @description Account that acts for the agent. The zero address: the owner does. */
            readonly operator: string;
            /** @description Id of the agent's ERC-8004 passport. 0 is a real id. */
            readonly erc8004AgentId: number;
            /** @description 0: independent. */
            readonly organizationId: number;
            /**
             * Format: date-time
             * @description When the certificate was minted.
             * @example 2026-01-31T12:00:00.000Z
             */
            readonly mintTimestamp: string;
            /** @description Address of the agent's public page. */
            readonly profileUrl: string;
        };
        readonly ListedOrganization: {
            /** @description Id of the organization. */
            readonly organizationId: number;
            /**
             * @deprecated
             * @description Former name of `organizationId`: on `/fleet` paths only.
             */
            readonly fleetId?: number;
            /** @description As its founder wrote it: untrusted, not unique. */
            readonly name: string;
            /** @description Account that administers the organization. */
            readonly admin: string;
            /** @description Named by the admin and not accepted yet. It has no rights. Null for none. */
            readonly pendingAdmin: string | null;
            /** @description As the registry counts: a membership without effect counts until it is removed or replaced. */
            readonly memberCount: number;
            /**
             * Format: date-time
             * @description When it was created.
             * @example 2026-01-31T12:00:00.000Z
             */
            readonly createdAt: string;
            /** @description True: an organization never ends. */
            readonly active: boolean;
        };
        readonly MemberAdded: {
            /** @description Id of the organization. */
            readonly organizationId: number;
            /**
             * @deprecated
             * @description Former name of `organizationId`: on `/fleet` paths only.
             */
            readonly fleetId?: number;
            /** @description Id of the agent's soulbound certificate, from 1. */
            readonly tokenId: number;
            /** @description Id of the agent's ERC-8004 passport. 0 is a real id. */
            readonly erc8004AgentId: number;
            /** @description Name of the agent: 3 to 32 characters, lower case, unique for ever. */
            readonly agentName: string;
            /**
             * @description Always `added`.
             * @enum {string}
             */
            readonly status: "added";
            /** @description Hash of the transaction that recorded it. */
            readonly txHash: string;
            /** @description How many members the organization has. */
            readonly memberCount: number;
        };
        readonly MemberRemoved: {
            /** @description Id of the organization. */
            readonly organizationId: number;
            /**
             * @deprecated
             * @description Former name of `organizationId`: on `/fleet` paths only.
             */
            readonly fleetId?: number;
            /** @description Id of the agent's soulbound certificate, from 1. */
            readonly tokenId: number;
            /** @description Id of the agent's ERC-8004 passport. 0 is a real id. */
            readonly erc8004AgentId: number;
            /** @description Name of the agent: 3 to 32 characters, lower case, unique for ever. */
            readonly agentName: string;
            /**
             * @description Always `removed`.
             * @enum {string}
             */
            readonly status: "removed";
            /** @description Hash of the transaction that recorded it. */
            readonly txHash: string;
            /** @description How many members the organization has. */
            readonly memberCount: number;
        };
        readonly MembershipEnd: {
            /** @description The message that is signed, as `POST /v1/typed-data/…` returned it. */
            readonly message: components["schemas"]["MembershipMessage"];
            /** @description Of `message`, by `signer`. */
            readonly signature: string;
            /**
             * @description The agent's owner, or the organization's admin.
             * @example 0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045
             */
            readonly signer: string;
        };
        readonly MembershipMessage: {
            /** @description Id of the agent's soulbound certificate, as a decimal string. */
            readonly tokenId: string;
            /** @description Counts the seals of the soul, from 1. A reseal by a new owner begins the next. */
            readonly epoch: number;
            /** @description Id of the organization, as a decimal string. 0: none. */
            readonly organizationId: string;
            /** @description Counts the changes of the same kind. It makes an older signature useless. */
            readonly version: number;
            /** @description Nonce of the signer, as a decimal string. Each can be used once. */
            readonly nonce: string;
            /** @description Until when the signature can be used, in Unix seconds as a decimal string. */
            readonly deadline: string;
        };
        readonly NewAdmin: {
            /**
             * @description The zero address takes back a naming that was not accepted.
             * @example 0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045
             */
            readonly newAdmin: string;
            /** @description The message that is signed, as `POST /v1/typed-data/…` returned it. */
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
                /** @description The message that is signed, as `POST /v1/typed-data/…` returned it. */
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
        readonly NewBinding: {
            /** @description The agent that trusts. */
            readonly tokenId: number;
            /** @description The agent that is trusted. */
            readonly partnerTokenId: number;
            /**
             * @description How far the first agent trusts the second. `revoked` ends the binding.
             * @example verified
             * @enum {string}
             */
            readonly trustLevel: "trusted" | "verified" | "limited" | "revoked";
            /**
             * @description What for, in words: public, at most 1024 bytes of UTF-8.
             * @example Shares its bird counts.
             */
            readonly context: string;
            /** @description The message that is signed, as `POST /v1/typed-data/…` returned it. */
            readonly message?: components["schemas"]["SetBindingMessage"];
            /** @description Of `message`, by `signer`. */
            readonly signature?: string;
            /**
             * @description The passport's owner.
             * @example 0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045
             */
            readonly signer?: string;
        };
        readonly NewDisclosure: {
            /** @description Id of the agent's soulbound certificate, from 1. */
            readonly tokenId: number;
            /** @description The fields to disclose, each with its value. */
            readonly disclosures: readonly {
                /**
                 * @description Field of the soul.
                 * @example soul.purpose
                 * @enum {string}
                 */
                readonly field: "identity.name" | "identity.agent_type" | "identity.description" | "soul.purpose" | "soul.personality" | "soul.constraints" | "soul.guidelines" | "capabilities.skills" | "capabilities.tools" | "capabilities.languages" | "capabilities.models" | "soul.documents";
                /**
                 * @description Exactly as in the normalised soul: a text, a list of texts, or the documents.
                 * @example Counts herons.
                 */
                readonly value: string | readonly string[] | readonly {
                    /** @description Id of the document. */
                    readonly id: string;
                    /** @description SHA-256 of the document's content, in hex. */
                    readonly contentHash: string;
                    /** @description Whether the owner declared that the document never changes. */
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
        readonly NewDisclosurePolicy: {
            /** @description Id of the agent's soulbound certificate, from 1. */
            readonly tokenId: number;
            /** @description The policy. */
            readonly policy: {
                /** @description Name of the policy. */
                readonly name: string;
                /**
                 * @description How values are sent: from peer to peer, by the service, or either.
                 * @default either
                 * @enum {string}
                 */
                readonly preferredMode?: "p2p" | "api_relayed" | "either";
                /** @description The first rule that names a field decides. */
                readonly rules: readonly {
                    /** @description Fields of the soul that the rule is about. */
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
                    /** @description A note for the owner. */
                    readonly note?: string;
                }[];
                /**
                 * @description How long disclosures by this policy are valid.
                 * @example 30d
                 * @enum {string}
                 */
                readonly defaultExpiry?: "1h" | "1d" | "7d" | "30d" | "never";
            };
        };
        readonly NewDisclosureRequest: {
            /** @description The agent that asks. */
            readonly requesterTokenId: number;
            /**
             * @description The agent that is asked.
             * @example aurora
             */
            readonly targetAgentName: string;
            /** @description Fields of the soul that are asked for. */
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
        readonly NewMember: {
            /** @description Id of the agent's soulbound certificate, from 1. */
            readonly tokenId: number;
            /**
             * @description Whose signature it is: the agent owner's (`Join`) or the admin's (`Admission`). One account that is both signs as `owner`.
             * @default owner
             * @enum {string}
             */
            readonly role?: "owner" | "admin";
            /** @description The message that is signed, as `POST /v1/typed-data/…` returned it. */
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
                /** @description The message that is signed, as `POST /v1/typed-data/…` returned it. */
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
        readonly NewOrganization: {
            /** @description Name of the organization. */
            readonly name: string;
            /**
             * @description Who founds and administers it.
             * @example 0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045
             */
            readonly adminAddress: string;
            /** @description The message that is signed, as `POST /v1/typed-data/…` returned it. */
            readonly message: components["schemas"]["CreateOrganizationMessage"];
            /** @description Of `message`, by `signer`. */
            readonly signature: string;
            /**
             * @description `adminAddress`.
             * @example 0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045
             */
            readonly signer: string;
        };
        readonly NewOrganizationAudit: {
            /** @description Id of the organization. */
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
            /** @description Id of the agent's soulbound certificate, from 1. */
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
        readonly OpenChronicleRequest: {
            /** @description Id of the request to the owner. */
            readonly requestId: string;
            /** @description Id of the agent's soulbound certificate, from 1. */
            readonly tokenId: number;
            /** @description Name of the agent: 3 to 32 characters, lower case, unique for ever. */
            readonly agentName: string;
            /** @description Category of the change. */
            readonly category: string;
            /** @description Kind of change within its category. */
            readonly changeType: string;
            /** @description What changed, as the requester described it. */
            readonly data: {
                readonly [key: string]: unknown;
            };
            /** @description Why it is recorded, in the requester's words. Null when none was given. */
            readonly description: string | null;
            /**
             * Format: date-time
             * @description When it was created.
             * @example 2026-01-31T12:00:00.000Z
             */
            readonly createdAt: string;
            /**
             * Format: date-time
             * @description Until when the owner can sign.
             * @example 2026-01-31T12:00:00.000Z
             */
            readonly expiresAt: string;
            /**
             * @description `pending`: the owner has not signed. `submitted`: the record was made.
             * @enum {string}
             */
            readonly status: "pending" | "submitted";
            /** @description Nonce of the message to sign, as a decimal string. */
            readonly nonce: string;
            /** @description What to sign; null once it was submitted. */
            readonly eip712Data: components["schemas"]["TypedData"] | null;
        };
        readonly Organization: {
            /** @description Id of the organization. */
            readonly organizationId: number;
            /**
             * @deprecated
             * @description Former name of `organizationId`: on `/fleet` paths only.
             */
            readonly fleetId?: number;
            /** @description As its founder wrote it: untrusted, not unique. */
            readonly name: string;
            /** @description Account that administers the organization. */
            readonly admin: string;
            /** @description Named by the admin and not accepted yet. It has no rights. Null for none. */
            readonly pendingAdmin: string | null;
            /** @description As the registry counts: a membership without effect counts until it is removed or replaced. */
            readonly memberCount: number;
            /**
             * Format: date-time
             * @description When it was created.
             * @example 2026-01-31T12:00:00.000Z
             */
            readonly createdAt: string;
            /** @description True: an organization never ends. */
            readonly active: boolean;
            /** @description Members of this page. */
            readonly members: readonly components["schemas"]["OrganizationMember"][];
            /** @description Send it as `membersCursor` for the next page of members. Null on the last page. */
            readonly nextCursor: string | null;
        };
        readonly OrganizationAdminMessage: {
            /** @description Id of the organization, as a decimal string. 0: none. */
            readonly organizationId: string;
            /**
             * @description Account that becomes the admin once it accepts.
             * @example 0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045
             */
            readonly newAdmin: string;
            /** @description Counts the changes of the same kind. It makes an older signature useless. */
            readonly version: number;
            /** @description Nonce of the signer, as a decimal string. Each can be used once. */
            readonly nonce: string;
            /** @description Until when the signature can be used, in Unix seconds as a decimal string. */
            readonly deadline: string;
        };
        readonly OrganizationAuditMessage: {
            /** @description Id of the organization, as a decimal string. 0: none. */
            readonly organizationId: string;
            /** @description Name of the regulator. */
            readonly regulatoryBody: string;
            /** @description DID of the regulator. */
            readonly regulatoryDid: string;
            /** @description What the audit is about, in words. */
            readonly scope: string;
            /** @description The regulator's own reference. */
            readonly auditReference: string;
            /** @description Nonce of the signer, as a decimal string. Each can be used once. */
            readonly nonce: string;
            /** @description Until when the signature can be used, in Unix seconds as a decimal string. */
            readonly deadline: string;
        };
        readonly OrganizationMember: {
            /** @description Id of the agent's soulbound certificate, from 1. */
            readonly tokenId: number;
            /** @description Name of the agent: 3 to 32 characters, lower case, unique for ever. */
            readonly agentName: string;
            /**
             * @description Kind of agent: `assistant`, `companion`, `specialist`, `creative` or `other`.
             * @enum {string}
             */
            readonly agentType: "assistant" | "companion" | "specialist" | "creative" | "other";
            /** @description The last recorded score. Null while the agent has none. */
            readonly soulAlignment: number | null;
            /**
             * Format: date-time
             * @description When the agent became a member.
             * @example 2026-01-31T12:00:00.000Z
             */
            readonly addedAt: string;
            /**
             * @description `suspended`: the passport has left the agent's sealer. `ended`: of an earlier epoch or a burned agent, and not removed from the registry yet. Only `active` ones have effect.
             * @enum {string}
             */
            readonly status: "active" | "suspended" | "ended";
        };
        readonly OrganizationPage: {
            /** @description Organizations of this page. */
            readonly organizations: readonly components["schemas"]["ListedOrganization"][];
            /** @description Null on the last page. */
            readonly nextCursor: string | null;
        };
        readonly OrganizationStats: {
            /** @description Id of the organization. */
            readonly organizationId: number;
            /**
             * @deprecated
             * @description Former name of `organizationId`: on `/fleet` paths only.
             */
            readonly fleetId?: number;
            /** @description Name of the organization. */
            readonly name: string;
            /** @description How many members the organization has. */
            readonly memberCount: number;
            /** @description Numbers about the active members. */
            readonly stats: {
                /** @description What all other numbers are about. */
                readonly activeMembers: number;
                /** @description Null without a score. */
                readonly averageAlignment: number | null;
                /** @description How many members have a score in each range. */
                readonly alignmentDistribution: {
                    /** @description Members with a score of 90 to 100. */
                    readonly "90-100": number;
                    /** @description Members with a score of 70 to 89. */
                    readonly "70-89": number;
                    /** @description Members with a score of 50 to 69. */
                    readonly "50-69": number;
                    /** @description Members with a score below 50. */
                    readonly below50: number;
                };
                /** @description How many members are of each kind. */
                readonly agentTypeBreakdown: {
                    /** @description Members of the kind `assistant`. */
                    readonly assistant?: number;
                    /** @description Members of the kind `companion`. */
                    readonly companion?: number;
                    /** @description Members of the kind `specialist`. */
                    readonly specialist?: number;
                    /** @description Members of the kind `creative`. */
                    readonly creative?: number;
                    /** @description Members of the kind `other`. */
                    readonly other?: number;
                };
                /** @description Chronicle records of the members. */
                readonly totalChronicles: number;
                /** @description Bindings in effect from a member to any agent. */
                readonly totalBindings: number;
                /** @description Members whose soul is sealed. */
                readonly sealedCount: number;
                /** @description Members whose soul is not sealed. */
                readonly provisionalCount: number;
                /** @description Members whose score fell by 20 or more since their first of the epoch. */
                readonly driftedCount: number;
                /**
                 * Format: date-time
                 * @description Null without an active member.
                 * @example 2026-01-31T12:00:00.000Z
                 */
                readonly lastActivity: string | null;
            };
        };
        readonly OwnerRegistration: {
            /**
             * @description Name of the agent: 3 to 32 characters, lower case, unique for ever.
             * @example aurora
             */
            readonly agentName: string;
            /**
             * @description Kind of agent: `assistant`, `companion`, `specialist`, `creative`, `other`, or its number from 0 to 4. The labels `personal`, `customer`, `coding` and `research` are accepted too.
             * @example assistant
             */
            readonly agentType?: string | number;
            /** @description The passport to bind: the signer's own, with the passport writer approved on it. 0 is a passport. Absent or null: a new one is registered. */
            readonly erc8004AgentId?: number;
            /** @description Hash of the soul: SHA-256 of the salt and the normalised text, in hex. */
            readonly soulHash: string;
            /** @description 32 random bytes in hex that keep the soul's text from being guessed. Keep it secret. */
            readonly soulSalt: string;
            /** @description Root of the Merkle tree over the twelve fields of the soul, in hex. */
            readonly soulMerkleRoot: string;
            /** @description The leaves in index order: all twelve, or the first eleven, as `POST /v1/tools/normalise` returns them. The leaf of `soul.documents` is then computed from `soulDocuments`. */
            readonly merkleLeaves: readonly {
                /** @description Position of the leaf, from 0. */
                readonly index: number;
                /**
                 * @description Field of the soul that the leaf commits to.
                 * @enum {string}
                 */
                readonly field: "identity.name" | "identity.agent_type" | "identity.description" | "soul.purpose" | "soul.personality" | "soul.constraints" | "soul.guidelines" | "capabilities.skills" | "capabilities.tools" | "capabilities.languages" | "capabilities.models" | "soul.documents";
                /** @description Hash of the leaf, in hex. It reveals nothing of the value. */
                readonly hash: string;
            }[];
            /** @description Values to publish, by field; each must match its leaf. */
            readonly publicFields?: Record<string, unknown>;
            /** @description What the owner publishes about the agent. Unverified. */
            readonly publicIdentity?: components["schemas"]["PublicIdentity"];
            /** @description Checked against the leaf `soul.documents`; the contents are uploaded afterwards. */
            readonly soulDocuments?: readonly components["schemas"]["DeclaredDocument"][];
            /** @description Format in which the soul was written. */
            readonly sourceFormat?: string;
            /** @description Checked for form only, and never kept: it is not salted. */
            readonly sourceHash?: string;
            /**
             * @description Account that owns the agent.
             * @example 0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045
             */
            readonly ownerAddress: string;
            /**
             * @description Account that acts for the agent. Absent: the owner does.
             * @example 0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045
             */
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
            /** @description Proof of a person by World ID. */
            readonly worldIdProof?: components["schemas"]["WorldIdProof"];
            /** @description The message that is signed, as `POST /v1/typed-data/…` returned it. */
            readonly message: components["schemas"]["RegistrationMessage"];
            /** @description Signature of `message` by `signer`: whole bytes in hex, also of a contract wallet. */
            readonly signature: string;
            /**
             * @description Account that signs: the owner, where no other is named.
             * @example 0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045
             */
            readonly signer: string;
            /** @description Signature of the organization's admin, for an agent that joins at once. */
            readonly adminSignature?: components["schemas"]["AdminSignature"];
        };
        readonly OwnerTransaction: {
            /** @description EIP-155 id of the chain. */
            readonly chainId: number;
            /** @description Contract that the transaction is sent to. */
            readonly to: string;
            /** @description Signature of the function that `data` calls. */
            readonly functionName: string;
            /** @description Integers as decimal strings. */
            readonly args: readonly (string | readonly string[])[];
            /** @description Call data, in hex. */
            readonly data: string;
            /**
             * @description Native currency to send with it, in wei: always `0`.
             * @enum {string}
             */
            readonly value: "0";
            /** @description What the transaction does, in words for the owner. */
            readonly description: string;
        };
        readonly PartialDisclosure: {
            /**
             * Format: uuid
             * @description Id of the disclosure request.
             */
            readonly requestId: string;
            /** @description Fields that the target's policy refuses. */
            readonly rejected: readonly {
                /**
                 * @description Field that the target's policy refuses.
                 * @example soul.purpose
                 * @enum {string}
                 */
                readonly field: "identity.name" | "identity.agent_type" | "identity.description" | "soul.purpose" | "soul.personality" | "soul.constraints" | "soul.guidelines" | "capabilities.skills" | "capabilities.tools" | "capabilities.languages" | "capabilities.models" | "soul.documents";
                /**
                 * @description Why the policy refuses it.
                 * @enum {string}
                 */
                readonly reason: "never" | "regulatory_only" | "not_bound" | "trust_level_too_low" | "not_listed" | "no_common_organization" | "requester_not_valid" | "endpoint_required";
            }[];
            /**
             * @description `fulfilled`: everything was public. `partially_fulfilled`: the owner decides about the rest.
             * @enum {string}
             */
            readonly status: "partially_fulfilled" | "fulfilled";
            /** @description Fields with their values. */
            readonly fulfilled: readonly {
                /**
                 * @description Field of the soul.
                 * @example soul.purpose
                 * @enum {string}
                 */
                readonly field: "identity.name" | "identity.agent_type" | "identity.description" | "soul.purpose" | "soul.personality" | "soul.constraints" | "soul.guidelines" | "capabilities.skills" | "capabilities.tools" | "capabilities.languages" | "capabilities.models" | "soul.documents";
                /**
                 * @description Exactly as in the normalised soul: a text, a list of texts, or the documents.
                 * @example Counts herons.
                 */
                readonly value: string | readonly string[] | readonly {
                    /** @description Id of the document. */
                    readonly id: string;
                    /** @description SHA-256 of the document's content, in hex. */
                    readonly contentHash: string;
                    /** @description Whether the owner declared that the document never changes. */
                    readonly immutable: boolean;
                }[];
                /**
                 * @description Always `public`: the value can be read by everyone.
                 * @enum {string}
                 */
                readonly source: "public";
                /** @description The leaf's blinding, then its siblings from the leaf upward. */
                readonly merkleProof: readonly string[];
                /**
                 * @description Always true: the value was checked against the sealed root.
                 * @enum {boolean}
                 */
                readonly verified: true;
            }[];
            /** @description Fields that the owner decides about. */
            readonly pending: readonly {
                /**
                 * @description Field of the soul.
                 * @example soul.purpose
                 * @enum {string}
                 */
                readonly field: "identity.name" | "identity.agent_type" | "identity.description" | "soul.purpose" | "soul.personality" | "soul.constraints" | "soul.guidelines" | "capabilities.skills" | "capabilities.tools" | "capabilities.languages" | "capabilities.models" | "soul.documents";
                /**
                 * @description `fulfilled`: everything was public. `partially_fulfilled`: the owner decides about the rest.
                 * @enum {string}
                 */
                readonly status: "awaiting_owner";
                /** @description Whether a webhook event was enqueued. */
                readonly webhookSent: boolean;
                /** @description Whether the requester gave an endpoint of its own. */
                readonly p2pAvailable: boolean;
                /**
                 * Format: date-time
                 * @description Seven days after the request.
                 * @example 2026-01-31T12:00:00.000Z
                 */
                readonly expiresAt: string;
            }[];
        };
        readonly PeerToPeerDelivery: {
            /** @description The agent that was asked. */
            readonly tokenId: number;
            /**
             * Format: uuid
             * @description As in the path.
             */
            readonly requestId?: string;
            /**
             * @description Fields that the owner refuses.
             * @default []
             */
            readonly deniedFields?: readonly ("identity.name" | "identity.agent_type" | "identity.description" | "soul.purpose" | "soul.personality" | "soul.constraints" | "soul.guidelines" | "capabilities.skills" | "capabilities.tools" | "capabilities.languages" | "capabilities.models" | "soul.documents")[];
            /**
             * @description Default: the policy's `defaultExpiry`, or 30d.
             * @example 30d
             * @enum {string}
             */
            readonly expiresIn?: "1h" | "1d" | "7d" | "30d" | "never";
            /**
             * @description Fields that were disclosed.
             * @default []
             */
            readonly fulfilledFields?: readonly ("identity.name" | "identity.agent_type" | "identity.description" | "soul.purpose" | "soul.personality" | "soul.constraints" | "soul.guidelines" | "capabilities.skills" | "capabilities.tools" | "capabilities.languages" | "capabilities.models" | "soul.documents")[];
        };
        readonly PendingDisclosureRequest: {
            /**
             * Format: uuid
             * @description Id of the disclosure request.
             */
            readonly requestId: string;
            /** @description Fields that the target's policy refuses. */
            readonly rejected: readonly {
                /**
                 * @description Field that the target's policy refuses.
                 * @example soul.purpose
                 * @enum {string}
                 */
                readonly field: "identity.name" | "identity.agent_type" | "identity.description" | "soul.purpose" | "soul.personality" | "soul.constraints" | "soul.guidelines" | "capabilities.skills" | "capabilities.tools" | "capabilities.languages" | "capabilities.models" | "soul.documents";
                /**
                 * @description Why the policy refuses it.
                 * @enum {string}
                 */
                readonly reason: "never" | "regulatory_only" | "not_bound" | "trust_level_too_low" | "not_listed" | "no_common_organization" | "requester_not_valid" | "endpoint_required";
            }[];
            /**
             * @description Always `pending_approval`: the owner decides.
             * @enum {string}
             */
            readonly status: "pending_approval";
            /** @description Fields of the soul that are asked for. */
            readonly requestedFields: readonly ("identity.name" | "identity.agent_type" | "identity.description" | "soul.purpose" | "soul.personality" | "soul.constraints" | "soul.guidelines" | "capabilities.skills" | "capabilities.tools" | "capabilities.languages" | "capabilities.models" | "soul.documents")[];
            /** @description Whether a webhook of the target is notified. */
            readonly webhookSent: boolean;
            /** @description Whether the requester gave an endpoint of its own. */
            readonly p2pAvailable: boolean;
            /**
             * Format: date-time
             * @description Seven days after the request.
             * @example 2026-01-31T12:00:00.000Z
             */
            readonly expiresAt: string;
            /** @description What happens next, in words. */
            readonly note: string;
        };
        readonly PendingMetadata: {
            /** @description Name of the metadata entry. */
            readonly key: string;
            /** @description Value of the entry, in hex. */
            readonly value: string;
            /** @description `sync` of the passport writer, which any account may send: it writes all entries at once. */
            readonly transaction: components["schemas"]["UnsignedTransaction"];
        };
        readonly PendingPassportMetadata: {
            /** @description Name of the metadata entry. */
            readonly key: string;
            /** @description Value of the entry, in hex. */
            readonly value: string;
            /** @description `sync` of the passport writer, which any account may send, writes all entries at once. `setMetadata` of the identity registry is the owner's. */
            readonly transaction: components["schemas"]["OwnerTransaction"];
        };
        readonly PermitMessage: {
            /**
             * @description Account whose money it is, which signs.
             * @example 0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045
             */
            readonly owner: string;
            /**
             * @description The allowance vault.
             * @example 0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045
             */
            readonly spender: string;
            /** @description How much the vault may move, in base units of the stablecoin. */
            readonly value: string;
            /** @description Nonce of the signer, as a decimal string. Each can be used once. */
            readonly nonce: string;
            /** @description Until when the signature can be used, in Unix seconds as a decimal string. */
            readonly deadline: string;
        };
        /** @description Public from the claim on. */
        readonly PersonalityDocument: {
            /** @description Title of the document. */
            readonly title: string;
            /** @description Text of the document. */
            readonly content: string;
            /** @description Whether the owner declared that the document never changes. */
            readonly immutable?: boolean;
        };
        readonly PrivateData: {
            /**
             * @description The account that signed.
             * @example 0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045
             */
            readonly accountAddress: string;
            /**
             * Format: date-time
             * @description When the rows were read.
             * @example 2026-01-31T12:00:00.000Z
             */
            readonly exportedAt: string;
            /** @description Call data, in hex. */
            readonly data: readonly components["schemas"]["PrivateDataRows"][];
            /** @description What no service can delete: it is on chain and on permanent storage. */
            readonly published: string;
        };
        readonly PrivateDataDeleted: {
            /**
             * @description The account that signed.
             * @example 0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045
             */
            readonly accountAddress: string;
            /**
             * Format: date-time
             * @description When the signature was accepted: what came later is not deleted.
             * @example 2026-01-31T12:00:00.000Z
             */
            readonly deletedAt: string;
            /** @description The kinds of rows of an export of which nothing is left. */
            readonly deleted: readonly string[];
            /** @description The kinds of rows that stay, whole or in part, each with why. */
            readonly kept: readonly {
                /** @description The kind of rows. */
                readonly name: string;
                /** @description Why they stay. */
                readonly why: string;
            }[];
            /** @description What no service can delete: it is on chain and on permanent storage. */
            readonly published: string;
        };
        readonly PrivateDataDeletionRequest: {
            /**
             * @description Whose data it is. It need not own a passport any more.
             * @example 0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045
             */
            readonly accountAddress: string;
            /**
             * @description Whether the salts of the account's souls are deleted too. Without them this service can prove no field of these souls again. Export them first.
             * @enum {string}
             */
            readonly salts: "keep" | "delete";
        };
        readonly PrivateDataExportRequest: {
            /**
             * @description Whose data it is. It need not own a passport any more.
             * @example 0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045
             */
            readonly accountAddress: string;
        };
        readonly PrivateDataRows: {
            /** @description What kind of rows these are. */
            readonly name: string;
            /** @description What these rows are. */
            readonly description: string;
            /**
             * @description What a deletion does with these rows. `cleared`: they stay without their private values. `with-salts`: deleted only when it names the salts.
             * @enum {string}
             */
            readonly deletion: "deleted" | "cleared" | "with-salts" | "kept";
            /** @description Why rows stay, or what is cleared. Null for `deleted`. */
            readonly why: string | null;
            /** @description The newest first. Names of columns in camel case, times in ISO 8601. */
            readonly rows: readonly {
                readonly [key: string]: unknown;
            }[];
            /** @description False when there are more than 10,000 rows: the oldest are left out. */
            readonly complete: boolean;
        };
        readonly PublicIdentity: {
            /** @description A short text about the agent. */
            readonly bio?: string;
            /**
             * @description Field of activity.
             * @enum {string}
             */
            readonly category?: "technology" | "commerce" | "knowledge" | "wellness" | "creation" | "communication" | "entertainment" | "relationship" | "other";
            /** @description Words to find the agent by. */
            readonly tags?: readonly string[];
            /** @description Family of the model that the agent runs on. */
            readonly modelFamily?: string;
            /** @description Where the agent or its owner can be reached. */
            readonly contacts?: readonly {
                /**
                 * @description Kind of contact.
                 * @enum {string}
                 */
                readonly type: "website" | "x" | "github" | "discord" | "did" | "a2a" | "mcp" | "neural";
                /** @description The address, handle or identifier of that kind. */
                readonly value: string;
            }[];
            /**
             * @description How the agent earns money.
             * @enum {string}
             */
            readonly monetization?: "none" | "ads" | "sponsored" | "subscription" | "x402" | "other";
            /** @description Model that the agent runs on. */
            readonly model?: string;
            /** @description Who provides the model. */
            readonly modelProvider?: string;
            /** @description Addresses of the agent's services, by name. The registration file lists each; `a2a` and `mcp` in any spelling as `A2A` and `MCP`. */
            readonly serviceEndpoints?: {
                readonly [key: string]: string;
            };
            /** @description Whether the agent takes payments by x402. */
            readonly x402Support?: boolean;
            /** @description One line about the agent. */
            readonly tagline?: string;
            /** @description A longer text about the agent. */
            readonly description?: string;
            /**
             * Format: uri
             * @description Address of a picture.
             */
            readonly image?: string;
            /**
             * Format: uri
             * @description Address of the agent's website.
             */
            readonly website?: string;
            /** @description What people should call the agent. Neither unique nor verified. */
            readonly displayName?: string;
        };
        readonly PublicIdentityBody: {
            /** @description Id of the agent's soulbound certificate, from 1. */
            readonly tokenId: number;
            /** @description What the owner publishes about the agent. Unverified. */
            readonly publicIdentity: {
                /** @description A short text about the agent. */
                readonly bio?: string;
                /**
                 * @description Field of activity.
                 * @enum {string}
                 */
                readonly category?: "technology" | "commerce" | "knowledge" | "wellness" | "creation" | "communication" | "entertainment" | "relationship" | "other";
                /** @description Words to find the agent by. */
                readonly tags?: readonly string[];
                /** @description Family of the model that the agent runs on. */
                readonly modelFamily?: string;
                /** @description Where the agent or its owner can be reached. */
                readonly contacts?: readonly {
                    /**
                     * @description Kind of contact.
                     * @enum {string}
                     */
                    readonly type: "website" | "x" | "github" | "discord" | "did" | "a2a" | "mcp" | "neural";
                    /** @description The address, handle or identifier of that kind. */
                    readonly value: string;
                }[];
            };
        };
        readonly Readiness: {
            /** @description Whether it is ready. */
            readonly ready: boolean;
            /** @description Every part the service needs, and why it is not ready. */
            readonly checks: {
                readonly [key: string]: {
                    /** @description Whether it is ready. */
                    readonly ready: boolean;
                    /** @description Why it is not ready. Absent when it is. */
                    readonly reason?: string;
                };
            };
        };
        readonly RecordEvolutionMessage: {
            /** @description Id of the agent's soulbound certificate, as a decimal string. */
            readonly tokenId: string;
            /** @description Counts the seals of the soul, from 1. A reseal by a new owner begins the next. */
            readonly epoch: number;
            /** @description Counts the changes of the same kind. It makes an older signature useless. */
            readonly version: number;
            /** @description Category of the change. */
            readonly category: string;
            /** @description Kind of change within its category. */
            readonly changeType: string;
            /** @description Hash of the soul before the change, in hex. */
            readonly previousSoulHash: string;
            /** @description Hash of the soul after the change, in hex. */
            readonly newSoulHash: string;
            /** @description Root of the Merkle tree over the fields of the new soul, in hex. */
            readonly newSoulMerkleRoot: string;
            /** @description SHA-256 of the record's data in canonical JSON, in hex. */
            readonly dataHash: string;
            /** @description Of a `soul_revision`: the passport's next registration file, written where the passport writer is approved. Empty for any other chronicle. */
            readonly agentURI: string;
            /**
             * @description Nonce of the signer, as a decimal string. Each can be used once.
             * @example 1500000
             */
            readonly nonce: string;
            /** @description Until when the signature can be used, in Unix seconds as a decimal string. */
            readonly deadline: string;
        };
        readonly RecordedChronicle: {
            /** @description Number of the record, for ever the same. */
            readonly chronicleId: number;
            /** @description Id of the agent's soulbound certificate, from 1. */
            readonly tokenId: number;
            /** @description Category of the change. */
            readonly category: string;
            /** @description Kind of change within its category. */
            readonly changeType: string;
            /** @description Id of the content on permanent storage: 43 characters of base64url. */
            readonly arweaveTxId: string;
            /**
             * Format: date-time
             * @description When it happened, or was recorded.
             * @example 2026-01-31T12:00:00.000Z
             */
            readonly timestamp: string;
            /**
             * @description Id of the record in the queue. It names the record in `GET /v1/chronicle/{queueId}/proof`.
             * @example 12-3-1770000000000
             */
            readonly queueId: string;
            /**
             * @description `queued`: stored. `batched`: in a batch that is being sent. `confirmed`: on chain.
             * @enum {string}
             */
            readonly status: "queued" | "batched" | "confirmed";
            /** @description Of what was recorded on chain at once. */
            readonly txHash?: string;
            /**
             * Format: date-time
             * @description When the batch is expected on chain. It is an estimate.
             * @example 2026-01-31T12:00:00.000Z
             */
            readonly estimatedConfirmation?: string;
            /** @description After a `soul_revision`: metadata of the passport that does not follow the new soul yet. */
            readonly pendingMetadata?: readonly components["schemas"]["PendingPassportMetadata"][];
            /** @description The owner sends it before: it lets the passport writer write to the passport. Null when nothing needs it. */
            readonly approvalTransaction?: components["schemas"]["OwnerTransaction"] | null;
            /** @description After a `soul_revision`: the passport points at a file about the soul before. */
            readonly needsAgentUriUpdate?: boolean;
            /** @description The owner's transaction that points the passport at its new file; null when there is nothing to do, or the file now cannot be read. */
            readonly agentUriTransaction?: {
                /** @description EIP-155 id of the chain. */
                readonly chainId: number;
                /** @description Contract that the transaction is sent to. */
                readonly to: string;
                /** @description Signature of the function that `data` calls. */
                readonly functionName: string;
                /** @description Integers as decimal strings. */
                readonly args: readonly (string | readonly string[])[];
                /** @description Call data, in hex. */
                readonly data: string;
                /**
                 * @description Native currency to send with it, in wei: always `0`.
                 * @enum {string}
                 */
                readonly value: "0";
                /** @description What the transaction does, in words for the owner. */
                readonly description: string;
            } | null;
        };
        readonly RecoveredWebhook: {
            /**
             * Format: uuid
             * @description Id of the webhook.
             */
            readonly webhookId: string;
            /** @description Events that were enqueued by this call. */
            readonly enqueued: number;
            /** @description Events of the range that are still to be recovered: call again. */
            readonly remaining: number;
        };
        readonly RegisteredAgent: {
            /** @description Id of the agent's soulbound certificate, from 1. */
            readonly tokenId: number;
            /** @description Id of the agent's ERC-8004 passport. 0 is a real id. */
            readonly erc8004AgentId: number;
            /** @description Name of the agent: 3 to 32 characters, lower case, unique for ever. */
            readonly agentName: string;
            /** @description DID of the agent, of method `did:svc`. */
            readonly did: string;
            /** @description Address of the agent's public page. */
            readonly profileUrl: string;
            /** @description Address of the registration file that the passport points at. */
            readonly erc8004Url: string;
            /** @description Hash of the soul: SHA-256 of the salt and the normalised text, in hex. */
            readonly soulHash: string;
            /** @description Root of the Merkle tree over the twelve fields of the soul, in hex. */
            readonly soulMerkleRoot: string;
            /** @description Id of the content on permanent storage: 43 characters of base64url. */
            readonly arweaveTxId: string;
            /**
             * @description `PROVISIONAL`: not sealed yet. `SEALED`: its soul is sealed on chain. `BURNED`: it has ended.
             * @enum {string}
             */
            readonly genesisStatus: "SEALED" | "PROVISIONAL";
            /** @description Shown once, and again only to the same Idempotency-Key. */
            readonly apiKey: string;
            /** @description Transaction that minted the certificate. */
            readonly mintTxHash: string;
            /** @description One address for each declared document, for the upload of its content. */
            readonly documentUploadUrls: readonly {
                /** @description Id of the document. */
                readonly id: string;
                /** @description Single-use address that takes the content by POST. */
                readonly uploadUrl: string;
                /**
                 * Format: date-time
                 * @description Until when the address works.
                 * @example 2026-01-31T12:00:00.000Z
                 */
                readonly expiresAt: string;
            }[];
            /** @description The registration file that names the agent's ids; of a passport that was bound, the one that its owner signed. */
            readonly updatedAgentUriUrl: string;
            /** @description True when the passport does not point at the file of `updatedAgentUriUrl`, and its owner should send `agentUriTransaction`: another registration came between, or the approval on a bound passport was taken back. */
            readonly needsAgentUriUpdate: boolean;
            /** @description Transaction by which the owner points the passport at its new file. */
            readonly agentUriTransaction: components["schemas"]["UnsignedTransaction"];
            /** @description Metadata that could not be written, because the passport writer was not approved on the passport any more. */
            readonly pendingMetadata: readonly components["schemas"]["PendingMetadata"][];
            /** @description The owner sends it before: it lets the passport writer write to the passport. Null when nothing is pending. */
            readonly approvalTransaction: components["schemas"]["UnsignedTransaction"];
            /** @description How the owner sets the account that the agent is paid at. */
            readonly agentWallet: components["schemas"]["AgentWallet"];
        };
        readonly RegisteredBatch: {
            /** @description Id of the organization. */
            readonly organizationId: number;
            /**
             * @deprecated
             * @description Former name of `organizationId`: on `/fleet` paths only.
             */
            readonly fleetId?: number;
            /** @description How many agents were registered. */
            readonly registered: number;
            /** @description The registered agents, in the order of the request. */
            readonly results: readonly {
                /** @description Name of the agent: 3 to 32 characters, lower case, unique for ever. */
                readonly agentName: string;
                /** @description Id of the agent's soulbound certificate, from 1. */
                readonly tokenId: number;
                /** @description Id of the agent's ERC-8004 passport. 0 is a real id. */
                readonly erc8004AgentId: number;
                /**
                 * @description Always `SEALED`: the agent is registered and sealed.
                 * @enum {string}
                 */
                readonly status: "SEALED";
                /** @description Shown once, and again only to the same Idempotency-Key. */
                readonly apiKey: string;
            }[];
            /** @description Agents that were not registered, because others have their names. */
            readonly leftOut: readonly {
                /** @description Name of the agent: 3 to 32 characters, lower case, unique for ever. */
                readonly agentName: string;
                /** @description Token id of the agent that has the name. */
                readonly takenBy: number;
            }[];
            /** @description Transaction that registered them. */
            readonly batchTxHash: string;
        };
        readonly Registration: {
            /**
             * @description Name of the agent: 3 to 32 characters, lower case, unique for ever.
             * @example aurora
             */
            readonly agentName: string;
            /**
             * @description Kind of agent: `assistant`, `companion`, `specialist`, `creative`, `other`, or its number from 0 to 4. The labels `personal`, `customer`, `coding` and `research` are accepted too.
             * @example assistant
             */
            readonly agentType?: string | number;
            /** @description The passport to bind: the signer's own, with the passport writer approved on it. 0 is a passport. Absent or null: a new one is registered. */
            readonly erc8004AgentId?: number;
            /** @description Hash of the soul: SHA-256 of the salt and the normalised text, in hex. */
            readonly soulHash: string;
            /** @description 32 random bytes in hex that keep the soul's text from being guessed. Keep it secret. */
            readonly soulSalt: string;
            /** @description Root of the Merkle tree over the twelve fields of the soul, in hex. */
            readonly soulMerkleRoot: string;
            /** @description The leaves in index order: all twelve, or the first eleven, as `POST /v1/tools/normalise` returns them. The leaf of `soul.documents` is then computed from `soulDocuments`. */
            readonly merkleLeaves: readonly {
                /** @description Position of the leaf, from 0. */
                readonly index: number;
                /**
                 * @description Field of the soul that the leaf commits to.
                 * @enum {string}
                 */
                readonly field: "identity.name" | "identity.agent_type" | "identity.description" | "soul.purpose" | "soul.personality" | "soul.constraints" | "soul.guidelines" | "capabilities.skills" | "capabilities.tools" | "capabilities.languages" | "capabilities.models" | "soul.documents";
                /** @description Hash of the leaf, in hex. It reveals nothing of the value. */
                readonly hash: string;
            }[];
            /** @description Values to publish, by field; each must match its leaf. */
            readonly publicFields?: Record<string, unknown>;
            /** @description What the owner publishes about the agent. Unverified. */
            readonly publicIdentity?: components["schemas"]["PublicIdentity"];
            /** @description Checked against the leaf `soul.documents`; the contents are uploaded afterwards. */
            readonly soulDocuments?: readonly components["schemas"]["DeclaredDocument"][];
            /** @description Format in which the soul was written. */
            readonly sourceFormat?: string;
            /** @description Checked for form only, and never kept: it is not salted. */
            readonly sourceHash?: string;
            /**
             * @description Account that owns the agent.
             * @example 0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045
             */
            readonly ownerAddress: string;
            /**
             * @description Account that acts for the agent. Absent: the owner does.
             * @example 0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045
             */
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
            /** @description Proof of a person by World ID. */
            readonly worldIdProof?: components["schemas"]["WorldIdProof"];
        };
        readonly RegistrationBatchMessage: {
            /**
             * @description Account that owns the agent or registers it, and signs.
             * @example 0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045
             */
            readonly owner: string;
            /** @description Id of the organization, as a decimal string. 0: none. */
            readonly organizationId: string;
            /** @description Whether agents are left out whose names other agents have. False: one such name refuses the batch. */
            readonly leaveOutTakenNames: boolean;
            /** @description The agents to register, in order. */
            readonly entries: readonly {
                /** @description Name of the agent that is registered. */
                readonly name: string;
                /**
                 * @description Account that acts for the agent. The zero address: the owner does.
                 * @example 0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045
                 */
                readonly operator: string;
                /** @description Hash of the soul: SHA-256 of the salt and the normalised text, in hex. */
                readonly soulHash: string;
                /** @description Root of the Merkle tree over the twelve fields of the soul, in hex. */
                readonly soulMerkleRoot: string;
                /** @description SHA-256 of the public registration file without ids, in canonical form, in hex. */
                readonly contentHash: string;
                /** @description Kind of agent, as the number that the contract stores. */
                readonly agentType: number;
            }[];
            /** @description Nonce of the signer, as a decimal string. Each can be used once. */
            readonly nonce: string;
            /** @description Until when the signature can be used, in Unix seconds as a decimal string. */
            readonly deadline: string;
        };
        readonly RegistrationFileUpdate: {
            /** @description Id of the agent's soulbound certificate, from 1. */
            readonly tokenId: number;
            /** @description Each replaces the entry of the same name (case ignored), or is appended. `Svc`, `Svc-API` and `DID` are written by the service. */
            readonly services?: readonly {
                /**
                 * @description Kind of service, such as `A2A`, `MCP` or `web`.
                 * @example MCP
                 */
                readonly name: string;
                /**
                 * @description Address of the service.
                 * @example https://agent.example/mcp
                 */
                readonly endpoint: string;
                /** @description Version of the service's protocol. */
                readonly version?: string;
            }[];
            /** @description Names of entries to take away. */
            readonly removeServices?: readonly string[];
            /** @description Whether the agent takes payments by x402. */
            readonly x402Support?: boolean;
        };
        readonly RegistrationFileUpdated: {
            /** @description Id of the agent's ERC-8004 passport. 0 is a real id. */
            readonly agentId: number;
            /** @description Id of the agent's soulbound certificate, from 1. */
            readonly tokenId: number;
            /** @description Id of the agent's ERC-8004 passport. 0 is a real id. */
            readonly erc8004AgentId: number;
            /** @description `ar://<id>`, as on chain. */
            readonly agentURI: string;
            /** @description Members of the file that are others than before. */
            readonly updatedFields: readonly string[];
            /** @description Transaction that set the passport's URI. */
            readonly erc8004TxHash: string;
        };
        readonly RegistrationMessage: {
            /** @description Name of the agent that is registered. */
            readonly name: string;
            /** @description Kind of agent, as the number that the contract stores. */
            readonly agentType: number;
            /**
             * @description Account that owns the agent or registers it, and signs.
             * @example 0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045
             */
            readonly owner: string;
            /**
             * @description Account that acts for the agent. The zero address: the owner does.
             * @example 0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045
             */
            readonly operator: string;
            /** @description Hash of the soul: SHA-256 of the salt and the normalised text, in hex. */
            readonly soulHash: string;
            /** @description Root of the Merkle tree over the twelve fields of the soul, in hex. */
            readonly soulMerkleRoot: string;
            /** @description SHA-256 of the public registration file without ids, in canonical form, in hex. */
            readonly contentHash: string;
            /** @description Whether an existing passport is bound. False: a new one is registered. */
            readonly bindPassport: boolean;
            /** @description Id of the passport to bind, as a decimal string. Read only when `bindPassport` is true. */
            readonly passportId: string;
            /** @description URI of the passport's registration file. */
            readonly agentURI: string;
            /** @description Certificate id of the burned agent that this one continues, as a decimal string. 0: none. */
            readonly parentTokenId: string;
            /** @description Id of the organization, as a decimal string. 0: none. */
            readonly organizationId: string;
            /** @description Whether the soul is sealed in the same transaction. */
            readonly seal: boolean;
            /**
             * @description Contract that checks the proof of a person. The zero address: none was given.
             * @example 0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045
             */
            readonly humanVerifier: string;
            /** @description keccak256 of that proof's data. Zero: none was given. */
            readonly humanProofHash: string;
            /** @description Nonce of the signer, as a decimal string. Each can be used once. */
            readonly nonce: string;
            /** @description Until when the signature can be used, in Unix seconds as a decimal string. */
            readonly deadline: string;
        };
        readonly RegistrationStatus: {
            /**
             * @description `pending_owner_claim`: the owner has not claimed the agent. `claimed`: it is registered on chain.
             * @enum {string}
             */
            readonly status: "pending_owner_claim";
            /** @description Id of the agent's soulbound certificate. */
            readonly tokenId: null;
        } | {
            /**
             * @description It was not claimed in time.
             * @enum {string}
             */
            readonly status: "deleted";
            /** @description Id of the agent's soulbound certificate. */
            readonly tokenId: null;
        } | {
            /**
             * @description `pending_owner_claim`: the owner has not claimed the agent. `claimed`: it is registered on chain.
             * @enum {string}
             */
            readonly status: "claimed";
            /** @description Id of the agent's soulbound certificate. */
            readonly tokenId: number;
            /** @description Name of the agent: 3 to 32 characters, lower case, unique for ever. */
            readonly agentName: string;
            /**
             * @description Account that owns the agent.
             * @example 0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045
             */
            readonly ownerAddress: string;
        };
        /** @description EIP-712 data, signed as it is by `eth_signTypedData_v4` and viem. ethers wants `types` without `EIP712Domain`. */
        readonly RegistrationTypedData: components["schemas"]["TypedData"] & {
            /** @description The file without ids whose SHA-256 is `contentHash` */
            readonly registrationFile: {
                /** @description The URI of the file's format. */
                readonly type: string;
            } & {
                readonly [key: string]: unknown;
            };
        };
        readonly RegulatoryAuditMessage: {
            /** @description Id of the agent's soulbound certificate, as a decimal string. */
            readonly tokenId: string;
            /** @description Counts the seals of the soul, from 1. A reseal by a new owner begins the next. */
            readonly epoch: number;
            /** @description Name of the regulator. */
            readonly regulatoryBody: string;
            /** @description DID of the regulator. */
            readonly regulatoryDid: string;
            /** @description What the audit is about, in words. */
            readonly scope: string;
            /** @description The regulator's own reference. */
            readonly auditReference: string;
            /** @description Nonce of the signer, as a decimal string. Each can be used once. */
            readonly nonce: string;
            /** @description Until when the signature can be used, in Unix seconds as a decimal string. */
            readonly deadline: string;
        };
        readonly ReincarnatedAgent: {
            /** @description Id of the agent's soulbound certificate, from 1. */
            readonly tokenId: number;
            /** @description Id of the agent's ERC-8004 passport. 0 is a real id. */
            readonly erc8004AgentId: number;
            /** @description Name of the agent: 3 to 32 characters, lower case, unique for ever. */
            readonly agentName: string;
            /** @description DID of the agent, of method `did:svc`. */
            readonly did: string;
            /** @description Address of the agent's public page. */
            readonly profileUrl: string;
            /** @description Certificate id of the burned agent that this one continues. 0 or absent: none. */
            readonly parentTokenId: number;
            /** @description Passport that the burned agent had. */
            readonly parentErc8004AgentId: number;
            /** @description Name of the burned agent that the new one continues. */
            readonly parentName: string;
            /** @description Whether the soul hash is the last one of the parent. */
            readonly soulContinuity: boolean;
            /** @description Whether the soul hash is the first one of the parent. */
            readonly soulHashMatch: boolean;
            /**
             * @description `PROVISIONAL`: not sealed yet. `SEALED`: its soul is sealed on chain. `BURNED`: it has ended.
             * @enum {string}
             */
            readonly genesisStatus: "SEALED" | "PROVISIONAL";
            /** @description Hash of the soul: SHA-256 of the salt and the normalised text, in hex. */
            readonly soulHash: string;
            /** @description Root of the Merkle tree over the twelve fields of the soul, in hex. */
            readonly soulMerkleRoot: string;
            /** @description Id of the content on permanent storage: 43 characters of base64url. */
            readonly arweaveTxId: string;
            /** @description Transaction that minted the certificate. */
            readonly mintTxHash: string;
            /** @description The same transaction: it registers the passport and seals the soul. */
            readonly erc8004TxHash: string;
            /** @description Shown once, and again only to the same Idempotency-Key. */
            readonly apiKey: string;
            /** @description One address for each declared document, for the upload of its content. */
            readonly documentUploadUrls: readonly {
                /** @description Id of the document. */
                readonly id: string;
                /** @description Single-use address that takes the content by POST. */
                readonly uploadUrl: string;
                /**
                 * Format: date-time
                 * @description Until when the address works.
                 * @example 2026-01-31T12:00:00.000Z
                 */
                readonly expiresAt: string;
            }[];
        };
        readonly Reincarnation: {
            /** @description The soul that ended. */
            readonly parentTokenId: number;
            /**
             * @description Name of the successor: 3 to 32 characters, lower case, not taken.
             * @example aurora
             */
            readonly newAgentName: string;
            /**
             * @description Kind of agent: `assistant`, `companion`, `specialist`, `creative`, `other`, or its number from 0 to 4. The labels `personal`, `customer`, `coding` and `research` are accepted too.
             * @example assistant
             */
            readonly agentType?: string | number;
            /** @description Hash of the soul: SHA-256 of the salt and the normalised text, in hex. */
            readonly soulHash: string;
            /** @description 32 random bytes in hex that keep the soul's text from being guessed. Keep it secret. */
            readonly soulSalt: string;
            /** @description Root of the Merkle tree over the twelve fields of the soul, in hex. */
            readonly soulMerkleRoot: string;
            /** @description The leaves in index order: all twelve, or the first eleven, as `POST /v1/tools/normalise` returns them. The leaf of `soul.documents` is then computed from `soulDocuments`. */
            readonly merkleLeaves: readonly {
                /** @description Position of the leaf, from 0. */
                readonly index: number;
                /**
                 * @description Field of the soul that the leaf commits to.
                 * @enum {string}
                 */
                readonly field: "identity.name" | "identity.agent_type" | "identity.description" | "soul.purpose" | "soul.personality" | "soul.constraints" | "soul.guidelines" | "capabilities.skills" | "capabilities.tools" | "capabilities.languages" | "capabilities.models" | "soul.documents";
                /** @description Hash of the leaf, in hex. It reveals nothing of the value. */
                readonly hash: string;
            }[];
            /** @description Values to publish, by field; each must match its leaf. */
            readonly publicFields?: Record<string, unknown>;
            /** @description What the owner publishes about the agent. Unverified. */
            readonly publicIdentity?: components["schemas"]["PublicIdentity"];
            /** @description Checked against the leaf `soul.documents`; the contents are uploaded afterwards. */
            readonly soulDocuments?: readonly components["schemas"]["DeclaredDocument"][];
            /** @description Format in which the soul was written. */
            readonly sourceFormat?: string;
            /** @description Checked for form only, and never kept: it is not salted. */
            readonly sourceHash?: string;
            /**
             * @description Account that owns the agent.
             * @example 0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045
             */
            readonly ownerAddress: string;
            /**
             * @description Account that acts for the agent. Absent: the owner does.
             * @example 0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045
             */
            readonly operatorAddress?: string;
            /** @description Proof of a person by World ID. */
            readonly worldIdProof?: components["schemas"]["WorldIdProof"];
        };
        readonly Release: {
            /** @description Id of the agent's soulbound certificate, from 1. */
            readonly tokenId: number;
        };
        readonly ReleaseMessage: {
            /** @description Id of the agent's soulbound certificate, as a decimal string. */
            readonly tokenId: string;
            /** @description Counts the seals of the soul, from 1. A reseal by a new owner begins the next. */
            readonly epoch: number;
            /** @description Counts the changes of the same kind. It makes an older signature useless. */
            readonly version: number;
            /**
             * @description Account that owns the passport now.
             * @example 0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045
             */
            readonly newOwner: string;
            /** @description Block in which the new owner was first seen, as a decimal string. */
            readonly observedBlock: string;
            /** @description Nonce of the signer, as a decimal string. Each can be used once. */
            readonly nonce: string;
            /** @description Until when the signature can be used, in Unix seconds as a decimal string. */
            readonly deadline: string;
        };
        readonly ReleasedAgent: {
            /** @description Id of the agent's soulbound certificate, from 1. */
            readonly tokenId: number;
            /** @description The passport, which is free again. */
            readonly erc8004AgentId: number;
            /** @description Name of the agent: 3 to 32 characters, lower case, unique for ever. */
            readonly agentName: string;
            /**
             * @description Always `BURNED`: the soul has ended.
             * @enum {string}
             */
            readonly status: "BURNED";
            /** @description Owner of the passport that ended the soul. */
            readonly releasedBy: string;
            /** @description Transaction that ended the soul. */
            readonly releaseTxHash: string;
            /** @description Id of the soul's last archive on permanent storage. Null when none is known. */
            readonly arweaveArchive: string | null;
            /**
             * Format: date-time
             * @description When the soul was ended.
             * @example 2026-01-31T12:00:00.000Z
             */
            readonly releasedAt: string;
            /** @description What ended together with it. */
            readonly ended: components["schemas"]["EndedGrants"];
            /** @description What remains. */
            readonly note: string;
        };
        readonly RequestedChronicle: {
            /** @description Id of the request to the owner. */
            readonly requestId: string;
            /** @description Page on which the owner signs. */
            readonly signUrl: string;
            /**
             * Format: date-time
             * @description Until when the owner can sign.
             * @example 2026-01-31T12:00:00.000Z
             */
            readonly expiresAt: string;
        };
        readonly RequestedOrganizationAudit: {
            /**
             * Format: uuid
             * @description Id of the organization's audit.
             */
            readonly orgAuditId: string;
            /** @description Id of the organization. */
            readonly organizationId: number;
            /**
             * @deprecated
             * @description Former name of `organizationId`: on `/fleet` paths only.
             */
            readonly fleetId?: number;
            /** @description Live members, which can be audited. */
            readonly agentCount: number;
            /**
             * @description Always `awaiting_ccsf_uploads`: the souls are to be uploaded.
             * @enum {string}
             */
            readonly status: "awaiting_ccsf_uploads";
            /** @description Takes one upload that is verified. */
            readonly batchUploadUrl: string;
            /**
             * Format: date-time
             * @description Seven days after the request.
             * @example 2026-01-31T12:00:00.000Z
             */
            readonly uploadExpiresAt: string;
            /** @description What to do next, in words. */
            readonly note: string;
        };
        readonly RequestedRegulatoryAudit: {
            /**
             * Format: uuid
             * @description Id of the audit.
             */
            readonly auditId: string;
            /** @description Id of the agent's soulbound certificate, from 1. */
            readonly tokenId: number;
            /**
             * @description Always `awaiting_ccsf_upload`: the soul is to be uploaded.
             * @enum {string}
             */
            readonly status: "awaiting_ccsf_upload";
            /** @description Takes one upload that is verified. */
            readonly uploadUrl: string;
            /**
             * Format: date-time
             * @description Seven days after the request.
             * @example 2026-01-31T12:00:00.000Z
             */
            readonly uploadExpiresAt: string;
            /** @description What to do next, in words. */
            readonly note: string;
        };
        readonly Reseal: {
            /** @description Id of the agent's soulbound certificate, from 1. */
            readonly tokenId: number;
            /** @description Hash of the soul after the change, in hex. */
            readonly newSoulHash: string;
            /** @description Kept encrypted, never published. */
            readonly newSoulSalt: string;
            /** @description Root of the Merkle tree over the fields of the new soul, in hex. */
            readonly newSoulMerkleRoot: string;
            /** @description The leaves in index order: all twelve, or the first eleven, as `POST /v1/tools/normalise` returns them. The leaf of `soul.documents` is then computed from `soulDocuments`. */
            readonly merkleLeaves: readonly {
                /** @description Position of the leaf, from 0. */
                readonly index: number;
                /**
                 * @description Field of the soul that the leaf commits to.
                 * @enum {string}
                 */
                readonly field: "identity.name" | "identity.agent_type" | "identity.description" | "soul.purpose" | "soul.personality" | "soul.constraints" | "soul.guidelines" | "capabilities.skills" | "capabilities.tools" | "capabilities.languages" | "capabilities.models" | "soul.documents";
                /** @description Hash of the leaf, in hex. It reveals nothing of the value. */
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
                /**
                 * @description Contract that checks the proof. It must be one that the registry accepts.
                 * @example 0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045
                 */
                readonly verifier: string;
                /** @description What that contract checks, in hex. */
                readonly data: string;
            };
            /** @description Proof of a person by World ID. */
            readonly worldIdProof?: components["schemas"]["WorldIdProof"];
        };
        readonly ResealMessage: {
            /** @description Id of the agent's soulbound certificate, as a decimal string. */
            readonly tokenId: string;
            /** @description Counts the seals of the soul, from 1. A reseal by a new owner begins the next. */
            readonly epoch: number;
            /** @description Counts the changes of the same kind. It makes an older signature useless. */
            readonly version: number;
            /**
             * @description Account that owns the passport now.
             * @example 0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045
             */
            readonly newOwner: string;
            /**
             * @description Account that acts for the agent. The zero address: the owner does.
             * @example 0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045
             */
            readonly operator: string;
            /** @description Block in which the new owner was first seen, as a decimal string. */
            readonly observedBlock: string;
            /** @description Hash of the soul: SHA-256 of the salt and the normalised text, in hex. */
            readonly soulHash: string;
            /** @description Root of the Merkle tree over the twelve fields of the soul, in hex. */
            readonly soulMerkleRoot: string;
            /** @description SHA-256 of the public registration file without ids, in canonical form, in hex. */
            readonly contentHash: string;
            /** @description URI of the passport's registration file. */
            readonly agentURI: string;
            /**
             * @description Contract that checks the proof of a person. The zero address: none was given.
             * @example 0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045
             */
            readonly humanVerifier: string;
            /** @description keccak256 of that proof's data. Zero: none was given. */
            readonly humanProofHash: string;
            /** @description Nonce of the signer, as a decimal string. Each can be used once. */
            readonly nonce: string;
            /** @description Until when the signature can be used, in Unix seconds as a decimal string. */
            readonly deadline: string;
        };
        readonly ResealedAgent: {
            /** @description Id of the agent's soulbound certificate, from 1. */
            readonly tokenId: number;
            /** @description Id of the agent's ERC-8004 passport. 0 is a real id. */
            readonly erc8004AgentId: number;
            /** @description Name of the agent: 3 to 32 characters, lower case, unique for ever. */
            readonly agentName: string;
            /** @description The seal epoch that began. */
            readonly epoch: number;
            /** @description Account that sealed the soul anew. */
            readonly newSealedBy: string;
            /** @description Hash of the soul after the change, in hex. */
            readonly newSoulHash: string;
            /** @description Id of the new archive on permanent storage. */
            readonly newArweaveTxId: string;
            /** @description Transaction of the reseal. */
            readonly resealTxHash: string;
            /** @description The archive of the soul before, which stays; null when none is known. */
            readonly previousSoulArweave: string | null;
            /** @description Whether the new seal is valid: true unless the passport moved again. */
            readonly valid: boolean;
            /** @description What to do next, in words. */
            readonly message: string;
            /** @description Shown once, and again only to the same Idempotency-Key; null to any other. */
            readonly apiKey: string | null;
            /** @description What ended together with it. */
            readonly ended: components["schemas"]["EndedGrants"];
            /** @description Of the registration file that was signed. */
            readonly agentURI: string;
            /** @description True when the passport points at another file: `agentUriTransaction` is left. */
            readonly needsAgentUriUpdate: boolean;
            /** @description Transaction by which the owner points the passport at its new file. Null when there is nothing to do. */
            readonly agentUriTransaction: components["schemas"]["OwnerTransaction"] | null;
            /** @description Metadata of the passport that does not say what the soul is now. */
            readonly pendingMetadata: readonly components["schemas"]["PendingPassportMetadata"][];
            /** @description The owner sends it before: it lets the passport writer write to the passport. Null when nothing needs it. */
            readonly approvalTransaction: components["schemas"]["OwnerTransaction"] | null;
        };
        readonly RevokedDisclosure: {
            /**
             * Format: uuid
             * @description Id of the disclosure.
             */
            readonly disclosureId: string;
            /**
             * @description Always `revoked`.
             * @enum {string}
             */
            readonly status: "revoked";
            /**
             * Format: date-time
             * @description When it was revoked.
             * @example 2026-01-31T12:00:00.000Z
             */
            readonly revokedAt: string;
            /** @description Whether a webhook event was enqueued. */
            readonly webhookSent: boolean;
            /** @description What a revocation cannot undo. */
            readonly note: string;
        };
        readonly RotatedKey: {
            /** @description Id of the agent's soulbound certificate, from 1. */
            readonly tokenId: number;
            /** @description Id of the agent's ERC-8004 passport. 0 is a real id. */
            readonly erc8004AgentId: number;
            /**
             * Format: uuid
             * @description Id of the API key.
             */
            readonly keyId: string;
            /** @description Shown once, and again only to the same Idempotency-Key. */
            readonly apiKey: string;
            /**
             * Format: date-time
             * @description Until when the former keys still work.
             * @example 2026-01-31T12:00:00.000Z
             */
            readonly previousKeysValidUntil: string;
            /** @description The keys that this rotation ends at `previousKeysValidUntil`, and a provisional one, which ends at once. */
            readonly endedKeys: readonly components["schemas"]["ApiKey"][];
        };
        readonly RotatedWebhook: {
            /**
             * Format: uuid
             * @description Id of the webhook.
             */
            readonly webhookId: string;
            /** @description Shown only now, and again only to the same Idempotency-Key. */
            readonly secret: string;
            /**
             * Format: date-time
             * @description Until when events are signed with the former secret too. Null when no former secret is valid.
             * @example 2026-01-31T12:00:00.000Z
             */
            readonly previousValidUntil: string | null;
            /** @description What to do with the secret, in words. */
            readonly message: string;
        };
        readonly Seal: {
            /** @description Id of the agent's soulbound certificate, from 1. */
            readonly tokenId: number;
            /** @description That the owner is a person, for an adapter that the human verifier registry has approved, in the adapter's own encoding. */
            readonly humanProof?: {
                /**
                 * @description Contract that checks the proof. It must be one that the registry accepts.
                 * @example 0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045
                 */
                readonly verifier: string;
                /** @description What that contract checks, in hex. */
                readonly data: string;
            };
            /** @description Proof of a person by World ID. */
            readonly worldIdProof?: components["schemas"]["WorldIdProof"];
        };
        readonly SealMessage: {
            /** @description Id of the agent's soulbound certificate, as a decimal string. */
            readonly tokenId: string;
            /** @description Counts the seals of the soul, from 1. A reseal by a new owner begins the next. */
            readonly epoch: number;
            /** @description Counts the changes of the same kind. It makes an older signature useless. */
            readonly version: number;
            /** @description Hash of the soul: SHA-256 of the salt and the normalised text, in hex. */
            readonly soulHash: string;
            /** @description Root of the Merkle tree over the twelve fields of the soul, in hex. */
            readonly soulMerkleRoot: string;
            /** @description SHA-256 of the public registration file without ids, in canonical form, in hex. */
            readonly contentHash: string;
            /** @description URI of the passport's registration file. */
            readonly agentURI: string;
            /**
             * @description Contract that checks the proof of a person. The zero address: none was given.
             * @example 0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045
             */
            readonly humanVerifier: string;
            /** @description keccak256 of that proof's data. Zero: none was given. */
            readonly humanProofHash: string;
            /** @description Nonce of the signer, as a decimal string. Each can be used once. */
            readonly nonce: string;
            /** @description Until when the signature can be used, in Unix seconds as a decimal string. */
            readonly deadline: string;
        };
        readonly SealedAgent: {
            /** @description Id of the agent's soulbound certificate, from 1. */
            readonly tokenId: number;
            /** @description Id of the agent's ERC-8004 passport. 0 is a real id. */
            readonly erc8004AgentId: number;
            /** @description Name of the agent: 3 to 32 characters, lower case, unique for ever. */
            readonly agentName: string;
            /** @description DID of the agent, of method `did:svc`. */
            readonly did: string;
            /**
             * @description `PROVISIONAL`: not sealed yet. `SEALED`: its soul is sealed on chain. `BURNED`: it has ended.
             * @enum {string}
             */
            readonly genesisStatus: "SEALED";
            /** @description Hash of the soul: SHA-256 of the salt and the normalised text, in hex. */
            readonly soulHash: string;
            /** @description Root of the Merkle tree over the twelve fields of the soul, in hex. */
            readonly soulMerkleRoot: string;
            /** @description SHA-256 of the content, in hex. */
            readonly contentHash: string;
            /** @description Id of the content on permanent storage: 43 characters of base64url. */
            readonly arweaveTxId: string;
            /** @description Transaction that sealed the soul. */
            readonly sealTxHash: string;
            /** @description Whether a person was attested as the agent's owner. */
            readonly humanVerified: boolean;
            /** @description Of the registration file that was signed. */
            readonly agentURI: string;
            /** @description True when the passport points at another file: `agentUriTransaction` is left. */
            readonly needsAgentUriUpdate: boolean;
            /** @description Transaction by which the owner points the passport at its new file. Null when there is nothing to do. */
            readonly agentUriTransaction: components["schemas"]["OwnerTransaction"] | null;
            /** @description Metadata of the passport that does not say what the soul is now. */
            readonly pendingMetadata: readonly components["schemas"]["PendingPassportMetadata"][];
            /** @description The owner sends it before: it lets the passport writer write to the passport. Null when nothing needs it. */
            readonly approvalTransaction: components["schemas"]["OwnerTransaction"] | null;
        };
        readonly Session: {
            /**
             * Format: uuid
             * @description Id of the session.
             */
            readonly sessionId: string;
            /** @description The passport that was signed in with. Null for the console, which the account signs in to as such. */
            readonly erc8004AgentId: number | null;
            /** @description Who accepts the token: a relying party, or this service. */
            readonly audience: string;
            /** @description What the token may read. */
            readonly scopes: readonly ("identity" | "profile" | "soul" | "chronicles" | "certs" | "services" | "human_verified" | "did" | "manage")[];
            /**
             * @description Null: the token only identifies.
             * @enum {string|null}
             */
            readonly manages: "agent" | "account" | null;
            /**
             * Format: date-time
             * @description When it was created.
             * @example 2026-01-31T12:00:00.000Z
             */
            readonly createdAt: string;
            /**
             * Format: date-time
             * @description Until when it is valid.
             * @example 2026-01-31T12:00:00.000Z
             */
            readonly expiresAt: string;
            /**
             * Format: date-time
             * @description To the minute; null before the first use.
             * @example 2026-01-31T12:00:00.000Z
             */
            readonly lastUsedAt: string | null;
            /** @description Whether it is the session of this request. */
            readonly current: boolean;
        };
        readonly Sessions: {
            /** @description Id of the agent's soulbound certificate, from 1. */
            readonly tokenId: number;
            /** @description Sessions of this page, the newest first. */
            readonly sessions: readonly components["schemas"]["Session"][];
            /** @description Send it as `cursor` for the next page. Null on the last page. */
            readonly nextCursor: string | null;
        };
        readonly SetAgentKeysMessage: {
            /** @description Id of the agent's soulbound certificate, as a decimal string. */
            readonly tokenId: string;
            /** @description Counts the seals of the soul, from 1. A reseal by a new owner begins the next. */
            readonly epoch: number;
            /** @description Counts the changes of the same kind. It makes an older signature useless. */
            readonly version: number;
            /** @description SHA-256 of the key set in canonical JSON, in hex. */
            readonly keysHash: string;
            /** @description Id of the new record on permanent storage. */
            readonly archiveId: string;
            /** @description Whether payments need the passport's `agentWallet` to be the agent's operator. */
            readonly onlyWithAgentWallet: boolean;
            /** @description Nonce of the signer, as a decimal string. Each can be used once. */
            readonly nonce: string;
            /** @description Until when the signature can be used, in Unix seconds as a decimal string. */
            readonly deadline: string;
        };
        readonly SetAgentURIMessage: {
            /** @description Id of the agent's soulbound certificate, as a decimal string. */
            readonly tokenId: string;
            /** @description Counts the seals of the soul, from 1. A reseal by a new owner begins the next. */
            readonly epoch: number;
            /** @description Counts the changes of the same kind. It makes an older signature useless. */
            readonly version: number;
            /** @description keccak256 of the passport's URI before the change, in hex. */
            readonly previousURIHash: string;
            /** @description URI of the passport's registration file. */
            readonly agentURI: string;
            /** @description Nonce of the signer, as a decimal string. Each can be used once. */
            readonly nonce: string;
            /** @description Until when the signature can be used, in Unix seconds as a decimal string. */
            readonly deadline: string;
        };
        readonly SetAllowanceMessage: {
            /** @description Id of the agent's soulbound certificate, as a decimal string. */
            readonly tokenId: string;
            /** @description Counts the seals of the soul, from 1. A reseal by a new owner begins the next. */
            readonly epoch: number;
            /** @description Counts the changes of the same kind. It makes an older signature useless. */
            readonly version: number;
            /** @description Largest payment, in base units of the stablecoin. */
            readonly perTransaction: string;
            /** @description Largest sum of a UTC day, in base units of the stablecoin. */
            readonly dailyLimit: string;
            /** @description Last second of the allowance, in Unix seconds. 0: it has no end. */
            readonly validUntil: number;
            /** @description Whether payments need the passport's `agentWallet` to be the agent's operator. */
            readonly onlyWithAgentWallet: boolean;
            /** @description Nonce of the signer, as a decimal string. Each can be used once. */
            readonly nonce: string;
            /** @description Until when the signature can be used, in Unix seconds as a decimal string. */
            readonly deadline: string;
        };
        readonly SetBindingMessage: {
            /** @description Certificate id of the agent that trusts, as a decimal string. */
            readonly fromTokenId: string;
            /** @description Counts the seals of the soul, from 1. A reseal by a new owner begins the next. */
            readonly epoch: number;
            /** @description Certificate id of the agent that is trusted, as a decimal string. */
            readonly toTokenId: string;
            /** @description Epoch of the agent that is trusted. */
            readonly toEpoch: number;
            /** @description Level of trust, as the number that the contract stores. */
            readonly trustLevel: number;
            /** @description What for, in words. */
            readonly context: string;
            /** @description Counts the changes of the same kind. It makes an older signature useless. */
            readonly version: number;
            /** @description Nonce of the signer, as a decimal string. Each can be used once. */
            readonly nonce: string;
            /** @description Until when the signature can be used, in Unix seconds as a decimal string. */
            readonly deadline: string;
        };
        readonly SetDidArchiveMessage: {
            /** @description Id of the agent's soulbound certificate, as a decimal string. */
            readonly tokenId: string;
            /** @description Counts the seals of the soul, from 1. A reseal by a new owner begins the next. */
            readonly epoch: number;
            /** @description Counts the changes of the same kind. It makes an older signature useless. */
            readonly version: number;
            /** @description Id of the record that it replaces. Empty when there was no record. */
            readonly previousArchiveId: string;
            /** @description Id of the new record on permanent storage. */
            readonly archiveId: string;
            /** @description Nonce of the signer, as a decimal string. Each can be used once. */
            readonly nonce: string;
            /** @description Until when the signature can be used, in Unix seconds as a decimal string. */
            readonly deadline: string;
        };
        readonly SignInChallenge: {
            /** @description Single-use nonce of the sign-in. */
            readonly nonce: string;
            /** @description To be signed exactly as it is (EIP-191). */
            readonly message: string;
            /**
             * Format: date-time
             * @description Until when it is valid.
             * @example 2026-01-31T12:00:00.000Z
             */
            readonly expiresAt: string;
        };
        readonly SignInProfile: {
            /** @description ERC-8004 passport id; 0 is a real one. */
            readonly agentId: number;
            /** @description The soul's name while its sealer holds the passport, else `agent-<agentId>`. */
            readonly agentName: string;
            /**
             * @description Account that owns the passport, and signed in.
             * @example 0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045
             */
            readonly holder: string;
            /** @description The same as agentId. */
            readonly erc8004AgentId: number;
            /** @description EIP-155 id of the chain. */
            readonly chainId: number;
            /**
             * @description DID of the agent, of method `did:svc`.
             * @example did:svc:8453:aurora
             */
            readonly did: string;
            /** @description Whether a person was attested as the agent's owner. */
            readonly humanVerified: boolean;
            /** @description Image of the registration file, https or ipfs. Null when the owner states none. */
            readonly avatar: string | null;
            /** @description Of the registration file: the owner's own words, unverified. Null when the owner states none. */
            readonly description: string | null;
            /** @description Certificate of the sealed soul; tier 2. */
            readonly tokenId?: number;
            /** @description Tier 2, in the wallet flow or with scope soul. Null: no score yet. */
            readonly soulAlignment?: number | null;
            /** @description Hash of the soul: SHA-256 of the salt and the normalised text, in hex. */
            readonly soulHash?: string;
            /** @description The soul's registration, as it is on chain. */
            readonly genesisRecord?: {
                /** @description Id of the agent's soulbound certificate, from 1. */
                readonly tokenId: number;
                /**
                 * @description `PROVISIONAL`: not sealed yet. `SEALED`: its soul is sealed on chain. `BURNED`: it has ended.
                 * @enum {string}
                 */
                readonly genesisStatus: "SEALED";
                /** @description Kind of agent: `assistant`, `companion`, `specialist`, `creative` or `other`. */
                readonly agentType: string;
                /** @description Counts the seals of the soul, from 1. A reseal by a new owner begins the next. */
                readonly epoch: number;
                /**
                 * @description Account that sealed the soul.
                 * @example 0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045
                 */
                readonly sealer: string;
                /** @description Hash of the soul: SHA-256 of the salt and the normalised text, in hex. */
                readonly soulHash: string;
                /** @description Root of the Merkle tree over the twelve fields of the soul, in hex. */
                readonly soulMerkleRoot: string;
                /**
                 * Format: date-time
                 * @description When the soul was sealed. Null before the seal.
                 * @example 2026-01-31T12:00:00.000Z
                 */
                readonly sealedAt: string | null;
                /** @description Transaction that minted the certificate. Null when it was not found. */
                readonly mintTxHash: string | null;
                /** @description Transaction that sealed the soul. Null when it was not found. */
                readonly sealTxHash: string | null;
                /** @description Id of the content on permanent storage: 43 characters of base64url. Null when the archive is not known. */
                readonly arweaveTxId: string | null;
            };
            /** @description Soulbound certificates of the agent. */
            readonly certs?: readonly {
                /**
                 * @description Address of the contract.
                 * @example 0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045
                 */
                readonly contract: string;
                /** @description Id of the certificate in that contract. */
                readonly tokenId: number;
            }[];
            /** @description Scope chronicles: the newest first, at most 50. */
            readonly chronicles?: readonly {
                /** @description Kind of change within its category. */
                readonly changeType: string;
                /** @description Hash of the soul after the change, in hex. Null when the soul's text did not change. */
                readonly newSoulHash: string | null;
                /**
                 * Format: date-time
                 * @description When it was recorded.
                 * @example 2026-01-31T12:00:00.000Z
                 */
                readonly timestamp: string;
                /** @description Transaction that recorded it. */
                readonly txHash: string;
                /**
                 * @description Always `confirmed`: it is on chain.
                 * @enum {string}
                 */
                readonly status: "confirmed";
            }[];
            /** @description Scope services: A2A, MCP and web endpoints, unverified. */
            readonly services?: readonly {
                /** @description Kind of service, such as `A2A`, `MCP` or `web`. */
                readonly name: string;
                /** @description Address of the service. */
                readonly endpoint: string;
                /** @description Version of the service's protocol. Null when the owner states none. */
                readonly version: string | null;
            }[];
            /** @description A short text about the agent. Null when the owner states none. */
            readonly bio?: string | null;
            /** @description Field of activity. Null when the owner states none. */
            readonly category?: string | null;
            /** @description Words to find the agent by. */
            readonly tags?: readonly string[];
            /** @description Where the agent or its owner can be reached. */
            readonly contacts?: readonly {
                /** @description Kind of contact. */
                readonly type: string;
                /** @description The address, handle or identifier of that kind. */
                readonly value: string;
            }[];
            /**
             * Format: date-time
             * @description Scope human_verified: when the owner was attested. Null when no person was attested.
             * @example 2026-01-31T12:00:00.000Z
             */
            readonly verifiedAt?: string | null;
            /** @description The DID document. */
            readonly didDocument?: components["schemas"]["DidDocument"];
        };
        readonly SignInToken: {
            /** @description HS256 JWT. */
            readonly accessToken: string;
            /**
             * @description Always `Bearer`.
             * @enum {string}
             */
            readonly tokenType: "Bearer";
            /** @description Seconds. */
            readonly expiresIn: number;
            /**
             * @description 1: passport. 2: sealed soul. 3: human-verified.
             * @enum {integer}
             */
            readonly tier: 1 | 2 | 3;
            /** @description The agent that signed in, as far as the requested scopes go. */
            readonly profile: components["schemas"]["SignInProfile"];
            /** @description Granted scopes: the requested ones that the tier reaches, always with `identity`. */
            readonly scopes: readonly ("identity" | "profile" | "soul" | "chronicles" | "certs" | "services" | "human_verified" | "did" | "manage")[];
        };
        readonly SignedAgentKeysChange: {
            /** @description Id of the agent's soulbound certificate, from 1. */
            readonly tokenId: number;
            /** @description Public JWKs in any order; `kid` may be left out. An empty list withdraws the agent's keys. */
            readonly keys: readonly {
                /**
                 * @description Key type (RFC 7517).
                 * @enum {string}
                 */
                readonly kty: "EC" | "OKP";
                /**
                 * @description Curve of the key.
                 * @enum {string}
                 */
                readonly crv: "P-256" | "Ed25519";
                /** @description The x coordinate, or the Ed25519 key, in base64url. */
                readonly x: string;
                /** @description The y coordinate in base64url. P-256 keys only. */
                readonly y?: string;
                /**
                 * @description `sig`: the key signs. `enc`: messages are encrypted for it.
                 * @enum {string}
                 */
                readonly use: "sig" | "enc";
                /** @description Until when it is valid, in Unix seconds. */
                readonly exp: number;
                /** @description Id of the key: its RFC 7638 thumbprint, in base64url. */
                readonly kid?: string;
            }[];
            /**
             * @description Whether the keys need the passport's `agentWallet` to be the operator: every transfer of the passport clears it. Each change sets this anew.
             * @default false
             */
            readonly onlyWithAgentWallet?: boolean;
            /** @description Of `message`, by `signer`. */
            readonly signature: string;
            /**
             * @description The passport's owner.
             * @example 0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045
             */
            readonly signer: string;
            /** @description The message that is signed, as `POST /v1/typed-data/…` returned it. */
            readonly message: components["schemas"]["SetAgentKeysMessage"];
        };
        readonly SignedAgentUriUpdate: {
            /** @description Id of the agent's ERC-8004 passport. 0 is a real id. */
            readonly erc8004AgentId: number;
            /** @description Each replaces the entry of the same name (case ignored), or is appended. `Svc`, `Svc-API` and `DID` are written by the service. */
            readonly services?: readonly {
                /**
                 * @description Kind of service, such as `A2A`, `MCP` or `web`.
                 * @example MCP
                 */
                readonly name: string;
                /**
                 * @description Address of the service.
                 * @example https://agent.example/mcp
                 */
                readonly endpoint: string;
                /** @description Version of the service's protocol. */
                readonly version?: string;
            }[];
            /** @description Names of entries to take away. */
            readonly removeServices?: readonly string[];
            /** @description Whether the agent takes payments by x402. */
            readonly x402Support?: boolean;
            /** @description What the agent is, in its owner's words. Public. */
            readonly description?: string;
            /**
             * Format: uri
             * @description Address of the agent's picture.
             */
            readonly imageUrl?: string;
            /** @description Of `message`, by `signer`. */
            readonly signature: string;
            /**
             * @description The passport's owner.
             * @example 0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045
             */
            readonly signer: string;
            /** @description The message that is signed, as `POST /v1/typed-data/…` returned it. */
            readonly message: components["schemas"]["AgentUriUpdateMessage"];
        };
        readonly SignedAllowance: {
            /** @description Id of the agent's soulbound certificate, from 1. */
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
             * @description Whether payments need the passport's `agentWallet` to be the operator: every transfer of the passport clears it. Each change of the limits sets this anew.
             * @default false
             */
            readonly onlyWithAgentWallet?: boolean;
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
            /** @description The message that is signed, as `POST /v1/typed-data/…` returned it. */
            readonly message: components["schemas"]["SetAllowanceMessage"];
            /** @description The owner's second signature, where the typed data has a permit. */
            readonly permit?: {
                /** @description The message that is signed, as `POST /v1/typed-data/…` returned it. */
                readonly message: components["schemas"]["PermitMessage"];
                /** @description Of `message`, by `signer`. */
                readonly signature: string;
            };
        };
        readonly SignedAllowanceEnd: {
            /** @description Id of the agent's soulbound certificate, from 1. */
            readonly tokenId?: number;
            /** @description Of `message`, by `signer`. */
            readonly signature: string;
            /**
             * @description The passport's owner.
             * @example 0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045
             */
            readonly signer: string;
            /** @description The message that is signed, as `POST /v1/typed-data/…` returned it. */
            readonly message: components["schemas"]["DeactivateAllowanceMessage"];
        };
        readonly SignedBurn: {
            /** @description Id of the agent's soulbound certificate, from 1. */
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
            /** @description The message that is signed, as `POST /v1/typed-data/…` returned it. */
            readonly message: components["schemas"]["BurnMessage"];
        };
        readonly SignedOrganizationAudit: {
            /** @description Id of the organization. */
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
            /** @description The message that is signed, as `POST /v1/typed-data/…` returned it. */
            readonly message: components["schemas"]["OrganizationAuditMessage"];
        };
        readonly SignedPrivateDataDeletion: {
            /**
             * @description Whose data it is. It need not own a passport any more.
             * @example 0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045
             */
            readonly accountAddress: string;
            /**
             * @description Whether the salts of the account's souls are deleted too. Without them this service can prove no field of these souls again. Export them first.
             * @enum {string}
             */
            readonly salts: "keep" | "delete";
            /** @description Of `message`, by `signer`. */
            readonly signature: string;
            /**
             * @description The passport's owner.
             * @example 0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045
             */
            readonly signer: string;
            /** @description The message that is signed, as `POST /v1/typed-data/…` returned it. */
            readonly message: components["schemas"]["DeletePrivateDataMessage"];
        };
        readonly SignedPrivateDataExport: {
            /**
             * @description Whose data it is. It need not own a passport any more.
             * @example 0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045
             */
            readonly accountAddress: string;
            /** @description Of `message`, by `signer`. */
            readonly signature: string;
            /**
             * @description The passport's owner.
             * @example 0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045
             */
            readonly signer: string;
            /** @description The message that is signed, as `POST /v1/typed-data/…` returned it. */
            readonly message: components["schemas"]["ExportPrivateDataMessage"];
        };
        readonly SignedRegistrationFileUpdate: {
            /** @description Id of the agent's soulbound certificate, from 1. */
            readonly tokenId?: number;
            /** @description Each replaces the entry of the same name (case ignored), or is appended. `Svc`, `Svc-API` and `DID` are written by the service. */
            readonly services?: readonly {
                /**
                 * @description Kind of service, such as `A2A`, `MCP` or `web`.
                 * @example MCP
                 */
                readonly name: string;
                /**
                 * @description Address of the service.
                 * @example https://agent.example/mcp
                 */
                readonly endpoint: string;
                /** @description Version of the service's protocol. */
                readonly version?: string;
            }[];
            /** @description Names of entries to take away. */
            readonly removeServices?: readonly string[];
            /** @description Whether the agent takes payments by x402. */
            readonly x402Support?: boolean;
            /** @description Of `message`, by `signer`. */
            readonly signature: string;
            /**
             * @description The passport's owner.
             * @example 0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045
             */
            readonly signer: string;
            /** @description The message that is signed, as `POST /v1/typed-data/…` returned it. */
            readonly message: components["schemas"]["SetAgentURIMessage"];
        };
        readonly SignedRegulatoryAudit: {
            /** @description Id of the agent's soulbound certificate, from 1. */
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
            /** @description The message that is signed, as `POST /v1/typed-data/…` returned it. */
            readonly message: components["schemas"]["RegulatoryAuditMessage"];
        };
        readonly SignedReincarnation: {
            /** @description The soul that ended. */
            readonly parentTokenId: number;
            /**
             * @description Name of the successor: 3 to 32 characters, lower case, not taken.
             * @example aurora
             */
            readonly newAgentName: string;
            /**
             * @description Kind of agent: `assistant`, `companion`, `specialist`, `creative`, `other`, or its number from 0 to 4. The labels `personal`, `customer`, `coding` and `research` are accepted too.
             * @example assistant
             */
            readonly agentType?: string | number;
            /** @description Hash of the soul: SHA-256 of the salt and the normalised text, in hex. */
            readonly soulHash: string;
            /** @description 32 random bytes in hex that keep the soul's text from being guessed. Keep it secret. */
            readonly soulSalt: string;
            /** @description Root of the Merkle tree over the twelve fields of the soul, in hex. */
            readonly soulMerkleRoot: string;
            /** @description The leaves in index order: all twelve, or the first eleven, as `POST /v1/tools/normalise` returns them. The leaf of `soul.documents` is then computed from `soulDocuments`. */
            readonly merkleLeaves: readonly {
                /** @description Position of the leaf, from 0. */
                readonly index: number;
                /**
                 * @description Field of the soul that the leaf commits to.
                 * @enum {string}
                 */
                readonly field: "identity.name" | "identity.agent_type" | "identity.description" | "soul.purpose" | "soul.personality" | "soul.constraints" | "soul.guidelines" | "capabilities.skills" | "capabilities.tools" | "capabilities.languages" | "capabilities.models" | "soul.documents";
                /** @description Hash of the leaf, in hex. It reveals nothing of the value. */
                readonly hash: string;
            }[];
            /** @description Values to publish, by field; each must match its leaf. */
            readonly publicFields?: Record<string, unknown>;
            /** @description What the owner publishes about the agent. Unverified. */
            readonly publicIdentity?: components["schemas"]["PublicIdentity"];
            /** @description Checked against the leaf `soul.documents`; the contents are uploaded afterwards. */
            readonly soulDocuments?: readonly components["schemas"]["DeclaredDocument"][];
            /** @description Format in which the soul was written. */
            readonly sourceFormat?: string;
            /** @description Checked for form only, and never kept: it is not salted. */
            readonly sourceHash?: string;
            /**
             * @description Account that owns the agent.
             * @example 0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045
             */
            readonly ownerAddress: string;
            /**
             * @description Account that acts for the agent. Absent: the owner does.
             * @example 0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045
             */
            readonly operatorAddress?: string;
            /** @description Proof of a person by World ID. */
            readonly worldIdProof?: components["schemas"]["WorldIdProof"];
            /** @description The message that is signed, as `POST /v1/typed-data/…` returned it. */
            readonly message: components["schemas"]["RegistrationMessage"];
            /** @description Signature of `message` by `signer`: whole bytes in hex, also of a contract wallet. */
            readonly signature: string;
            /**
             * @description Account that signs: the owner, where no other is named.
             * @example 0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045
             */
            readonly signer: string;
        };
        readonly SignedRelease: {
            /** @description Id of the agent's soulbound certificate, from 1. */
            readonly tokenId?: number;
            /** @description Of `message`, by `signer`. */
            readonly signature: string;
            /**
             * @description The passport's owner.
             * @example 0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045
             */
            readonly signer: string;
            /** @description The message that is signed, as `POST /v1/typed-data/…` returned it. */
            readonly message: components["schemas"]["ReleaseMessage"];
        };
        readonly SignedReseal: {
            /** @description Id of the agent's soulbound certificate, from 1. */
            readonly tokenId?: number;
            /** @description Hash of the soul after the change, in hex. */
            readonly newSoulHash: string;
            /** @description Kept encrypted, never published. */
            readonly newSoulSalt: string;
            /** @description Root of the Merkle tree over the fields of the new soul, in hex. */
            readonly newSoulMerkleRoot: string;
            /** @description The leaves in index order: all twelve, or the first eleven, as `POST /v1/tools/normalise` returns them. The leaf of `soul.documents` is then computed from `soulDocuments`. */
            readonly merkleLeaves: readonly {
                /** @description Position of the leaf, from 0. */
                readonly index: number;
                /**
                 * @description Field of the soul that the leaf commits to.
                 * @enum {string}
                 */
                readonly field: "identity.name" | "identity.agent_type" | "identity.description" | "soul.purpose" | "soul.personality" | "soul.constraints" | "soul.guidelines" | "capabilities.skills" | "capabilities.tools" | "capabilities.languages" | "capabilities.models" | "soul.documents";
                /** @description Hash of the leaf, in hex. It reveals nothing of the value. */
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
                /**
                 * @description Contract that checks the proof. It must be one that the registry accepts.
                 * @example 0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045
                 */
                readonly verifier: string;
                /** @description What that contract checks, in hex. */
                readonly data: string;
            };
            /** @description Proof of a person by World ID. */
            readonly worldIdProof?: components["schemas"]["WorldIdProof"];
            /** @description Of `message`, by `signer`. */
            readonly signature: string;
            /**
             * @description The passport's owner.
             * @example 0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045
             */
            readonly signer: string;
            /** @description The message that is signed, as `POST /v1/typed-data/…` returned it. */
            readonly message: components["schemas"]["ResealMessage"];
        };
        readonly SignedSeal: {
            /** @description Id of the agent's soulbound certificate, from 1. */
            readonly tokenId: number;
            /** @description That the owner is a person, for an adapter that the human verifier registry has approved, in the adapter's own encoding. */
            readonly humanProof?: {
                /**
                 * @description Contract that checks the proof. It must be one that the registry accepts.
                 * @example 0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045
                 */
                readonly verifier: string;
                /** @description What that contract checks, in hex. */
                readonly data: string;
            };
            /** @description Proof of a person by World ID. */
            readonly worldIdProof?: components["schemas"]["WorldIdProof"];
            /** @description Of `message`, by `signer`. */
            readonly signature: string;
            /**
             * @description The passport's owner.
             * @example 0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045
             */
            readonly signer: string;
            /** @description The message that is signed, as `POST /v1/typed-data/…` returned it. */
            readonly message: components["schemas"]["SealMessage"];
        };
        readonly SignedSuspend: {
            /** @description Id of the agent's soulbound certificate, from 1. */
            readonly tokenId: number;
            /** @description Of `message`, by `signer`. */
            readonly signature: string;
            /**
             * @description The passport's owner.
             * @example 0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045
             */
            readonly signer: string;
            /** @description The message that is signed, as `POST /v1/typed-data/…` returned it. */
            readonly message: components["schemas"]["SuspendMessage"];
        };
        readonly SignedValidation: {
            /** @description Id of the agent's soulbound certificate, from 1. */
            readonly tokenId?: number;
            /** @description The message that is signed, as `POST /v1/typed-data/…` returned it. */
            readonly message?: components["schemas"]["ValidateAgentMessage"];
            /** @description Of `message`, by `signer`. */
            readonly signature?: string;
            /**
             * @description The passport's owner.
             * @example 0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045
             */
            readonly signer?: string;
        };
        readonly Snapshot: {
            /** @description Id of the agent's soulbound certificate, from 1. */
            readonly tokenId: number;
            /** @description Id of the agent's ERC-8004 passport. 0 is a real id. */
            readonly erc8004AgentId: number;
            /** @description Id of the requested snapshot. */
            readonly snapshotId: string;
            /**
             * @description Always `computing`: the score appears when it is on chain.
             * @enum {string}
             */
            readonly status: "computing";
            /**
             * Format: date-time
             * @description When the score is expected on chain. It is an estimate.
             * @example 2026-01-31T12:00:00.000Z
             */
            readonly estimatedCompletion: string;
        };
        readonly SnapshotRequest: {
            /** @description Id of the agent's soulbound certificate, from 1. */
            readonly tokenId: number;
        };
        readonly SoulDocuments: {
            /** @description Name of the agent: 3 to 32 characters, lower case, unique for ever. */
            readonly agentName: string;
            /** @description Id of the agent's soulbound certificate, from 1. */
            readonly tokenId: number;
            /** @description Id of the agent's ERC-8004 passport. 0 is a real id. */
            readonly erc8004AgentId: number;
            /** @description Documents of the soul, each in its latest version. */
            readonly documents: readonly {
                /** @description Id of the document. */
                readonly id: string;
                /** @description What kind of document it is, in the owner's words. */
                readonly type: string;
                /** @description Title of the document. */
                readonly title: string;
                /** @description Format of the content. */
                readonly format: string;
                /** @description Whether the owner declared that the document never changes. */
                readonly immutable: boolean;
                /** @description An immutable version was replaced. Stays true for ever. */
                readonly immutabilityBroken: boolean;
                /** @description Version of the document, from 1. */
                readonly version: number;
                /** @description SHA-256 of the content, in hex. */
                readonly contentHash: string;
                /** @description Null before the upload. */
                readonly arweaveTxId: string | null;
                /** @description Where the stored content can be read. Null while it is not stored. */
                readonly arweaveUrl: string | null;
                /**
                 * Format: date-time
                 * @description When the content was stored. Null while it is not stored.
                 * @example 2026-01-31T12:00:00.000Z
                 */
                readonly uploadedAt: string | null;
                /** @description Former versions, the latest first. */
                readonly previousVersions: readonly {
                    /** @description Version of the document, from 1. */
                    readonly version: number;
                    /** @description SHA-256 of the content, in hex. */
                    readonly contentHash: string;
                    /** @description Null before the upload. */
                    readonly arweaveTxId: string | null;
                    /** @description Where the stored content can be read. Null while it is not stored. */
                    readonly arweaveUrl: string | null;
                    /**
                     * Format: date-time
                     * @description When the content was stored. Null while it is not stored.
                     * @example 2026-01-31T12:00:00.000Z
                     */
                    readonly uploadedAt: string | null;
                    /** @description Whether this version replaced one that was declared immutable. */
                    readonly breaksImmutability: boolean;
                }[];
                /** @description How the document follows from the sealed soul. */
                readonly merkleVerification: {
                    /** @description Index of the leaf `soul.documents` in the Merkle tree. */
                    readonly leafIndex: number;
                    /** @description Whether the leaf on chain commits to this document. */
                    readonly inMerkleTree: boolean;
                    /** @description The same in words. */
                    readonly note: string;
                };
            }[];
        };
        readonly SoulValidity: {
            /** @description Id of the agent's soulbound certificate, from 1. */
            readonly tokenId: number;
            /** @description Id of the agent's ERC-8004 passport. 0 is a real id. */
            readonly erc8004AgentId: number;
            /** @description Whether the account that sealed the soul owns the passport now. */
            readonly valid: boolean;
            /** @description Null before the seal. */
            readonly sealedBy: string | null;
            /** @description Account that owns the passport now. Null when it cannot be read. */
            readonly currentPassportOwner: string | null;
            /**
             * Format: date-time
             * @description When the current seal was made. Null before the seal.
             * @example 2026-01-31T12:00:00.000Z
             */
            readonly sealTimestamp: string | null;
            /** @description Why it is not valid. */
            readonly message?: string;
        };
        readonly StoppedAgent: {
            /** @description Id of the agent's soulbound certificate, from 1. */
            readonly tokenId: number;
            /** @description Id of the agent's ERC-8004 passport. 0 is a real id. */
            readonly erc8004AgentId: number;
            /** @description Name of the agent: 3 to 32 characters, lower case, unique for ever. */
            readonly agentName: string;
            /**
             * Format: date-time
             * @description When the agent was stopped.
             * @example 2026-01-31T12:00:00.000Z
             */
            readonly stoppedAt: string;
            /** @description What ended together with it. */
            readonly ended: {
                /** @description Keys that worked, in a grace period too. */
                readonly apiKeys: number;
                /** @description Sign-ins with the agent's passport, and owner sessions that managed all agents of the account. */
                readonly sessions: number;
                /** @description How many webhooks. */
                readonly webhooks: number;
            };
            /** @description What became of the agent's allowance. */
            readonly allowance: {
                /**
                 * @description `signature_required`: the agent can still pay. The vault ends an allowance only for the owner's signature: sign `typedData`, and send it with `DELETE /v1/allowance/{tokenId}`.
                 * @enum {string}
                 */
                readonly status: "none" | "ended" | "signature_required";
                /**
                 * Format: date-time
                 * @description When the allowance ended. Null when none ended.
                 * @example 2026-01-31T12:00:00.000Z
                 */
                readonly deactivatedAt: string | null;
                /** @description Hash of the transaction that recorded it. Null when none ended. */
                readonly txHash: string | null;
                /** @description Null while the chain does not answer: `POST /v1/typed-data/allowance-end` returns it later. */
                readonly typedData: components["schemas"]["TypedData"] | null;
            };
        };
        readonly StoredAlignment: components["schemas"]["Alignment"] & {
            /** @description The last snapshot that was asked for or scheduled. Null before the first. */
            readonly snapshot: {
                /** @description Id of the requested snapshot. */
                readonly snapshotId: string;
                /**
                 * @description `computing`: it waits for a block that is deep enough. `recording`: it is archived. `recorded`: its score is on chain. `dropped`: no score came of it.
                 * @enum {string}
                 */
                readonly status: "computing" | "recording" | "recorded" | "dropped";
                /**
                 * Format: date-time
                 * @description When it was asked for or scheduled.
                 * @example 2026-01-31T12:00:00.000Z
                 */
                readonly openedAt: string;
                /** @description Why it was dropped. Null unless it was. */
                readonly reason: string | null;
            } | null;
        };
        readonly Suspend: {
            /** @description Id of the agent's soulbound certificate, from 1. */
            readonly tokenId: number;
        };
        readonly SuspendMessage: {
            /** @description Id of the agent's soulbound certificate, as a decimal string. */
            readonly tokenId: string;
            /** @description Counts the seals of the soul, from 1. A reseal by a new owner begins the next. */
            readonly epoch: number;
            /** @description Counts the changes of the same kind. It makes an older signature useless. */
            readonly version: number;
            /** @description Nonce of the signer, as a decimal string. Each can be used once. */
            readonly nonce: string;
            /** @description Until when the signature can be used, in Unix seconds as a decimal string. */
            readonly deadline: string;
        };
        readonly SuspendedAgent: {
            /** @description Id of the agent's soulbound certificate, from 1. */
            readonly tokenId: number;
            /** @description Id of the agent's ERC-8004 passport. 0 is a real id. */
            readonly erc8004AgentId: number;
            /** @description Name of the agent: 3 to 32 characters, lower case, unique for ever. */
            readonly agentName: string;
            /**
             * @description Always `suspended`, until a reseal or a release.
             * @enum {string}
             */
            readonly status: "suspended";
            /** @description Transaction that set the mark. */
            readonly suspendTxHash: string;
            /** @description What follows, in a sentence. */
            readonly note: string;
        };
        /** @description EIP-712 data, signed as it is by `eth_signTypedData_v4` and viem. ethers wants `types` without `EIP712Domain`. */
        readonly TypedData: {
            /** @description EIP-712 domain of the contract that checks the signature. */
            readonly domain: {
                /** @description Name of the domain. */
                readonly name: string;
                /** @description Version of the domain. */
                readonly version: string;
                /** @description EIP-155 id of the chain. */
                readonly chainId: number;
                /** @description Contract that checks the signature. */
                readonly verifyingContract: string;
            };
            /** @description EIP-712 types of the message and of the domain. */
            readonly types: {
                readonly [key: string]: readonly {
                    /** @description Name of the member. */
                    readonly name: string;
                    /** @description Solidity type of the member. */
                    readonly type: string;
                }[];
            };
            /** @description EIP-712 type of the message. */
            readonly primaryType: string;
            /** @description The message to sign. Return it unchanged beside the signature. */
            readonly message: {
                /** @description Nonce of the signer, as a decimal string. Each can be used once. */
                readonly nonce: string;
                /** @description Until when the signature can be used, in Unix seconds as a decimal string. */
                readonly deadline: string;
            } & {
                readonly [key: string]: unknown;
            };
        };
        /** @description Points the passport at that file; null when it points there. */
        readonly UnsignedTransaction: {
            /** @description EIP-155 id of the chain. */
            readonly chainId: number;
            /** @description Contract that the transaction is sent to. */
            readonly to: string;
            /** @description Call data, in hex. */
            readonly data: string;
            /**
             * @description Native currency to send with it, in wei: always `0`.
             * @enum {string}
             */
            readonly value: "0";
        } | null;
        readonly UpdatedBinding: {
            /** @description Id of the binding: 32 bytes in hex, from both token ids. */
            readonly bindingId: string;
            /** @description Name of the agent that trusts. */
            readonly fromAgent: string;
            /** @description Name of the agent that is trusted. */
            readonly toAgent: string;
            /** @description Certificate id of the agent that trusts. */
            readonly fromTokenId: number;
            /** @description Certificate id of the agent that is trusted. */
            readonly toTokenId: number;
            /**
             * @description How far the first agent trusts the second. `revoked` ends the binding.
             * @example verified
             * @enum {string}
             */
            readonly trustLevel: "trusted" | "verified" | "limited" | "revoked";
            /** @description What for, in words. Untrusted text. */
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
            /** @description Hash of the transaction that recorded it. */
            readonly txHash: string;
            /**
             * @description Level before this change. Null when they were not bound.
             * @example verified
             * @enum {string|null}
             */
            readonly previousTrustLevel: "trusted" | "verified" | "limited" | "revoked" | null;
            /**
             * Format: date-time
             * @description When it was created.
             * @example 2026-01-31T12:00:00.000Z
             */
            readonly createdAt: string;
            /**
             * Format: date-time
             * @description When it was last changed.
             * @example 2026-01-31T12:00:00.000Z
             */
            readonly updatedAt: string;
        };
        readonly UpdatedIdentity: {
            /** @description Id of the agent's soulbound certificate, from 1. */
            readonly tokenId: number;
            /** @description Id of the agent's ERC-8004 passport. 0 is a real id. */
            readonly erc8004AgentId: number;
            /** @description Name of the agent: 3 to 32 characters, lower case, unique for ever. */
            readonly agentName: string;
            /** @description What the owner publishes about the agent. Unverified. */
            readonly publicIdentity: components["schemas"]["DeclaredIdentity"];
            /**
             * Format: date-time
             * @description When it was last changed.
             * @example 2026-01-31T12:00:00.000Z
             */
            readonly updatedAt: string;
        };
        readonly UploadedDocument: {
            /** @description Id of the document: letters, digits, `.`, `_` and `-`. */
            readonly documentId: string;
            /** @description Id of the agent's soulbound certificate, from 1. */
            readonly tokenId: number;
            /** @description Version of the document, from 1. */
            readonly version: number;
            /** @description SHA-256 of the content, in hex. */
            readonly contentHash: string;
            /**
             * @description Always true: the content has the declared hash.
             * @enum {boolean}
             */
            readonly hashVerified: true;
            /** @description Id of the content on permanent storage: 43 characters of base64url. */
            readonly arweaveTxId: string;
            /** @description Where the stored content can be read. */
            readonly arweaveUrl: string;
            /** @description Whether the owner declared that the document never changes. */
            readonly immutable: boolean;
            /**
             * Format: date-time
             * @description When the content was stored.
             * @example 2026-01-31T12:00:00.000Z
             */
            readonly uploadedAt: string;
        };
        readonly ValidateAgentMessage: {
            /** @description Id of the agent's soulbound certificate, as a decimal string. */
            readonly tokenId: string;
            /** @description Id of the agent's ERC-8004 passport, as a decimal string. */
            readonly agentId: string;
            /** @description Nonce of the signer, as a decimal string. Each can be used once. */
            readonly nonce: string;
            /** @description Until when the signature can be used, in Unix seconds as a decimal string. */
            readonly deadline: string;
        };
        readonly ValidatedAgent: {
            /** @description Id of the agent's ERC-8004 passport. 0 is a real id. */
            readonly agentId: number;
            /** @description Id of the agent's soulbound certificate, from 1. */
            readonly tokenId: number;
            /** @description Id of the agent's ERC-8004 passport. 0 is a real id. */
            readonly erc8004AgentId: number;
            /** @description Of the request that was answered. */
            readonly requestHash: string;
            /** @description 100: every check passed. 50: every check passed, but the archive did not answer. 0: a check failed, or the verification is suspended. */
            readonly response: 100 | 50 | 0;
            /**
             * @description Always `svc-soul-verified`: tag of the entry in the validation registry.
             * @enum {string}
             */
            readonly tag: "svc-soul-verified";
            /** @description Transaction that recorded the validation. */
            readonly validationTxHash: string;
            /**
             * Format: date-time
             * @description When the validation was recorded.
             */
            readonly validatedAt: string;
        };
        readonly Validation: {
            /** @description Id of the agent's soulbound certificate, from 1. */
            readonly tokenId: number;
        };
        readonly Verification: {
            /** @description Name of the agent: 3 to 32 characters, lower case, unique for ever. */
            readonly agentName: string;
            /** @description Null before claim. */
            readonly tokenId: number | null;
            /** @description Null before claim. */
            readonly erc8004AgentId: number | null;
            /** @description Each thing that was checked. */
            readonly checks: {
                /** @description The hash that is on chain. */
                readonly soulHash: {
                    /**
                     * @description `valid`, `invalid`, or `pending` while it cannot be checked.
                     * @enum {string}
                     */
                    readonly status: "valid" | "invalid" | "pending";
                    /** @description The reason in words. Absent when it is valid. */
                    readonly details: string;
                    /** @description Hash of the transaction that recorded it. Null while it is not on chain. */
                    readonly txHash: string | null;
                };
                /** @description The archive on permanent storage. */
                readonly arweave: {
                    /**
                     * @description `valid`, `invalid`, or `pending` while it cannot be checked.
                     * @enum {string}
                     */
                    readonly status: "valid" | "invalid" | "pending";
                    /** @description The reason in words. Absent when it is valid. */
                    readonly details: string;
                    /** @description Id of the item on permanent storage. Null when the agent has no archive. */
                    readonly txId: string | null;
                };
                /** @description The transaction of the registration. */
                readonly baseTx: {
                    /**
                     * @description `valid`, `invalid`, or `pending` while it cannot be checked.
                     * @enum {string}
                     */
                    readonly status: "valid" | "invalid" | "pending";
                    /** @description The reason in words. Absent when it is valid. */
                    readonly details: string;
                    /** @description Hash of the transaction that recorded it. Null when it was not found. */
                    readonly txHash: string | null;
                    /**
                     * Format: date-time
                     * @description When it happened, or was recorded. Null when it has not happened.
                     * @example 2026-01-31T12:00:00.000Z
                     */
                    readonly timestamp: string | null;
                };
                /** @description The seal. */
                readonly sealed: {
                    /**
                     * @description `sealed`, or `provisional` before the seal.
                     * @enum {string}
                     */
                    readonly status: "sealed" | "provisional";
                    /**
                     * Format: date-time
                     * @description When the soul was sealed. Null when it has not happened.
                     * @example 2026-01-31T12:00:00.000Z
                     */
                    readonly timestamp: string | null;
                };
                /** @description Whether the seal is valid now. */
                readonly soulValidity: {
                    /**
                     * @description `valid`; `suspended` while another account than the sealer owns the passport; `not_linked` without a seal.
                     * @enum {string}
                     */
                    readonly status: "valid" | "suspended" | "not_linked";
                    /** @description Why the seal is not valid. Absent while it is. */
                    readonly reason: string;
                };
                /** @description What the passport says of the soul. */
                readonly passport: {
                    /**
                     * @description `valid`, `invalid`, or `pending` while it cannot be checked.
                     * @enum {string}
                     */
                    readonly status: "valid" | "invalid" | "pending";
                    /** @description The reason in words. Absent when it is valid. */
                    readonly details: string;
                    /** @description Metadata of the passport that does not say what the soul is now. */
                    readonly pendingMetadata: readonly components["schemas"]["PendingPassportMetadata"][];
                    /** @description The owner sends it before: it lets the passport writer write to the passport. Null when nothing needs it. */
                    readonly approvalTransaction: components["schemas"]["OwnerTransaction"] | null;
                    /** @description True when the passport points at a file that does not describe the current soul: `POST /v1/agent-uri/update` writes one and returns the owner's transaction. */
                    readonly needsAgentUriUpdate: boolean;
                };
            };
            /**
             * @description `verified`: everything is valid. `partial`: something is pending. `failed`.
             * @enum {string}
             */
            readonly overallStatus: "verified" | "partial" | "failed";
            /** @description The soul that sealed this soul hash or Merkle root first, also when it is burned by now. Null when no other soul did. A soul with a `duplicateOf` may be a copy: its owner may never have known the private text. */
            readonly duplicateOf: {
                /** @description Id of the agent's soulbound certificate, from 1. */
                readonly tokenId: number;
                /** @description Name of the agent: 3 to 32 characters, lower case, unique for ever. */
                readonly agentName: string;
                /**
                 * @description `PROVISIONAL`: not sealed yet. `SEALED`: its soul is sealed on chain. `BURNED`: it has ended.
                 * @enum {string}
                 */
                readonly genesisStatus: "SEALED" | "PROVISIONAL" | "BURNED";
                /**
                 * Format: date-time
                 * @description When it had the hash or root first.
                 * @example 2026-01-31T12:00:00.000Z
                 */
                readonly sealedAt: string;
            } | null;
        };
        readonly VerifiedOrganizationAudit: {
            /**
             * Format: uuid
             * @description Id of the organization's audit.
             */
            readonly orgAuditId: string;
            /** @description Id of the organization. */
            readonly organizationId: number;
            /**
             * @deprecated
             * @description Former name of `organizationId`: on `/fleet` paths only.
             */
            readonly fleetId?: number;
            /** @description How many agents were audited. */
            readonly agentCount: number;
            /** @description How many of them were verified. */
            readonly verifiedCount: number;
            /** @description The result of each, in the order of the request. */
            readonly results: readonly {
                /** @description Id of the agent's soulbound certificate, from 1. */
                readonly tokenId: number;
                /** @description Name of the agent: 3 to 32 characters, lower case, unique for ever. */
                readonly agentName: string;
                /**
                 * @description Whether the uploaded soul is the one that is sealed.
                 * @enum {string}
                 */
                readonly status: "verified" | "not_verified";
                /**
                 * @description `file_missing`: the upload had no file of this agent. `salt_missing`: it had no salt, and the service's own serves only agents of the signer. Null for an agent that was checked.
                 * @enum {string|null}
                 */
                readonly reason: "file_missing" | "salt_missing" | null;
                /** @description Whether the uploaded soul is the one that is sealed. Null for an agent that was not checked. */
                readonly verification: components["schemas"]["AuditVerification"] | null;
                /** @description How many chronicle records are proven. Null for an agent that was not checked. */
                readonly chronicles: components["schemas"]["AuditedChronicles"] | null;
            }[];
            /** @description What the audit is about, in words. */
            readonly scope: string;
            /** @description Whether the regulator's registered endpoint took the package. It is tried once. */
            readonly auditPackageDelivered: boolean;
            /** @description Origin of that endpoint; null when none took it. */
            readonly deliveredTo: string | null;
            /** @description Account that signed the audit's request. */
            readonly signedBy: string;
            /** @description Everything was read from the chain at this block. */
            readonly block: number;
            /**
             * Format: date-time
             * @description When it was issued.
             * @example 2026-01-31T12:00:00.000Z
             */
            readonly issuedAt: string;
            /**
             * Format: date-time
             * @description Until when it is valid. Null for never.
             * @example 2026-01-31T12:00:00.000Z
             */
            readonly expiresAt: string | null;
            /** @description The audit's record on permanent storage: metadata and results. Null while storage does not answer: it is archived later. */
            readonly arweaveAuditTxId: string | null;
            /** @description What happened with the files. */
            readonly ccsf_handling: string;
            /** @description What the regulator gets. */
            readonly package: components["schemas"]["AuditPackage"];
        };
        readonly VerifiedRegulatoryAudit: {
            /**
             * Format: uuid
             * @description Id of the audit.
             */
            readonly auditId: string;
            /** @description Id of the agent's soulbound certificate, from 1. */
            readonly tokenId: number;
            /** @description Name of the agent: 3 to 32 characters, lower case, unique for ever. */
            readonly agentName: string;
            /** @description Whether the uploaded soul is the one that is sealed. */
            readonly verification: components["schemas"]["AuditVerification"];
            /** @description How many chronicle records are proven. */
            readonly chronicles: components["schemas"]["AuditedChronicles"];
            /** @description What the audit is about, in words. */
            readonly scope: string;
            /** @description Whether the regulator's registered endpoint took the package. It is tried once. */
            readonly auditPackageDelivered: boolean;
            /** @description Origin of that endpoint; null when none took it. */
            readonly deliveredTo: string | null;
            /** @description Account that signed the audit's request. */
            readonly signedBy: string;
            /** @description Everything was read from the chain at this block. */
            readonly block: number;
            /**
             * Format: date-time
             * @description When it was issued.
             * @example 2026-01-31T12:00:00.000Z
             */
            readonly issuedAt: string;
            /**
             * Format: date-time
             * @description Until when it is valid. Null for never.
             * @example 2026-01-31T12:00:00.000Z
             */
            readonly expiresAt: string | null;
            /** @description The audit's record on permanent storage: metadata and results. Null while storage does not answer: it is archived later. */
            readonly arweaveAuditTxId: string | null;
            /** @description What happened with the files. */
            readonly ccsf_handling: string;
            /** @description What the regulator gets. */
            readonly package: components["schemas"]["AuditPackage"];
        };
        readonly WaitingDisclosureRequests: {
            /** @description Id of the agent's soulbound certificate, from 1. */
            readonly tokenId: number;
            /** @description Id of the agent's ERC-8004 passport. 0 is a real id. */
            readonly erc8004AgentId: number;
            /** @description Requests on all pages. */
            readonly totalRequests: number;
            /** @description Requests of this page. */
            readonly requests: readonly {
                /**
                 * Format: uuid
                 * @description Id of the disclosure request.
                 */
                readonly requestId: string;
                /** @description The agent that asks. */
                readonly requester: {
                    /** @description Id of the agent's soulbound certificate, from 1. */
                    readonly tokenId: number;
                    /** @description Name of the agent: 3 to 32 characters, lower case, unique for ever. */
                    readonly agentName: string;
                    /** @description DID of the agent, of method `did:svc`. */
                    readonly did: string;
                };
                /** @description Those that the owner decides about. */
                readonly requestedFields: readonly ("identity.name" | "identity.agent_type" | "identity.description" | "soul.purpose" | "soul.personality" | "soul.constraints" | "soul.guidelines" | "capabilities.skills" | "capabilities.tools" | "capabilities.languages" | "capabilities.models" | "soul.documents")[];
                /** @description The requester's own words: untrusted text. */
                readonly reason: string;
                /**
                 * Format: date-time
                 * @description When it was created.
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
            /** @description Send it as `cursor` for the next page. Null on the last page. */
            readonly nextCursor: string | null;
        };
        readonly Webhook: {
            /**
             * Format: uuid
             * @description Id of the webhook.
             */
            readonly webhookId: string;
            /** @description Id of the agent's soulbound certificate, from 1. Null before the claim. */
            readonly tokenId: number | null;
            /** @description Where events are sent. */
            readonly url: string;
            /** @description Events that are sent. */
            readonly events: readonly ("owner.claimed" | "binding.created" | "binding.revoked" | "alignment.changed" | "freshness.requested" | "chronicle.recorded" | "embodiment.updated" | "passport.transferred" | "soul.resealed" | "soul.burned" | "disclosure.requested" | "disclosure.fulfilled" | "disclosure.expired" | "disclosure.revoked" | "audit.requested" | "webhook.failing" | "webhook.disabled")[];
            /** @description Where the service writes when the webhook fails. Null for no mail. */
            readonly notifyEmail: string | null;
            /** @description Whether notices are sent to `notifyEmail`: its holder has confirmed it. */
            readonly notifyEmailConfirmed: boolean;
            /** @description Whether events are sent. */
            readonly enabled: boolean;
            /**
             * @description Who disabled it: its `owner`, or the service after `failures`. Null while it is enabled.
             * @enum {string|null}
             */
            readonly disabledReason: "owner" | "failures" | null;
            /**
             * Format: date-time
             * @description When it was disabled. Null while it is enabled.
             * @example 2026-01-31T12:00:00.000Z
             */
            readonly disabledAt: string | null;
            /**
             * Format: date-time
             * @description When it was created.
             * @example 2026-01-31T12:00:00.000Z
             */
            readonly createdAt: string;
        };
        readonly WebhookDelivery: {
            /**
             * Format: uuid
             * @description Id of the delivery: the same over all its tries.
             */
            readonly deliveryId: string;
            /**
             * @description Name of the event.
             * @enum {string}
             */
            readonly event: "owner.claimed" | "binding.created" | "binding.revoked" | "alignment.changed" | "freshness.requested" | "chronicle.recorded" | "embodiment.updated" | "passport.transferred" | "soul.resealed" | "soul.burned" | "disclosure.requested" | "disclosure.fulfilled" | "disclosure.expired" | "disclosure.revoked" | "audit.requested" | "webhook.failing" | "webhook.disabled" | "webhook.test";
            /**
             * @description `paused`: it was pending when the webhook was disabled or the passport moved. `missed`: it happened while the webhook was disabled, or was paused for 7 days: recover sends it. `cancelled`: the webhook ended first, or the passport was away for 7 days.
             * @enum {string}
             */
            readonly status: "pending" | "delivered" | "failed" | "paused" | "missed" | "cancelled";
            /**
             * Format: date-time
             * @description When it was created.
             * @example 2026-01-31T12:00:00.000Z
             */
            readonly createdAt: string;
            /**
             * Format: date-time
             * @description When a try succeeded. Null before.
             * @example 2026-01-31T12:00:00.000Z
             */
            readonly deliveredAt: string | null;
            /**
             * Format: date-time
             * @description When it is tried again. Null when it is not tried again.
             * @example 2026-01-31T12:00:00.000Z
             */
            readonly nextTryAt: string | null;
            /** @description Tries so far, the first first. */
            readonly tries: readonly {
                /** @description Number of the try, from 1. */
                readonly number: number;
                /**
                 * Format: date-time
                 * @description When the try began.
                 * @example 2026-01-31T12:00:00.000Z
                 */
                readonly startedAt: string;
                /** @description How long it took, in milliseconds. */
                readonly durationMs: number;
                /** @description HTTP status of the answer. Null without an answer. */
                readonly statusCode: number | null;
                /**
                 * @description Class of the error. Null when the try succeeded.
                 * @enum {string|null}
                 */
                readonly error: "http_status" | "malformed_url" | "not_https" | "credentials_in_url" | "port_not_allowed" | "host_not_allowed" | "address_not_public" | "unresolvable" | "redirect" | "too_large" | "timeout" | "tls" | "connection" | "protocol" | null;
            }[];
        };
        /** @description World ID 3.0, orb. Its action and signal are those of the registration: see docs/registration.md. */
        readonly WorldIdProof: {
            /** @description Decimal digits, hex with 0x, or a JSON integer of any size. */
            readonly merkle_root: string;
            /** @description Decimal digits, hex with 0x, or a JSON integer of any size. */
            readonly nullifier_hash: string;
            /** @description The eight numbers of the zero-knowledge proof, each 32 bytes in hex. */
            readonly proof: readonly string[];
        };
    };
    responses: never;
    parameters: never;
    requestBodies: never;
    headers: {
        /** @description Id of the request: the caller's own, or a new one. Errors repeat it. */
        readonly "X-Request-Id": string;
        /** @description Requests in the window that has the fewest left. */
        readonly "X-RateLimit-Limit": number;
        /** @description Requests that are left in this window. */
        readonly "X-RateLimit-Remaining": number;
        /** @description When this window ends, in Unix seconds. */
        readonly "X-RateLimit-Reset": number;
        /** @description Seconds until the same request may succeed. Absent where waiting does not help. */
        readonly "Retry-After": number;
        /** @description How long a cache may use the answer. `no-store` while the index is behind. */
        readonly "Cache-Control": string;
        /** @description Names this version of the answer. Send it as `If-None-Match`. */
        readonly ETag: string;
        /** @description `true` when the answer repeats that of an earlier request with the same key. */
        readonly "Idempotency-Replayed": "true";
        /** @description Last block whose events the answer reflects. Absent where nothing is indexed. */
        readonly "X-Svc-Block": string;
        /** @description How many blocks the index is behind, or `unknown`. Only while it is further behind than the service allows. */
        readonly "X-Svc-Index-Lag": string;
        /** @description Names this write. Send it with later reads: they then show this write, also where a replica of the database answers. Positions compare as text, and the greatest is the last. Absent where the service has no replica. */
        readonly "X-Svc-Position": string;
        /** @description When this path became deprecated, as `@` and Unix seconds (RFC 9745). */
        readonly Deprecation: string;
        /** @description When this path stops working, as an HTTP date (RFC 8594). */
        readonly Sunset: string;
    };
    pathItems: never;
}

export interface operations {
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
                        /** @description Issuer of the tokens: this service. */
                        readonly issuer: string;
                        /** @description Where tokens are checked (RFC 7662). */
                        readonly introspection_endpoint: string;
                        /** @description How callers authenticate there: `none`. */
                        readonly introspection_endpoint_auth_methods_supported: readonly "none"[];
                        /** @description Where tokens are revoked (RFC 7009). */
                        readonly revocation_endpoint: string;
                        /** @description How callers authenticate there: `none`. */
                        readonly revocation_endpoint_auth_methods_supported: readonly "none"[];
                        /** @description Scopes that a token can have. */
                        readonly scopes_supported: readonly ("identity" | "profile" | "soul" | "chronicles" | "certs" | "services" | "human_verified" | "did" | "manage")[];
                        /** @description OAuth response types. None: the flow is the service's own. */
                        readonly response_types_supported: readonly string[];
                        /** @description OAuth grant types. None: the flow is the service's own. */
                        readonly grant_types_supported: readonly string[];
                    };
                };
            };
        };
    };
    readonly getStaticRegistrationFile: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /**
                 * @description The agent's name, or its token id.
                 * @example heron-711139878501568c
                 */
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
                        /** @description Type of the file, as ERC-8004 names it. */
                        readonly type?: string;
                    } & {
                        readonly [key: string]: unknown;
                    };
                };
            };
        };
    };
    readonly accountSignInChallenge: {
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
                     * @description Account that signs in.
                     * @example 0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045
                     */
                    readonly address: string;
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
    readonly accountSignInVerify: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": {
                    /** @description Nonce of the signer, as a decimal string. Each can be used once. */
                    readonly nonce: string;
                    /** @description Text that was signed: the one of the challenge. */
                    readonly message: string;
                    /** @description Signature of `message` by the account. */
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
                    readonly "application/json": components["schemas"]["ConsoleSession"];
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
                    /** @description Id of the agent's ERC-8004 passport. 0 is a real id. */
                    readonly agentId: number;
                    /**
                     * @description Account of the agent that signs in.
                     * @example 0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045
                     */
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
                    /** @description Nonce of the signer, as a decimal string. Each can be used once. */
                    readonly nonce: string;
                    /** @description Text that was signed: the one of the challenge. */
                    readonly message: string;
                    /** @description Signature of `message` by the agent's account. */
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
                    /**
                     * @description Account that signs in.
                     * @example 0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045
                     */
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
                    /** @description Single-use code, which `POST /api/v1/auth/token` exchanges for a token. */
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
                    /** @description The access token. */
                    readonly token: string;
                } & {
                    readonly [key: string]: unknown;
                };
                readonly "application/x-www-form-urlencoded": {
                    /** @description The access token. */
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
                    /** @description The access token. */
                    readonly token: string;
                } & {
                    readonly [key: string]: unknown;
                };
                readonly "application/x-www-form-urlencoded": {
                    /** @description The access token. */
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
                    /** @description Nonce of the signer, as a decimal string. Each can be used once. */
                    readonly nonce: string;
                    /** @description Text that was signed: an ERC-4361 message with the challenge's nonce. */
                    readonly message: string;
                    /** @description Signature of `message` by the wallet. */
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
                        /** @description Single-use code, which `POST /api/v1/auth/token` exchanges for a token. */
                        readonly code: string;
                        /**
                         * Format: date-time
                         * @description Until when the code can be exchanged.
                         * @example 2026-01-31T12:00:00.000Z
                         */
                        readonly expiresAt: string;
                    };
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
                    /** @description The API key to check. */
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
    readonly getRegistrationStatus: {
        readonly parameters: {
            readonly query: {
                /**
                 * @description Id of the registration, as the agent's registration returned it.
                 * @example q-H4IH8HKOgWJn1ciD6aGA
                 */
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
    readonly getArchivedContent: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /**
                 * @description Id of the content on permanent storage: 43 characters of base64url.
                 * @example lwRS2J1gTHjQr3Yodd5Ba9Inc9V1hiHxaq9AuZD7pqI
                 */
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
                /**
                 * @description Id of the content on permanent storage: 43 characters of base64url.
                 * @example lwRS2J1gTHjQr3Yodd5Ba9Inc9V1hiHxaq9AuZD7pqI
                 */
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
                        /**
                         * @description Always `ok`: the process answers.
                         * @enum {string}
                         */
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
    readonly listAgents: {
        readonly parameters: {
            readonly query?: {
                /**
                 * @description Who owns the passport now.
                 * @example 0x8f41A8eA5f5Dc177C6Cf29192Be473145C10e50c
                 */
                readonly owner?: string;
                /** @description Who acts for the agent: its own account, or its owner when it has none. */
                readonly operator?: string;
                /** @description The passport. Souls that were burned on it are found too. */
                readonly erc8004AgentId?: number;
                /** @description Members, while their seals are valid. */
                readonly organizationId?: number;
                /** @description The beginning of a name, a DID, an account that owns or operates, or digits: a token id and a passport's id, both are found. No wildcards. */
                readonly q?: string;
                /**
                 * @description Only agents of this kind.
                 * @example specialist
                 */
                readonly type?: "assistant" | "companion" | "specialist" | "creative" | "other";
                /**
                 * @description Of the seal, as `soulValidity`.
                 * @example valid
                 */
                readonly validity?: "valid" | "suspended" | "not_linked";
                /**
                 * @description What the agent's public identity says.
                 * @example commerce
                 */
                readonly category?: "technology" | "commerce" | "knowledge" | "wellness" | "creation" | "communication" | "entertainment" | "relationship" | "other";
                /** @description `registered`: oldest first; `newest`: youngest first; `name`. */
                readonly sort?: "registered" | "newest" | "name";
                /** @description `nextCursor` of the page before, in the same order. */
                readonly cursor?: string;
                /** @description Largest number of entries of a page. */
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
    readonly getAgentKeySet: {
        readonly parameters: {
            readonly query?: {
                /** @description Wait until this block is indexed, a bounded time; then 503. A block that the chain does not have yet is refused. */
                readonly minBlock?: string;
            };
            readonly header?: never;
            readonly path: {
                /**
                 * @description The agent's name, or its token id.
                 * @example heron-63e234e5ca63cf90
                 */
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
                /**
                 * @description The agent's name, or its token id.
                 * @example heron-63e234e5ca63cf90
                 */
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
    readonly getStoredAlignment: {
        readonly parameters: {
            readonly query?: {
                /** @description Name of the agent: 3 to 32 characters, lower case, unique for ever. */
                readonly agentName?: string;
                /**
                 * @description Id of the agent's soulbound certificate, from 1.
                 * @example 1
                 */
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
                    readonly "application/json": components["schemas"]["StoredAlignment"];
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
                /**
                 * @description Wait until this block is indexed, a bounded time; then 503. A block that the chain does not have yet is refused.
                 * @example 30
                 */
                readonly minBlock?: string;
            };
            readonly header?: never;
            readonly path: {
                /**
                 * @description The agent's name, or its token id.
                 * @example heron-fd76e05194025c74
                 */
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
    readonly getAllowance: {
        readonly parameters: {
            readonly query?: {
                /** @description Wait until this block is indexed, a bounded time; then 503. A block that the chain does not have yet is refused. */
                readonly minBlock?: string;
            };
            readonly header?: never;
            readonly path: {
                /**
                 * @description Id of the agent's soulbound certificate, from 1.
                 * @example 1
                 */
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
                /**
                 * @description Id of the agent's soulbound certificate, from 1.
                 * @example 2
                 */
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
                /**
                 * @description Id of the agent's soulbound certificate, from 1.
                 * @example 11
                 */
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
                /** @description The owner's signature with its message and signer, as base64url of JSON: the same object that a body would hold. */
                readonly "x-svc-owner-signature"?: string;
            };
            readonly path: {
                /**
                 * @description Id of the agent's soulbound certificate, from 1.
                 * @example 5
                 */
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
                /**
                 * @description Base units of the stablecoin.
                 * @example 1500000
                 */
                readonly amount: number;
                /** @description Wait until this block is indexed, a bounded time; then 503. A block that the chain does not have yet is refused. */
                readonly minBlock?: string;
            };
            readonly header?: never;
            readonly path: {
                /**
                 * @description Id of the agent's soulbound certificate, from 1.
                 * @example 25
                 */
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
                /**
                 * @description Largest number of entries of a page.
                 * @example 3
                 */
                readonly limit?: number;
                /** @description How many entries are skipped. Not together with a cursor. */
                readonly offset?: number;
                /** @description `nextCursor` of the page before, in the same order. Pages stay right while entries are added. */
                readonly cursor?: string;
                /** @description Only payments at this time or later. */
                readonly since?: string;
                /** @description Wait until this block is indexed, a bounded time; then 503. A block that the chain does not have yet is refused. */
                readonly minBlock?: string;
            };
            readonly header?: never;
            readonly path: {
                /**
                 * @description Id of the agent's soulbound certificate, from 1.
                 * @example 30
                 */
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
                /**
                 * @description keccak256 of the two token ids, each as 32 bytes.
                 * @example 0xa7676bc4c16417857407e12f5257b47633e355b89aeaac89611445f2611a7481
                 */
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
    readonly getBindingHistory: {
        readonly parameters: {
            readonly query?: {
                /** @description The number of the page, from 1. Not together with a cursor. */
                readonly page?: number;
                /**
                 * @description Largest number of entries of a page.
                 * @example 2
                 */
                readonly limit?: number;
                /**
                 * @description `nextCursor` of the page before, in the same order. Pages stay right while entries are added.
                 * @example WyJiaW5kaW5nIGNoYW5nZXMiLHsidmVyc2lvbiI6MSwic2VydmljZVZlcnNpb24iOjF9XQ
                 */
                readonly cursor?: string;
                /** @description Wait until this block is indexed, a bounded time; then 503. A block that the chain does not have yet is refused. */
                readonly minBlock?: string;
            };
            readonly header?: never;
            readonly path: {
                /**
                 * @description keccak256 of the two token ids, each as 32 bytes.
                 * @example 0xa78f849342b37e98aa11388aadca213be31e616bd1ef96e653b4569015b0abb4
                 */
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
    readonly listBindings: {
        readonly parameters: {
            readonly query?: {
                /** @description Only this level of trust. */
                readonly trustLevel?: "trusted" | "verified" | "limited" | "revoked";
                /**
                 * @description `outbound`: how far this agent trusts others; `inbound`: how far others trust it.
                 * @example inbound
                 */
                readonly direction?: "inbound" | "outbound" | "both";
                /** @description Whether bindings of epochs that a reseal ended are listed too. */
                readonly includeEnded?: "true" | "false";
                /**
                 * @description The number of the page, from 1. Not together with a cursor.
                 * @example 2
                 */
                readonly page?: number;
                /**
                 * @description Largest number of entries of a page.
                 * @example 2
                 */
                readonly limit?: number;
                /** @description `nextCursor` of the page before, in the same order. Pages stay right while entries are added. */
                readonly cursor?: string;
                /** @description Wait until this block is indexed, a bounded time; then 503. A block that the chain does not have yet is refused. */
                readonly minBlock?: string;
            };
            readonly header?: never;
            readonly path: {
                /**
                 * @description The agent's name, or its token id.
                 * @example heron-fd85942a7b4a8426
                 */
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
    readonly burnAgent: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /** @description Repeating a request with the same key and body within 24 hours repeats its answer instead of its effect. */
                readonly "idempotency-key"?: string;
            };
            readonly path: {
                /**
                 * @description Id of the agent's soulbound certificate, from 1.
                 * @example 1
                 */
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
    readonly getChronicleRequest: {
        readonly parameters: {
            readonly query: {
                /**
                 * @description Id of the request, from the signing page's address.
                 * @example chr_ToJO-UGIVgcewEwoBCB-yg
                 */
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
    readonly listChronicles: {
        readonly parameters: {
            readonly query?: {
                /** @description The number of the page, from 1. Not together with a cursor. */
                readonly page?: number;
                /** @description Largest number of entries of a page. */
                readonly limit?: number;
                /** @description `nextCursor` of the page before, in the same order. Pages stay right while entries are added. */
                readonly cursor?: string;
                /** @description Only this category. */
                readonly category?: "technical" | "certification" | "achievement" | "experience" | "endorsement" | "document" | "other";
                /** @description Only this kind of change. */
                readonly changeType?: string;
                /**
                 * @description Whether each entry says what was recorded, and who stands behind it.
                 * @example true
                 */
                readonly includeDetails?: "true" | "false";
                /** @description Wait until this block is indexed, a bounded time; then 503. A block that the chain does not have yet is refused. */
                readonly minBlock?: string;
            };
            readonly header?: never;
            readonly path: {
                /**
                 * @description The agent's name, or its token id.
                 * @example heron-3ee29a02465812c1
                 */
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
    readonly getChronicleProof: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /**
                 * @description Id of the record in the queue. It names the record in `GET /v1/chronicle/{queueId}/proof`.
                 * @example 1-1-1795417513820
                 */
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
                /**
                 * @description The agent's name or token id, `did:svc:<name>` or `did:svc:<chain id>:<name>`.
                 * @example agent-57
                 */
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
                /**
                 * @description The agent's name or token id, `did:svc:<name>` or `did:svc:<chain id>:<name>`.
                 * @example heron-711139878501568c
                 */
                readonly name: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": {
                    /** @description Id of the agent's soulbound certificate, from 1. */
                    readonly tokenId: number;
                    /** @description Account on another chain that is added. */
                    readonly addAddress?: Record<string, unknown>;
                    /** @description Account on another chain that is removed. */
                    readonly removeAddress?: Record<string, unknown>;
                    /** @description Of `message`, by `signer`. */
                    readonly signature: string;
                    /**
                     * @description The passport's owner.
                     * @example 0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045
                     */
                    readonly signer: string;
                    /** @description The message that is signed, as `POST /v1/typed-data/…` returned it. */
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
    readonly uploadOrganizationAuditLegacy: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /**
                 * @description Id of the organization's audit.
                 * @example 9a6157ac-d11e-4feb-b382-1e10cb1631ed
                 */
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
                    /** @description The souls, one file for each agent. */
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
    readonly listDisclosures: {
        readonly parameters: {
            readonly query?: {
                /**
                 * @description Largest number of entries of a page.
                 * @example 1
                 */
                readonly limit?: number;
                /**
                 * @description How many entries are skipped. Not together with a cursor.
                 * @example 1
                 */
                readonly offset?: number;
                /** @description `nextCursor` of the page before, in the same order. Pages stay right while entries are added. */
                readonly cursor?: string;
                /** @description Only disclosures to this recipient. */
                readonly recipientDid?: string;
                /** @description Only disclosures of this field. */
                readonly field?: "identity.name" | "identity.agent_type" | "identity.description" | "soul.purpose" | "soul.personality" | "soul.constraints" | "soul.guidelines" | "capabilities.skills" | "capabilities.tools" | "capabilities.languages" | "capabilities.models" | "soul.documents";
                /** @description A date or a time: only what was issued since. */
                readonly since?: string;
            };
            readonly header?: never;
            readonly path: {
                /**
                 * @description Id of the agent's soulbound certificate, from 1.
                 * @example 24
                 */
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
    readonly uploadOrganizationAudit: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /**
                 * @description Id of the organization's audit.
                 * @example 9a6157ac-d11e-4feb-b382-1e10cb1631ed
                 */
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
                    /** @description The souls, one file for each agent. */
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
    readonly endDisclosurePolicy: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /** @description Repeating a request with the same key and body within 24 hours repeats its answer instead of its effect. */
                readonly "idempotency-key"?: string;
            };
            readonly path: {
                /**
                 * @description Id of the policy.
                 * @example 75e34878-37d0-4a3d-bd41-1f9722f7f1bf
                 */
                readonly policyId: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": {
                    /** @description Id of the agent's soulbound certificate, from 1. */
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
    readonly listDisclosurePolicies: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /**
                 * @description Id of the agent's soulbound certificate, from 1.
                 * @example 36
                 */
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
    readonly uploadRegulatoryAudit: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /**
                 * @description Id of the audit.
                 * @example 0d4accd9-eb32-4901-a26c-673d2db5183d
                 */
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
                /**
                 * @description Id of the disclosure request.
                 * @example 3964d147-b6cb-4813-8514-65eb43dc6aab
                 */
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
    readonly confirmDisclosureDelivery: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /** @description Repeating a request with the same key and body within 24 hours repeats its answer instead of its effect. */
                readonly "idempotency-key"?: string;
            };
            readonly path: {
                /**
                 * @description Id of the disclosure request.
                 * @example 36aa5ac4-4795-4c92-9915-ab67301f0cca
                 */
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
    readonly fulfilDisclosureRequest: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /**
                 * @description Id of the disclosure request.
                 * @example 3964d147-b6cb-4813-8514-65eb43dc6aab
                 */
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
    readonly listDisclosureRequests: {
        readonly parameters: {
            readonly query?: {
                /**
                 * @description Largest number of entries of a page.
                 * @example 1
                 */
                readonly limit?: number;
                /**
                 * @description How many entries are skipped. Not together with a cursor.
                 * @example 1
                 */
                readonly offset?: number;
                /** @description `nextCursor` of the page before, in the same order. Pages stay right while entries are added. */
                readonly cursor?: string;
            };
            readonly header?: never;
            readonly path: {
                /**
                 * @description Id of the agent's soulbound certificate, from 1.
                 * @example 26
                 */
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
                /**
                 * @description The agent's name, or its token id.
                 * @example heron-93f7eb53ccf3ef61
                 */
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
    readonly getDomainProof: {
        readonly parameters: {
            readonly query?: {
                /** @description Wait until this block is indexed, a bounded time; then 503. A block that the chain does not have yet is refused. */
                readonly minBlock?: string;
            };
            readonly header?: never;
            readonly path: {
                /**
                 * @description The agent's name, or its token id.
                 * @example heron-711139878501568c
                 */
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
    readonly stopAgent: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /** @description Repeating a request with the same key and body within 24 hours repeats its answer instead of its effect. */
                readonly "idempotency-key"?: string;
            };
            readonly path: {
                /**
                 * @description Id of the agent's soulbound certificate, from 1.
                 * @example 41
                 */
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
    readonly getEndpointChecks: {
        readonly parameters: {
            readonly query?: {
                /** @description The last check that began before this time, instead of the newest. */
                readonly before?: string;
                /** @description Wait until this block is indexed, a bounded time; then 503. A block that the chain does not have yet is refused. */
                readonly minBlock?: string;
            };
            readonly header?: never;
            readonly path: {
                /**
                 * @description The agent's name, or its token id.
                 * @example heron-88502a7181dfdb0b
                 */
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
                    readonly "application/json": components["schemas"]["EndpointChecks"];
                };
            };
        };
    };
    readonly requestEndpointCheck: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /**
                 * @description The agent's name, or its token id.
                 * @example heron-88502a7181dfdb0b
                 */
                readonly name: string;
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
                    readonly "application/json": components["schemas"]["EndpointCheckRequested"];
                };
            };
        };
    };
    readonly listEvents: {
        readonly parameters: {
            readonly query?: {
                /**
                 * @description Only events of this agent: its name or token id. Those of its passport count while the passport carried it.
                 * @example heron-19d331f7fce00d8a
                 */
                readonly agent?: string;
                /** @description Only events of this kind. */
                readonly kind?: "soul.registered" | "soul.sealed" | "soul.revised" | "soul.resealed" | "soul.suspended" | "soul.released" | "soul.burned" | "passport.transferred" | "operator.changed" | "did.updated" | "keys.updated" | "binding.changed" | "membership.joined" | "membership.left" | "membership.pruned" | "organization.founded" | "organization.handed-over" | "allowance.set" | "allowance.ended" | "payment.made" | "payment.refused" | "payment.reported" | "feedback.given" | "feedback.revoked" | "feedback.answered" | "validation.requested" | "validation.answered" | "human.proven" | "alignment.scored" | "chronicles.anchored";
                /** @description `nextCursor` of the page before: older events follow. */
                readonly before?: string;
                /** @description `followCursor` of an answer: what came later follows, the oldest first. */
                readonly after?: string;
                /**
                 * @description Largest number of entries of a page.
                 * @example 1
                 */
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
                    readonly "application/json": components["schemas"]["EventPage"];
                };
            };
        };
    };
    readonly followEvents: {
        readonly parameters: {
            readonly query?: {
                /** @description Only events of this agent: its name or token id. Those of its passport count while the passport carried it. */
                readonly agent?: string;
                /** @description Only events of this kind. */
                readonly kind?: "soul.registered" | "soul.sealed" | "soul.revised" | "soul.resealed" | "soul.suspended" | "soul.released" | "soul.burned" | "passport.transferred" | "operator.changed" | "did.updated" | "keys.updated" | "binding.changed" | "membership.joined" | "membership.left" | "membership.pruned" | "organization.founded" | "organization.handed-over" | "allowance.set" | "allowance.ended" | "payment.made" | "payment.refused" | "payment.reported" | "feedback.given" | "feedback.revoked" | "feedback.answered" | "validation.requested" | "validation.answered" | "human.proven" | "alignment.scored" | "chronicles.anchored";
                /** @description `followCursor` of `GET /v1/events`: what came later follows. Without it the stream begins with what becomes final next. */
                readonly after?: string;
            };
            readonly header?: {
                /** @description The `id` of the last event that arrived. Goes before `after`. */
                readonly "last-event-id"?: string;
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
                    readonly "text/event-stream": string;
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
    readonly listChroniclesLegacy: {
        readonly parameters: {
            readonly query?: {
                /** @description The number of the page, from 1. Not together with a cursor. */
                readonly page?: number;
                /** @description Largest number of entries of a page. */
                readonly limit?: number;
                /** @description `nextCursor` of the page before, in the same order. Pages stay right while entries are added. */
                readonly cursor?: string;
                /** @description Only this category. */
                readonly category?: "technical" | "certification" | "achievement" | "experience" | "endorsement" | "document" | "other";
                /** @description Only this kind of change. */
                readonly changeType?: string;
                /**
                 * @description Whether each entry says what was recorded, and who stands behind it.
                 * @example true
                 */
                readonly includeDetails?: "true" | "false";
                /** @description Wait until this block is indexed, a bounded time; then 503. A block that the chain does not have yet is refused. */
                readonly minBlock?: string;
            };
            readonly header?: never;
            readonly path: {
                /**
                 * @description The agent's name, or its token id.
                 * @example heron-3ee29a02465812c1
                 */
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
    readonly listOrganizationsLegacy: {
        readonly parameters: {
            readonly query?: {
                /**
                 * @description Only organizations of this admin.
                 * @example 0x677a68bc6D824318aDa0adEAb299B1c706674673
                 */
                readonly admin?: string;
                /** @description The organization of this agent. */
                readonly tokenId?: number;
                /**
                 * @description The beginning of the name in any case, or an id. No wildcards.
                 * @example 24
                 */
                readonly q?: string;
                /** @description `nextCursor` of the page before. */
                readonly cursor?: number;
                /** @description Largest number of entries of a page. */
                readonly limit?: number;
                /**
                 * @description Wait until this block is indexed, a bounded time; then 503. A block that the chain does not have yet is refused.
                 * @example 376
                 */
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
    readonly listInvitationsLegacy: {
        readonly parameters: {
            readonly query?: {
                /** @description Only this organization's. */
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
    readonly getInvitationLegacy: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /**
                 * @description Id of the invitation.
                 * @example f933bc5e-8d49-4fa1-a56e-e5577d21aa9c
                 */
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
                /** @description The owner's signature with its message and signer, as base64url of JSON: the same object that a body would hold. */
                readonly "x-svc-owner-signature"?: string;
            };
            readonly path: {
                /**
                 * @description Id of the invitation.
                 * @example af0dc19c-7e3b-4ada-aaa5-4619c7edfad7
                 */
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
    readonly getOrganizationLegacy: {
        readonly parameters: {
            readonly query?: {
                /**
                 * @description Largest number of members of a page.
                 * @example 1
                 */
                readonly membersLimit?: number;
                /**
                 * @description How many entries are skipped. Not together with a cursor.
                 * @example 1
                 */
                readonly membersOffset?: number;
                /** @description `nextCursor` of the page before, in the same order. Pages stay right while entries are added. */
                readonly membersCursor?: string;
                /** @description `addedAt`: the first to join first; `agentName`; `soulAlignment`: the highest score first. */
                readonly sortBy?: "addedAt" | "agentName" | "soulAlignment";
                /**
                 * @description Wait until this block is indexed, a bounded time; then 503. A block that the chain does not have yet is refused.
                 * @example 381
                 */
                readonly minBlock?: string;
            };
            readonly header?: never;
            readonly path: {
                /**
                 * @description Id of the organization.
                 * @example 26
                 */
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
    readonly changeOrganizationAdminLegacy: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /** @description Repeating a request with the same key and body within 24 hours repeats its answer instead of its effect. */
                readonly "idempotency-key"?: string;
            };
            readonly path: {
                /**
                 * @description Id of the organization.
                 * @example 20
                 */
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
    readonly acceptOrganizationAdminLegacy: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /** @description Repeating a request with the same key and body within 24 hours repeats its answer instead of its effect. */
                readonly "idempotency-key"?: string;
            };
            readonly path: {
                /**
                 * @description Id of the organization.
                 * @example 6
                 */
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
    readonly registerBatchLegacy: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /** @description Repeating a request with the same key and body within 24 hours repeats its answer instead of its effect. */
                readonly "idempotency-key"?: string;
            };
            readonly path: {
                /**
                 * @description Id of the organization.
                 * @example 4
                 */
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
    readonly addOrganizationMemberLegacy: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /** @description Repeating a request with the same key and body within 24 hours repeats its answer instead of its effect. */
                readonly "idempotency-key"?: string;
            };
            readonly path: {
                /**
                 * @description Id of the organization.
                 * @example 1
                 */
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
    readonly removeOrganizationMemberLegacy: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /** @description Repeating a request with the same key and body within 24 hours repeats its answer instead of its effect. */
                readonly "idempotency-key"?: string;
                /** @description The owner's signature with its message and signer, as base64url of JSON: the same object that a body would hold. */
                readonly "x-svc-owner-signature"?: string;
            };
            readonly path: {
                /**
                 * @description Id of the organization.
                 * @example 1
                 */
                readonly organizationId: number;
                /**
                 * @description Id of the agent's soulbound certificate, from 1.
                 * @example 1
                 */
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
    readonly getOrganizationStatsLegacy: {
        readonly parameters: {
            readonly query?: {
                /**
                 * @description Wait until this block is indexed, a bounded time; then 503. A block that the chain does not have yet is refused.
                 * @example 384
                 */
                readonly minBlock?: string;
            };
            readonly header?: never;
            readonly path: {
                /**
                 * @description Id of the organization.
                 * @example 27
                 */
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
    readonly listKeys: {
        readonly parameters: {
            readonly query: {
                /**
                 * @description Id of the agent's soulbound certificate, from 1.
                 * @example 372
                 */
                readonly tokenId: number;
                /**
                 * @description Largest number of entries of a page.
                 * @example 1
                 */
                readonly limit?: number;
                /**
                 * @description `nextCursor` of the page before, in the same order. Pages stay right while entries are added.
                 * @example ca9942ea-365e-42fa-8bef-9bdcfde0754a
                 */
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
                    /** @description Id of the agent's soulbound certificate, from 1. */
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
    readonly revokeKey: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /**
                 * @description Id of the API key.
                 * @example 3c8c4f22-ae06-4e02-bdad-f41d1fd8c257
                 */
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
    readonly nameAvailable: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /**
                 * @description Name to look up: lower case, or lower-cased by the service.
                 * @example heron-780061eadf2ab763
                 */
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
                        /** @description The name, in lower case. */
                        readonly name: string;
                        /** @description Whether the name can be registered. */
                        readonly available: boolean;
                        /** @description A similar name that can be registered. Absent when the name itself can. */
                        readonly suggestion: string;
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
    readonly listOrganizations: {
        readonly parameters: {
            readonly query?: {
                /**
                 * @description Only organizations of this admin.
                 * @example 0x677a68bc6D824318aDa0adEAb299B1c706674673
                 */
                readonly admin?: string;
                /** @description The organization of this agent. */
                readonly tokenId?: number;
                /**
                 * @description The beginning of the name in any case, or an id. No wildcards.
                 * @example 24
                 */
                readonly q?: string;
                /** @description `nextCursor` of the page before. */
                readonly cursor?: number;
                /** @description Largest number of entries of a page. */
                readonly limit?: number;
                /**
                 * @description Wait until this block is indexed, a bounded time; then 503. A block that the chain does not have yet is refused.
                 * @example 376
                 */
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
    readonly listInvitations: {
        readonly parameters: {
            readonly query?: {
                /** @description Only this organization's. */
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
    readonly getInvitation: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /**
                 * @description Id of the invitation.
                 * @example f933bc5e-8d49-4fa1-a56e-e5577d21aa9c
                 */
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
                /** @description The owner's signature with its message and signer, as base64url of JSON: the same object that a body would hold. */
                readonly "x-svc-owner-signature"?: string;
            };
            readonly path: {
                /**
                 * @description Id of the invitation.
                 * @example af0dc19c-7e3b-4ada-aaa5-4619c7edfad7
                 */
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
    readonly getOrganization: {
        readonly parameters: {
            readonly query?: {
                /**
                 * @description Largest number of members of a page.
                 * @example 1
                 */
                readonly membersLimit?: number;
                /**
                 * @description How many entries are skipped. Not together with a cursor.
                 * @example 1
                 */
                readonly membersOffset?: number;
                /** @description `nextCursor` of the page before, in the same order. Pages stay right while entries are added. */
                readonly membersCursor?: string;
                /** @description `addedAt`: the first to join first; `agentName`; `soulAlignment`: the highest score first. */
                readonly sortBy?: "addedAt" | "agentName" | "soulAlignment";
                /**
                 * @description Wait until this block is indexed, a bounded time; then 503. A block that the chain does not have yet is refused.
                 * @example 381
                 */
                readonly minBlock?: string;
            };
            readonly header?: never;
            readonly path: {
                /**
                 * @description Id of the organization.
                 * @example 26
                 */
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
    readonly changeOrganizationAdmin: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /** @description Repeating a request with the same key and body within 24 hours repeats its answer instead of its effect. */
                readonly "idempotency-key"?: string;
            };
            readonly path: {
                /**
                 * @description Id of the organization.
                 * @example 20
                 */
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
                /**
                 * @description Id of the organization.
                 * @example 6
                 */
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
                /**
                 * @description Id of the organization.
                 * @example 4
                 */
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
    readonly addOrganizationMember: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /** @description Repeating a request with the same key and body within 24 hours repeats its answer instead of its effect. */
                readonly "idempotency-key"?: string;
            };
            readonly path: {
                /**
                 * @description Id of the organization.
                 * @example 1
                 */
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
                /** @description The owner's signature with its message and signer, as base64url of JSON: the same object that a body would hold. */
                readonly "x-svc-owner-signature"?: string;
            };
            readonly path: {
                /**
                 * @description Id of the organization.
                 * @example 1
                 */
                readonly organizationId: number;
                /**
                 * @description Id of the agent's soulbound certificate, from 1.
                 * @example 1
                 */
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
    readonly getOrganizationStats: {
        readonly parameters: {
            readonly query?: {
                /**
                 * @description Wait until this block is indexed, a bounded time; then 503. A block that the chain does not have yet is refused.
                 * @example 384
                 */
                readonly minBlock?: string;
            };
            readonly header?: never;
            readonly path: {
                /**
                 * @description Id of the organization.
                 * @example 27
                 */
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
    readonly deletePrivateData: {
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
                readonly "application/json": components["schemas"]["SignedPrivateDataDeletion"];
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["PrivateDataDeleted"];
                };
            };
        };
    };
    readonly exportPrivateData: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["SignedPrivateDataExport"];
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["PrivateData"];
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
                /**
                 * @description The agent's name, or its token id.
                 * @example heron-da45c8df3b145b57
                 */
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
    readonly getDisplaySettings: {
        readonly parameters: {
            readonly query?: {
                /** @description Wait until this block is indexed, a bounded time; then 503. A block that the chain does not have yet is refused. */
                readonly minBlock?: string;
            };
            readonly header?: never;
            readonly path: {
                /**
                 * @description The agent's name, or its token id.
                 * @example heron-2c9a01c7a6b50bcc
                 */
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
                /**
                 * @description The agent's name, or its token id.
                 * @example heron-2c9a01c7a6b50bcc
                 */
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
    readonly getProfileStatus: {
        readonly parameters: {
            readonly query?: {
                /** @description Wait until this block is indexed, a bounded time; then 503. A block that the chain does not have yet is refused. */
                readonly minBlock?: string;
            };
            readonly header?: never;
            readonly path: {
                /**
                 * @description The agent's name, or its token id.
                 * @example heron-fd76e05194025c74
                 */
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
                /**
                 * @description Id of the agent's soulbound certificate, from 1.
                 * @example 1
                 */
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
                readonly "application/json": components["schemas"]["OwnerRegistration"] | (components["schemas"]["AgentChallengeStep"] | components["schemas"]["AgentRegisterStep"]);
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
    readonly checkName: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /**
                 * @description Name to look up: lower case, or lower-cased by the service.
                 * @example heron-8096095ed6c74f0a
                 */
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
                        /** @description Whether the name can be registered. */
                        readonly available: boolean;
                        /** @description Why it cannot. Absent when it can. */
                        readonly reason?: string;
                    };
                };
            };
        };
    };
    readonly getClaimDraft: {
        readonly parameters: {
            readonly query: {
                /**
                 * @description Id of the registration, from the claim's address.
                 * @example q-H4IH8HKOgWJn1ciD6aGA
                 */
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
    readonly getRegistrationFile: {
        readonly parameters: {
            readonly query?: {
                /** @description Wait until this block is indexed, a bounded time; then 503. A block that the chain does not have yet is refused. */
                readonly minBlock?: string;
            };
            readonly header?: never;
            readonly path: {
                /**
                 * @description The agent's name, or its token id.
                 * @example heron-1f5d52d336a10cb3
                 */
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
                        /** @description Type of the file, as ERC-8004 names it. */
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
                /**
                 * @description Id of the agent's soulbound certificate, from 1.
                 * @example 1
                 */
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
    readonly releaseAgent: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /** @description Repeating a request with the same key and body within 24 hours repeats its answer instead of its effect. */
                readonly "idempotency-key"?: string;
            };
            readonly path: {
                /**
                 * @description Id of the agent's soulbound certificate, from 1.
                 * @example 85
                 */
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
    readonly resealAgent: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /** @description Repeating a request with the same key and body within 24 hours repeats its answer instead of its effect. */
                readonly "idempotency-key"?: string;
            };
            readonly path: {
                /**
                 * @description Id of the agent's soulbound certificate, from 1.
                 * @example 4
                 */
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
    readonly listSessions: {
        readonly parameters: {
            readonly query: {
                /**
                 * @description Id of the agent's soulbound certificate, from 1.
                 * @example 360
                 */
                readonly tokenId: number;
                /**
                 * @description Largest number of entries of a page.
                 * @example 1
                 */
                readonly limit?: number;
                /**
                 * @description `nextCursor` of the page before, in the same order. Pages stay right while entries are added.
                 * @example 3455bd02-6a76-4baa-9395-c14eb7499f05
                 */
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
    readonly signOut: {
        readonly parameters: {
            readonly query?: {
                /**
                 * @description `true` ends every sign-in of the account, those for other services too, and its open challenges.
                 * @example true
                 */
                readonly everywhere?: "true" | "false";
            };
            readonly header?: never;
            readonly path?: never;
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
    readonly endSession: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /**
                 * @description Id of the session.
                 * @example cfae077c-9a0b-4a72-afeb-ff1716dc153d
                 */
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
    readonly uploadSoulDocument: {
        readonly parameters: {
            readonly query: {
                /**
                 * @description Token of the single-use address.
                 * @example 4ECZi-OQFGtHJ0DWqo9fBHtxOIIXXTBX7gE4V2U6_as
                 */
                readonly token: string;
            };
            readonly header?: {
                /** @description Repeating a request with the same key and body within 24 hours repeats its answer instead of its effect. */
                readonly "idempotency-key"?: string;
            };
            readonly path: {
                /**
                 * @description Id of the document: letters, digits, `.`, `_` and `-`.
                 * @example manifesto
                 */
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
    readonly listSoulDocuments: {
        readonly parameters: {
            readonly query?: {
                /** @description Wait until this block is indexed, a bounded time; then 503. A block that the chain does not have yet is refused. */
                readonly minBlock?: string;
            };
            readonly header?: never;
            readonly path: {
                /**
                 * @description The agent's name, or its token id.
                 * @example heron-b367175382fae81d
                 */
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
    readonly requestDocumentUpload: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /** @description Repeating a request with the same key and body within 24 hours repeats its answer instead of its effect. */
                readonly "idempotency-key"?: string;
            };
            readonly path: {
                /**
                 * @description Id of the agent's soulbound certificate, from 1.
                 * @example 39
                 */
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
    readonly getSoulValidity: {
        readonly parameters: {
            readonly query?: {
                /** @description Wait until this block is indexed, a bounded time; then 503. A block that the chain does not have yet is refused. */
                readonly minBlock?: string;
            };
            readonly header?: never;
            readonly path: {
                /**
                 * @description Id of the agent's soulbound certificate, from 1.
                 * @example 9
                 */
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
                        /** @description Version of the service. */
                        readonly version: string;
                        /** @description Version of the specification that it follows. */
                        readonly specification: string;
                        /** @description EIP-155 id of the chain. */
                        readonly chainId: number;
                        /** @description Addresses of the contracts, by name. */
                        readonly contracts: {
                            readonly [key: string]: string | null;
                        };
                        /** @description Block of the first contract. */
                        readonly startBlock: number;
                        /** @description Latest block of the chain that the service knows. Null while the chain does not answer. */
                        readonly chainBlock: number | null;
                        /** @description Block that the index includes. */
                        readonly indexedBlock: number;
                        /** @description How many blocks the index is behind. Null while the chain does not answer. */
                        readonly lagBlocks: number | null;
                        /**
                         * @description `degraded` while the index is further behind the chain than the service allows, or its age is unknown: see docs/limits.md.
                         * @enum {string}
                         */
                        readonly status: "ok" | "degraded";
                        /** @description Where permanent content is stored. */
                        readonly storage: {
                            /** @description `local`: by the service itself. Else the network's name. */
                            readonly driver: string;
                            /** @description Account that signs what the service stores. */
                            readonly signer: string;
                        };
                    };
                };
            };
        };
    };
    readonly suspendAgent: {
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
                readonly "application/json": components["schemas"]["SignedSuspend"];
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["SuspendedAgent"];
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
                    /**
                     * Format: binary
                     * @description The soul as a file, of at most 10 MiB.
                     */
                    readonly file: string;
                    /**
                     * @description Format of the file. Absent: found from its content.
                     * @enum {string}
                     */
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
                        /** @description Hash of the soul: SHA-256 of the salt and the normalised text, in hex. */
                        readonly soulHash: string;
                        /** @description 32 random bytes in hex that keep the soul's text from being guessed. Keep it secret. */
                        readonly soulSalt: string;
                        /** @description Root of the Merkle tree over the twelve fields of the soul, in hex. */
                        readonly soulMerkleRoot: string;
                        /** @description Leaves of the soul's Merkle tree, in index order. */
                        readonly merkleLeaves: readonly {
                            /** @description Position of the leaf, from 0. */
                            readonly index: number;
                            /**
                             * @description Field of the soul that the leaf commits to.
                             * @enum {string}
                             */
                            readonly field: "identity.name" | "identity.agent_type" | "identity.description" | "soul.purpose" | "soul.personality" | "soul.constraints" | "soul.guidelines" | "capabilities.skills" | "capabilities.tools" | "capabilities.languages" | "capabilities.models" | "soul.documents";
                            /** @description Hash of the leaf, in hex. It reveals nothing of the value. */
                            readonly hash: string;
                        }[];
                        /** @description The soul in normal form. It is the text that is hashed. */
                        readonly normalisedCcsf: components["schemas"]["Ccsf"];
                        /** @description The fields that are not empty. */
                        readonly extractedFields: readonly ("identity.name" | "identity.agent_type" | "identity.description" | "soul.purpose" | "soul.personality" | "soul.constraints" | "soul.guidelines" | "capabilities.skills" | "capabilities.tools" | "capabilities.languages" | "capabilities.models" | "soul.documents")[];
                        /** @description Those of them that neither the file nor the form stated. For Markdown: the name, taken from the first heading, and the type `other`. */
                        readonly defaultedFields: readonly ("identity.name" | "identity.agent_type" | "identity.description" | "soul.purpose" | "soul.personality" | "soul.constraints" | "soul.guidelines" | "capabilities.skills" | "capabilities.tools" | "capabilities.languages" | "capabilities.models" | "soul.documents")[];
                        /** @description Format in which the soul was written. */
                        readonly sourceFormat: string;
                        /** @description SHA-256 of the source as it was sent, in hex. */
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
                    /**
                     * @description Name of the agent: 3 to 32 characters, lower case, unique for ever.
                     * @example aurora
                     */
                    readonly agentName: string;
                    /** @description 32 random bytes in hex that keep the soul's text from being guessed. Keep it secret. */
                    readonly soulSalt: string;
                    /** @description The soul in normal form. It is the text that is hashed. */
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
                        /** @description Whether it is the same. */
                        readonly match: boolean;
                        /** @description Hash of the text that was sent, in hex. */
                        readonly computedHash: string;
                        /** @description Hash that is on chain for the agent, in hex. Null when no agent is named, or it is not on chain. */
                        readonly onChainHash: string | null;
                        /** @description Name of the agent: 3 to 32 characters, lower case, unique for ever. */
                        readonly agentName: string;
                        /** @description Id of the agent's soulbound certificate, from 1. Null when no agent is named. */
                        readonly tokenId: number | null;
                    };
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
                    /** @description Id of the agent's soulbound certificate, from 1. */
                    readonly tokenId: number;
                    /** @description Account on another chain that is added. */
                    readonly addAddress?: Record<string, unknown>;
                    /** @description Account on another chain that is removed. */
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
                    /** @description Name of the organization. */
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
                    /** @description Id of the organization. */
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
                    /** @description Id of the organization. */
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
                    /** @description Id of the organization. */
                    readonly organizationId?: number;
                    /**
                     * @deprecated
                     * @description Former name of `organizationId`.
                     */
                    readonly fleetId?: number;
                    /** @description The agents to register, in order. */
                    readonly agents: readonly components["schemas"]["BatchAgent"][];
                    /**
                     * @description The organization's admin, who owns all agents.
                     * @example 0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045
                     */
                    readonly ownerAddress: string;
                    /**
                     * @description Whether agents are left out whose names other agents have. False: one such name refuses the batch.
                     * @default false
                     */
                    readonly leaveOutTakenNames?: boolean;
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
                    /**
                     * Format: uuid
                     * @description Id of the invitation.
                     */
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
                    /** @description Id of the organization. */
                    readonly organizationId?: number;
                    /**
                     * @deprecated
                     * @description Former name of `organizationId`.
                     */
                    readonly fleetId?: number;
                    /** @description Id of the agent's soulbound certificate, from 1. */
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
                    /** @description Id of the organization. */
                    readonly organizationId?: number;
                    /**
                     * @deprecated
                     * @description Former name of `organizationId`.
                     */
                    readonly fleetId?: number;
                    /** @description Id of the agent's soulbound certificate, from 1. */
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
    readonly preparePrivateDataDeletion: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["PrivateDataDeletionRequest"];
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
    readonly preparePrivateDataExport: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["PrivateDataExportRequest"];
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
                    readonly "application/json": components["schemas"]["RegistrationTypedData"];
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
                    readonly "application/json": components["schemas"]["RegistrationTypedData"];
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
    readonly prepareSuspend: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["Suspend"];
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
    readonly validateAgent: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /** @description Repeating a request with the same key and body within 24 hours repeats its answer instead of its effect. */
                readonly "idempotency-key"?: string;
            };
            readonly path: {
                /**
                 * @description Id of the agent's soulbound certificate, from 1.
                 * @example 64
                 */
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
    readonly verifyAgent: {
        readonly parameters: {
            readonly query?: {
                /** @description Wait until this block is indexed, a bounded time; then 503. A block that the chain does not have yet is refused. */
                readonly minBlock?: string;
            };
            readonly header?: never;
            readonly path: {
                /**
                 * @description The agent's name, or its token id.
                 * @example heron-38135d0c057e4724
                 */
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
    readonly listWebhooks: {
        readonly parameters: {
            readonly query?: {
                /**
                 * @description The agent. May be left out with a key.
                 * @example 1
                 */
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
                        /** @description Webhooks of the agent. */
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
                    /** @description The agent. Optional with a key, which belongs to one agent. A provisional key has no agent before the claim. Null or absent with a provisional key: the agent has no id yet. */
                    readonly tokenId?: number | null;
                    /**
                     * @description https, port 443 or 1024 and above, no credentials, a host whose every address is public.
                     * @example https://hooks.example.com/agent
                     */
                    readonly url: string;
                    /**
                     * @description Events that are sent.
                     * @example [
                     *       "owner.claimed",
                     *       "passport.transferred"
                     *     ]
                     */
                    readonly events: readonly ("owner.claimed" | "binding.created" | "binding.revoked" | "alignment.changed" | "freshness.requested" | "chronicle.recorded" | "embodiment.updated" | "passport.transferred" | "soul.resealed" | "soul.burned" | "disclosure.requested" | "disclosure.fulfilled" | "disclosure.expired" | "disclosure.revoked" | "audit.requested" | "webhook.failing" | "webhook.disabled")[];
                    /**
                     * Format: email
                     * @description Notified by mail when the webhook fails, if the service sends mail. First one mail asks the address to confirm; nothing else is sent until then. Null for no mail.
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
                /**
                 * @description Id of the webhook.
                 * @example 11f9f6e3-7699-4ad4-9540-bcec51fca4c6
                 */
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
                /**
                 * @description Id of the webhook.
                 * @example 11f9f6e3-7699-4ad4-9540-bcec51fca4c6
                 */
                readonly webhookId: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": {
                    /** @description Whether events are sent. */
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
    readonly listWebhookDeliveries: {
        readonly parameters: {
            readonly query?: {
                /** @description Largest number of entries of a page. */
                readonly limit?: number;
                /** @description `nextCursor` of the page before, in the same order. Pages stay right while entries are added. */
                readonly cursor?: string;
            };
            readonly header?: never;
            readonly path: {
                /**
                 * @description Id of the webhook.
                 * @example 6e10ecaf-d3f9-43e7-9832-a1cd29a0c04b
                 */
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
                        /** @description Deliveries of this page, the newest first. */
                        readonly deliveries: readonly components["schemas"]["WebhookDelivery"][];
                        /** @description Send it as `cursor` for the next page. Null on the last page. */
                        readonly nextCursor: string | null;
                    };
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
                /**
                 * @description Id of the webhook.
                 * @example 4ee636f7-0a73-4db1-a9e3-f4984db4e1f0
                 */
                readonly webhookId: string;
                /**
                 * @description Id of the delivery: the same over all its tries.
                 * @example 18107c44-d60c-404b-b234-647d0a411c02
                 */
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
                        /**
                         * Format: uuid
                         * @description Id of the delivery: the same over all its tries.
                         */
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
    readonly recoverWebhook: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /** @description Repeating a request with the same key and body within 24 hours repeats its answer instead of its effect. */
                readonly "idempotency-key"?: string;
            };
            readonly path: {
                /**
                 * @description Id of the webhook.
                 * @example 11f9f6e3-7699-4ad4-9540-bcec51fca4c6
                 */
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
    readonly rotateWebhook: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /** @description Repeating a request with the same key and body within 24 hours repeats its answer instead of its effect. */
                readonly "idempotency-key"?: string;
            };
            readonly path: {
                /**
                 * @description Id of the webhook.
                 * @example 11f9f6e3-7699-4ad4-9540-bcec51fca4c6
                 */
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
                /**
                 * @description Id of the webhook.
                 * @example 11f9f6e3-7699-4ad4-9540-bcec51fca4c6
                 */
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
                        /**
                         * Format: uuid
                         * @description Id of the delivery: the same over all its tries.
                         */
                        readonly deliveryId: string;
                    };
                };
            };
        };
    };
}
