import { operations } from "../../api/features.ts";
import type { AccessRule } from "../../api/kernel/access.ts";
import { CACHE_RULES } from "../../api/platform/http/cache-rules.ts";
import type { OperationRules, OperationTable } from "../../api/platform/http/operations.ts";
import { SUNSET } from "../../api/platform/http/operations.ts";
import type { RateCategory } from "../../api/platform/limits/rate-limits.ts";

const METHODS = ["get", "post", "put", "patch", "delete"] as const;

type PathItem = { readonly [M in (typeof METHODS)[number]]?: Operation };

interface Operation {
  readonly operationId?: string;
  readonly deprecated?: boolean;
}

const ACCESS: Readonly<Record<AccessRule, string>> = {
  none: "anyone",
  "any-key": "any key, also a provisional one, or an owner session",
  agent: "the agent's full key, or a session of its owner",
  session: "a session of the agent's owner",
  "agent-or-signature":
    "the agent's full key, its owner's session, or any caller with the owner's signature",
  "session-or-signature":
    "a session of the agent's owner, or any caller with the owner's signature",
  "provisional-key": "the agent's provisional key, after the claim",
  signature: "any caller with the owner's signature",
};

/** The table of operations as a document: who may call what, and under which limits. */
export function accessDocs({
  paths,
}: {
  readonly paths?: Readonly<Record<string, PathItem>>;
}): string {
  const table: OperationTable = operations;
  const rows = Object.entries(paths ?? {}).flatMap(([path, item]) =>
    METHODS.flatMap((method) => {
      const operation = item[method];
      const rules = operation?.operationId === undefined ? undefined : table[operation.operationId];
      if (operation?.operationId === undefined || rules === undefined || operation.deprecated)
        return [];
      return [row(`${method.toUpperCase()} ${path}`, operation.operationId, rules)];
    }),
  );
  return `# Who may do what

Written by \`npm run generate\` from the rules of each feature's operations, which are also what the service enforces.

- **anyone**: no credential is needed. One that is sent decides whose limits the request counts on, and is refused when it is no
  good. Sign-in, token checks and health do not look at it.
- **a key**: \`Authorization: Bearer svc_live_…\`. It acts for one agent, in the seal epoch it was issued in. From the transfer of
  the agent's passport on it only reads; a reseal ends it. A provisional key (\`svc_provisional_…\`) is what an agent gets that
  registers itself: it reads and registers webhooks until the claim, and reads for seven days after it.
- **an owner session**: \`Authorization: Bearer <access token>\` of the sign-in service, with the scope \`manage\`. Its subject must
  own the agent's passport on chain when the request arrives. A token that was bound to one agent reaches no other
  ([sign-in.md](sign-in.md#owner-sessions)).
- **the console's cookie** of a signed-in browser is an owner session of all agents of its account, for eight hours. Operations
  that take an owner session take it too, but only with the header \`X-Svc-Console\` and from this service's own pages: otherwise
  it is ignored or refused ([sign-in.md](sign-in.md#the-console)).
- **any other access token** only identifies its holder. It does nothing in this table that \`anyone\` may not do, private reads
  included. One that was issued for another service is refused everywhere here.
- **the owner's signature**: \`message\`, \`signature\` and \`signer\` in the body, checked by the contract itself. No key and no
  session replaces it.

| answer | when |
|---|---|
| \`401 UNAUTHORIZED\` | a credential is missing, or is no good: unknown, revoked, expired, of another epoch, for another audience |
| \`403 FULL_KEY_REQUIRED\` | the key is provisional, and may only read |
| \`403 MANAGE_SCOPE_REQUIRED\` | the access token only identifies: sign in again with \`"scope": ["identity", "manage"]\` |
| \`403 WALLET_SIGNATURE_REQUIRED\` | a key or session was sent where only the owner's signature counts |
| \`403 FORBIDDEN\` | the key or session belongs to another agent or owner, the token is bound to another agent, or a key was sent where a session is needed |
| \`403 NOT_OWNER\` | the owner's signature is by an account that is not the owner; keys and sessions never get this answer |
| \`404 NOT_FOUND\` | there is no such agent; a webhook of another agent is not found either |
| \`409 BURNED\` | the agent was burned: nothing acts for it any more |
| \`409 SUSPENDED\` | the passport has moved since the agent was sealed: nothing but reading until its new owner reseals |

## Keys

An agent has the key that its owner got at the claim or registration, and the one that it [exchanged its provisional key
for](registration.md#keys). Each is shown once; the same \`Idempotency-Key\` shows it again for 24 hours.

- \`GET /v1/keys?tokenId=&limit=&cursor=\`, with a session of the owner, lists them: \`{keyId, kind, holder, hint, epoch, createdAt,
  revokedAt, lastUsedAt, exchangedAt}\`. The keys themselves are not stored. \`lastUsedAt\` is exact to the minute.
- \`DELETE /v1/keys/:keyId\`, with a session of the owner, ends one: it is refused from the next request on.
- \`POST /v1/keys/rotate {tokenId, graceSeconds?}\`, with a session of the owner, gives the owner a new key and ends **all others**, the
  agent's own and its provisional one included, at once or after \`graceSeconds\` (at most 604,800). A provisional key ends at once
  in any case, so that it cannot be exchanged during the grace. The answer lists them as \`endedKeys\`. A grace that already runs can be cut short by another rotation, never prolonged.
- \`POST /v1/keys/exchange\`, with the agent's provisional key, gives the agent a full key of its own, once.
- \`GET /v1/sessions?tokenId=&limit=&cursor=\` and \`DELETE /v1/sessions/:sessionId\` do the same for the owner's sign-ins:
  [sign-in.md](sign-in.md#sessions).

These lists have no signed form beside the session. A session of the owner **is** one signature of its wallet: a sign-in with the
scope \`manage\` sends no transaction and costs nothing. For an hour it lists keys, sessions and webhooks with their last use, and
ends single ones, without another signature. After an emergency stop the owner signs in again to see what is left.

## Emergency stop

\`POST /v1/emergency-stop/:tokenId\` ends all API keys, sessions, webhooks and the allowance of an agent at once. It takes one of:

- **the owner's signature** over what \`POST /v1/typed-data/emergency-stop {tokenId}\` returns. With an active allowance this is
  \`DeactivateAllowance\`, which the service sends to the vault. Its nonce marks a stop: a signature that was given only to end the
  allowance is refused. Without an allowance it is \`EmergencyStop\`, which no contract accepts and which costs no gas.
- **a session of the owner**. It cannot end an allowance: then the answer has \`allowance.status: "signature_required"\` and the
  \`typedData\` to sign for \`DELETE /v1/allowance/:tokenId\`. The session itself ends too, so a repetition is a 401.

Keys, sessions and webhooks end in the transaction that accepts the stop. A killed process ends the allowance later. When the
day's sponsored gas is used up, the signature still ends keys, sessions and webhooks, and the answer asks for one that ends the
allowance, as for a session. Sessions that end are those that name the agent's passport and those that manage all agents of its
owner; other agents keep their keys. The owner's open sign-in challenges end too. A request in flight stores no key and no webhook
any more. What a claim, registration or reseal that is not finished yet issues has ended too. The owner can sign in again at once,
create a new key with \`POST /v1/keys/rotate\`, and set a new allowance. Relying parties that check tokens themselves learn of the
end by introspection only.

The same signed stop, sent again, ends nothing more, and its answer has what the first one ended.

The pages \`/access/:tokenId\` and \`/console/:tokenId\` do this in a browser. An emergency stop signs the console out, too. After a sign-in it also lists keys, sessions and webhooks, and ends single ones.

## Operations

Limits are explained in [limits.md](limits.md).

| request | operation | who | limit | Cache-Control | body | Idempotency-Key | read by pages of |
|---|---|---|---|---|---|---|---|
${rows.join("\n")}

Former names work until ${SUNSET.toISOString().slice(0, 10)}; their answers carry \`Deprecation\` and \`Sunset\`.
`;
}

function row(request: string, operationId: string, rules: OperationRules): string {
  const cells = [
    `\`${request}\`${(rules.legacyPaths ?? []).map((path) => `, formerly \`${path}\``).join("")}`,
    `\`${operationId}\``,
    ACCESS[rules.access],
    rules.rate satisfies RateCategory,
    cacheText(rules),
    bodyText(rules.bodyBytes),
    rules.idempotent ? "yes" : "",
    rules.origins === "any" ? "any origin" : "its own origin",
  ];
  return `| ${cells.join(" | ")} |`;
}

function cacheText({ cache }: OperationRules): string {
  const value = CACHE_RULES[cache];
  if (typeof value === "string") return `\`${value}\``;
  return `\`${value.sealed}\` while the seal is valid, else \`${value.other}\``;
}

function bodyText(bytes: number): string {
  return bytes === 0 ? "none" : `${bytes / 1024 / 1024} MiB`;
}
