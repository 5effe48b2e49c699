import { existsSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";

// What a request accepts is found again, or was refused by name.

/**
 * Optional members of all writes: whose they are, where they are found again, and the test that
 * sends them and looks for them there. Members of a named schema stand under that schema.
 */
const FOUND = [
  [
    "PublicIdentity",
    "archive, file, profile",
    "service/round-trips",
    "bio category contacts description displayName image model modelFamily modelProvider monetization serviceEndpoints tagline tags website x402Support",
  ],
  [
    "ClaimIdentityEdit",
    "archive, file, profile",
    "service/round-trips",
    "bio category contacts description displayName image model modelFamily modelProvider monetization serviceEndpoints tagline tags website x402Support",
  ],
  ["BirthBundle", "archive, profile", "service/round-trips", "creatorImageUrl creatorName note"],
  [
    "ClaimBirthBundleEdit",
    "archive, profile",
    "service/round-trips",
    "creatorImageUrl creatorName note",
  ],
  ["PersonalityDocument", "archive", "service/round-trips", "immutable"],
  ["DeclaredDocument", "archive", "service/soul-documents", "immutable"],
  [
    "ClaimEdits",
    "archive, file, profile",
    "service/round-trips",
    "agentAvatarUrl birthBundle displayName publicIdentity x402Support",
  ],
  [
    "ClaimEdits",
    "chain, archive",
    "service/agent-claims",
    "agentDescription agentType ccsf parentTokenId publicFields sourceFormat systemPrompt",
  ],
  ["ClaimEdits", "chain", "service/owner-signed", "worldIdProof"],
  ["claimAgent", "chain, keys", "service/agent-claims", "editedData seal"],
  ["claimAgent", "keys", "service/agent-keys", "agentKeeps agentKey"],
  [
    "registerAgent",
    "archive, file, profile",
    "service/round-trips",
    "agentAvatar agentDescription birthBundle personalityDocument publicFields publicIdentity services sourceFormat",
  ],
  [
    "registerAgent",
    "chain",
    "service/registration",
    "agentType operatorAddress organizationId parentTokenId fleetId",
  ],
  [
    "registerAgent",
    "nowhere: its form is checked, and the document says so",
    "service/markdown-registration",
    "sourceHash",
  ],
  ["registerAgent", "chain", "service/registration-binding", "erc8004AgentId"],
  [
    "registerAgent",
    "refused unless it is the service's own",
    "service/agent-claims",
    "erc8004ChainId",
  ],
  ["registerAgent", "chain", "api/features/registration/consents", "adminSignature worldIdProof"],
  ["registerAgent", "archive", "service/soul-documents", "soulDocuments"],
  [
    "BatchAgent",
    "as registerAgent: one function reads both",
    "service/round-trips",
    "publicFields publicIdentity sourceFormat",
  ],
  [
    "BatchAgent",
    "as registerAgent: one function reads both",
    "service/registration",
    "agentType operatorAddress",
  ],
  [
    "registerBatch",
    "refused unless it repeats the path",
    "service/organization-batch",
    "fleetId organizationId",
  ],
  [
    "reincarnateAgent",
    "as registerAgent: one function reads both",
    "service/round-trips",
    "publicFields publicIdentity sourceFormat",
  ],
  [
    "reincarnateAgent",
    "as registerAgent: one function reads both",
    "service/registration",
    "agentType operatorAddress",
  ],
  [
    "reincarnateAgent",
    "as registerAgent: one function reads both",
    "service/markdown-registration",
    "soulDocuments sourceHash",
  ],
  [
    "reincarnateAgent",
    "as registerAgent: one function reads both",
    "api/features/registration/consents",
    "worldIdProof",
  ],
  ["sealAgent", "chain", "service/owner-signed", "humanProof worldIdProof"],
  ["resealAgent", "chain, archive", "service/handovers", "humanProof newArweaveTxId publicFields"],
  ["resealAgent", "chain", "service/endings", "operatorAddress"],
  ["resealAgent", "chain: read as in sealAgent", "service/owner-signed", "worldIdProof"],
  ["resealAgent", "refused unless it repeats the path", "service/handovers", "tokenId"],
  ["releaseAgent", "refused unless it repeats the path", "service/endings", "tokenId"],
  ["burnAgent", "refused unless it repeats the path", "service/endings", "tokenId"],
  ["stopAgent", "refused unless it repeats the path", "service/emergency-stop", "tokenId"],
  ["endAllowance", "refused unless it repeats the path", "service/allowances", "tokenId"],
  ["validateAgent", "refused unless it repeats the path", "service/owner-signed", "tokenId"],
  [
    "putPublicIdentity",
    "profile, chronicle",
    "service/round-trips",
    "publicIdentity.bio publicIdentity.category publicIdentity.contacts publicIdentity.modelFamily publicIdentity.tags",
  ],
  [
    "putDisplaySettings",
    "profile",
    "service/public-identity",
    "displaySettings.operatorAddress displaySettings.operatorLabel displaySettings.ownerAddress displaySettings.showTransactionCount displaySettings.showWalletBalances",
  ],
  [
    "updateRegistrationFile",
    "file",
    "service/owner-signed",
    "removeServices services services[].version tokenId x402Support",
  ],
  [
    "updateAgentUri",
    "file",
    "service/owner-signed",
    "description imageUrl removeServices services services[].version x402Support",
  ],
  ["updateDidDocument", "chain, archive", "service/did", "addAddress removeAddress"],
  ["updateAgentKeySet", "chain, archive", "service/agent-key-sets", "keys[].kid keys[].y"],
  [
    "requestDocumentUpload",
    "the list of documents",
    "service/soul-documents",
    "format immutable title type",
  ],
  ["requestChronicle", "the request", "service/chronicles", "description"],
  ["recordChronicle", "archive, the request", "service/chronicles", "proof requestId"],
  ["updateBinding", "chain", "service/bindings", "context"],
  ["addOrganizationMember", "chain", "service/organization-members", "adminSignature role"],
  ["changeOrganizationAdmin", "chain", "service/organizations", "newAdminSignature"],
  ["listInvitationsBySignature", "a filter", "service/organization-members", "organizationId"],
  ["endInvitation", "who asks", "service/organization-keys", "accountAddress"],
  [
    "endInvitation",
    "refused unless it repeats the path",
    "service/organization-members",
    "invitationId",
  ],
  ["discloseFields", "the disclosure", "service/disclosures", "expiresIn recipientDid"],
  ["revokeDisclosure", "the history", "service/disclosures", "reason"],
  [
    "setDisclosurePolicy",
    "the policy",
    "service/disclosure-policies",
    "policy.defaultExpiry policy.preferredMode policy.rules[].allowedDids policy.rules[].minTrustLevel policy.rules[].mode policy.rules[].note",
  ],
  [
    "requestDisclosure",
    "the request",
    "service/disclosure-requests",
    "disclosureEndpoint disclosurePublicKey freshnessRequired",
  ],
  [
    "fulfilDisclosureRequest",
    "the request",
    "service/disclosure-requests",
    "deniedFields disclosures expiresIn requestId",
  ],
  [
    "confirmDisclosureDelivery",
    "the request",
    "service/disclosure-requests",
    "deniedFields expiresIn fulfilledFields requestId",
  ],
  ["requestOrganizationAudit", "the audit", "service/audits", "fleetId organizationId"],
  ["uploadOrganizationAudit", "the check", "service/audits", "salt"],
  ["uploadRegulatoryAudit", "the check", "service/audits", "salt"],
  ["calculateAlignment", "which agent", "service/alignment", "agentName tokenId"],
  ["setAllowance", "chain", "service/allowances", "approval permit validUntil"],
  ["changeAllowance", "chain", "service/allowances", "approval permit validUntil"],
  ["createWebhook", "the webhook", "api/features/webhooks/routes", "notifyEmail tokenId"],
  ["rotateWebhook", "the webhook", "api/features/webhooks/routes", "graceSeconds"],
  ["recoverWebhook", "deliveries", "api/features/webhooks/routes", "until"],
  ["rotateKeys", "keys", "service/keys", "graceSeconds"],
  [
    "signInChallenge",
    "the message, the token",
    "api/features/sign-in/sign-in",
    "agentId audience chainId minTier scope",
  ],
  [
    "agentSignInChallenge",
    "the message, the token",
    "api/features/sign-in/sign-in",
    "audience chainId minTier scope",
  ],
  ["normaliseSource", "the answer", "api/features/tools/tools", "agentName agentType soulSalt"],
] as readonly (readonly [owner: string, where: string, test: string, members: string])[];

/** Every signed operation takes them, and `test/service/owner-operations.test.ts` checks them. */
const SIGNATURE = ["message", "signature", "signer"];

interface Schema {
  readonly $ref?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly allOf?: readonly Schema[];
}

interface Operation {
  readonly operationId: string;
  readonly deprecated?: boolean;
  readonly requestBody?: { readonly content: Readonly<Record<string, { schema: Schema }>> };
}

const { paths, components } = JSON.parse(readFileSync("docs/openapi.json", "utf8")) as {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
};

/** The optional members of a schema, with those of the schemas inside it. */
function optionalMembers(
  schema: Schema,
  place: { readonly owner: string; readonly path: string; readonly isBody?: boolean },
  seen: readonly string[] = [],
): string[] {
  if (schema.$ref !== undefined) {
    const name = schema.$ref.split("/").at(-1) ?? "";
    const named = components.schemas[name];
    if (seen.includes(name) || named === undefined) return [];
    const inside = place.isBody === true ? place : { owner: name, path: "" };
    return optionalMembers(named, inside, [...seen, name]);
  }
  const { owner, path } = place;
  const choices = [...(schema.anyOf ?? []), ...(schema.oneOf ?? []), ...(schema.allOf ?? [])];
  const items = schema.items === undefined ? [] : [schema.items];
  return [
    ...choices.flatMap((choice) => optionalMembers(choice, place, seen)),
    ...items.flatMap((item) => optionalMembers(item, { owner, path: `${path}[]` }, seen)),
    ...Object.entries(schema.properties ?? {}).flatMap(([name, member]) => {
      const at = path === "" ? name : `${path}.${name}`;
      const isOptional = schema.required?.includes(name) !== true && !SIGNATURE.includes(name);
      const inside = optionalMembers(member, { owner, path: at }, seen);
      return isOptional ? [`${owner}.${at}`, ...inside] : inside;
    }),
  ];
}

describe("the optional members of all writes", () => {
  it("each have a place where they are found again", () => {
    const accepted = Object.entries(paths)
      .filter(([path]) => !path.startsWith("/v1/typed-data/"))
      .flatMap(([, operations]) => Object.values(operations))
      .filter(({ deprecated }) => deprecated !== true)
      .flatMap(({ operationId: owner, requestBody }) =>
        Object.values(requestBody?.content ?? {}).flatMap(({ schema }) =>
          optionalMembers(schema, { owner, path: "", isBody: true }),
        ),
      );
    const listed = FOUND.flatMap(([owner, , , members]) =>
      members.split(" ").map((member) => `${owner}.${member}`),
    );
    expect(listed.toSorted()).toEqual([...new Set(accepted)].toSorted());
  });

  it.each(FOUND)("of %s, found in %s, are sent by %s", (_owner, _where, test, members) => {
    const path = `test/${test}.test.ts`;
    expect(existsSync(path)).toBe(true);
    const text = readFileSync(path, "utf8");
    const unsent = members.split(" ").filter((member) => {
      const name = member.replaceAll("[]", "").split(".").at(-1);
      return !new RegExp(`\\b${name}\\b`).test(text);
    });
    expect(unsent).toEqual([]);
  });
});
