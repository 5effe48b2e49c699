import type { LocalAccount } from "viem";
import { createWalletClient, custom } from "viem";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ApiError, type Client, createClient, type Schema } from "../../kit/client/index.ts";
import { SIGNED_OPERATIONS } from "../../kit/client/signing/operations.ts";
import type { SignedId, SignInput } from "../../kit/client/signing/sign.ts";
import { newAccount } from "../api/features/sign-in/harness.ts";
import { agentVerbs } from "../fixtures/agent-verbs.ts";
import { handoverVerbs } from "../fixtures/handovers.ts";
import { ownerSigned } from "../fixtures/owner-signed.ts";
import { ED25519_KEY } from "../fixtures/public-keys.ts";
import { freshName, registrationBody } from "../fixtures/registrations.ts";
import { type Service, sharedService } from "../fixtures/service.ts";

// Every operation that the client signs, against the running service.

const IMAGE = "https://pictures.example/aurora.png";
const AUDIT = {
  regulatoryBody: "Library Board",
  regulatoryDid: "did:web:board.example",
  scope: "full_soul",
  auditReference: "LB-1",
} as const;
const SERVICES = [{ name: "MCP", endpoint: "https://agent.example/mcp" }];
const KEY = {
  ...ED25519_KEY,
  use: "sig",
} as const;

const address = () => ({
  chain: "ethereum",
  address: newAccount().address,
  label: "Treasury",
  keyType: "EcdsaSecp256k1",
});

interface Agent {
  readonly name: string;
  readonly tokenId: number;
  readonly passportId: number;
  readonly owner: LocalAccount;
}

let service: Service;
let client: Client;
let agent: Agent;
beforeAll(async () => {
  service = await sharedService();
  const deployment = { chainId: 31337, contracts: service.chain.contracts };
  client = createClient({ service: service.url, deployment });
  agent = await newAgent();
});
afterAll(() => service?.stop());

/** Signs, and tells which fields the client could not check itself. */
async function signed<Id extends SignedId>(id: Id, input: SignInput<Id>) {
  const reviewed: string[] = [];
  const answer = await client.sign(id, {
    ...input,
    review: ({ fields }) => {
      reviewed.push(...Object.keys(fields));
      return true;
    },
  } as SignInput<Id>);
  return { answer, reviewed };
}

/** What a registration sends, with a picture of its own: its public content is then known. */
function soulOf(name: string, owner: LocalAccount) {
  const { publicIdentity: _, ...body } = registrationBody(name, owner);
  return { ...body, publicIdentity: { tagline: "A librarian.", image: IMAGE } } as never;
}

async function newAgent(owner = newAccount()): Promise<Agent> {
  const name = freshName();
  const { answer } = await signed("registerAgent", { body: soulOf(name, owner), signer: owner });
  const { tokenId, erc8004AgentId: passportId } = answer as Schema<"RegisteredAgent">;
  return { name, owner, tokenId, passportId };
}

/** An agent whose new owner has to decide about its soul. */
async function soldAgent() {
  const sold = await newAgent();
  const handovers = handoverVerbs(service);
  const buyer = newAccount();
  await handovers.sell(sold, sold.owner, buyer.address);
  const { tokenId: _, ...wish } = handovers.newSoul(sold, buyer);
  await handovers.prepared("reseal", { tokenId: sold.tokenId, ...wish });
  return { ...sold, buyer, wish };
}

async function claimed(terms: object) {
  const owner = newAccount();
  const { registrationId } = await agentVerbs(service).registerAgent(freshName());
  const body = { registrationId, ownerAddress: owner.address, ...terms };
  return { owner, ...(await signed("claimAgent", { body, signer: owner })) };
}

async function organization(admin: LocalAccount) {
  const body = { name: freshName(), adminAddress: admin.address };
  const { answer } = await signed("createOrganization", { body, signer: admin });
  return answer.organizationId;
}

async function binding() {
  const partner = await newAgent();
  const { tokenId, owner: signer } = agent;
  const body = {
    tokenId,
    partnerTokenId: partner.tokenId,
    trustLevel: "trusted" as const,
    context: "They share a library.",
  };
  return signed("createBinding", { body, signer });
}

const allowance = (tokenId: number) => ({
  tokenId,
  perTransaction: 1_000_000,
  dailyLimit: 5_000_000,
  validUntil: "2030-01-01T00:00:00Z",
});

function withAllowance({ tokenId, owner: signer }: Agent) {
  return signed("setAllowance", { path: { tokenId }, body: allowance(tokenId), signer });
}

interface Walked {
  readonly answer: unknown;
  readonly reviewed: readonly string[];
}

/** One call of each operation. `answer` and `reviewed` are what it must give. */
const OPERATIONS: {
  readonly [Id in SignedId]: {
    /** The fields that the client cannot know. */
    readonly reviewed?: readonly string[];
    readonly answer: () => object;
    readonly call: () => Promise<Walked>;
  };
} = {
  registerAgent: {
    answer: () => ({ genesisStatus: "SEALED", apiKey: expect.stringMatching(/^svc_live_/) }),
    call() {
      const owner = newAccount();
      return signed("registerAgent", { body: soulOf(freshName(), owner), signer: owner });
    },
  },
  claimAgent: {
    reviewed: [
      "name",
      "agentType",
      "operator",
      "soulHash",
      "soulMerkleRoot",
      "contentHash",
      "bindPassport",
      "passportId",
      "agentURI",
      "parentTokenId",
      "organizationId",
      "humanVerifier",
      "humanProofHash",
    ],
    answer: () => ({ genesisStatus: "SEALED", apiKey: expect.stringMatching(/^svc_live_/) }),
    call: () => claimed({}),
  },
  reincarnateAgent: {
    answer: () => ({ genesisStatus: "SEALED", soulContinuity: false }),
    async call() {
      const { tokenId, owner: signer } = await newAgent();
      await signed("burnAgent", { path: { tokenId }, body: { reason: "It ends." }, signer });
      const { agentName: newAgentName, ...soul } = soulOf(freshName(), signer) as {
        readonly agentName: string;
      };
      const body = { ...soul, newAgentName, parentTokenId: tokenId } as never;
      return signed("reincarnateAgent", { body, signer });
    },
  },
  registerBatch: {
    answer: () => ({ results: [{ agentName: expect.any(String) }, {}] }),
    async call() {
      const signer = newAccount();
      const organizationId = await organization(signer);
      const agents = [freshName(), freshName()].map((name) => {
        const { ownerAddress: _, ...entry } = soulOf(name, signer) as {
          readonly ownerAddress: string;
        };
        return entry;
      });
      const body = { agents, ownerAddress: signer.address } as never;
      return signed("registerBatch", { path: { organizationId }, body, signer });
    },
  },
  sealAgent: {
    reviewed: ["soulHash", "soulMerkleRoot", "contentHash", "agentURI"],
    answer: () => ({ genesisStatus: "SEALED" }),
    async call() {
      const { owner: signer, answer } = await claimed({ seal: false });
      expect(answer).toMatchObject({ genesisStatus: "PROVISIONAL" });
      return signed("sealAgent", { body: { tokenId: answer.tokenId }, signer });
    },
  },
  recordChronicle: {
    answer: () => ({ tokenId: agent.tokenId, category: "achievement", status: "queued" }),
    async call() {
      const { name, tokenId, owner: signer } = agent;
      const data = { title: "A thousand books sorted" };
      const body = { tokenId, category: "achievement" as const, data };
      const recorded = await signed("recordChronicle", { body, signer });
      const found = await client.waitFor("listChronicles", {
        path: { name },
        until: ({ chronicles }) => chronicles.length > 0,
        intervalMs: 200,
      });
      expect(found.chronicles).toMatchObject([{ queueId: recorded.answer.queueId }]);
      return recorded;
    },
  },
  resealAgent: {
    reviewed: ["contentHash", "agentURI"],
    answer: () => ({ apiKey: expect.stringMatching(/^svc_live_/) }),
    async call() {
      const { tokenId, buyer: signer, wish } = await soldAgent();
      return signed("resealAgent", { path: { tokenId }, body: wish as never, signer });
    },
  },
  releaseAgent: {
    answer: () => ({ status: "BURNED" }),
    async call() {
      const { tokenId, buyer: signer } = await soldAgent();
      return signed("releaseAgent", { path: { tokenId }, signer });
    },
  },
  suspendAgent: {
    answer: () => ({ status: "suspended" }),
    async call() {
      const { owner: signer, answer } = await claimed({});
      return signed("suspendAgent", { body: { tokenId: answer.tokenId }, signer });
    },
  },
  burnAgent: {
    answer: () => ({ status: "BURNED" }),
    async call() {
      const { tokenId, owner: account } = await newAgent();
      const signer = createWalletClient({
        account,
        transport: custom({ request: async () => null }),
      });
      const body = { reason: "Its work is done." };
      return signed("burnAgent", { path: { tokenId }, body, signer });
    },
  },
  updateDidDocument: {
    reviewed: ["archiveId"],
    answer: () => ({ did: `did:svc:31337:${agent.name}`, updated: true, totalAddresses: 1 }),
    call() {
      const { name, tokenId, owner: signer } = agent;
      const body = { tokenId, addAddress: address() };
      return signed("updateDidDocument", { path: { name }, body, signer });
    },
  },
  updateAgentKeySet: {
    reviewed: ["archiveId"],
    answer: () => ({ totalKeys: 1 }),
    call() {
      const { name, tokenId, owner: signer } = agent;
      const keys = [{ ...KEY, exp: Math.floor(Date.now() / 1000) + 86_400 }];
      return signed("updateAgentKeySet", { path: { name }, body: { tokenId, keys }, signer });
    },
  },
  updateRegistrationFile: {
    reviewed: ["agentURI"],
    answer: () => ({ agentId: agent.passportId, updatedFields: ["services"] }),
    async call() {
      const { tokenId, owner: signer } = agent;
      const input = { path: { tokenId }, body: { services: SERVICES }, signer };
      // The owner's own transaction comes first, and the error holds it.
      const { details, ...refusal } = await signed("updateRegistrationFile", input).then(
        () => expect.fail("The passport writer was not approved."),
        (error: ApiError) => error,
      );
      expect(refusal).toMatchObject({ code: "APPROVAL_REQUIRED", status: 403 });
      await service.chain.fund(signer.address);
      await ownerSigned(service).sendReady(details.transaction as never, signer);
      return signed("updateRegistrationFile", input);
    },
  },
  updateAgentUri: {
    reviewed: ["agentURI"],
    answer: () => ({ transaction: { functionName: expect.stringMatching(/^setAgentURI/) } }),
    call() {
      const { passportId: erc8004AgentId, owner: signer } = agent;
      const services = [{ name: "MCP", endpoint: "https://agent.example/another" }];
      return signed("updateAgentUri", { body: { erc8004AgentId, services }, signer });
    },
  },
  validateAgent: {
    reviewed: ["agentId"],
    answer: () => ({ response: 100, tag: "svc-soul-verified" }),
    async call() {
      const { tokenId, owner: signer } = await newAgent();
      const { details, ...refusal } = await signed("validateAgent", {
        path: { tokenId },
        signer,
      }).then(
        () => expect.fail("The owner has not asked for a validation."),
        (error: ApiError) => error,
      );
      expect(refusal).toMatchObject({ code: "APPROVAL_REQUIRED", status: 403 });
      await service.chain.fund(signer.address);
      await ownerSigned(service).sendReady(details.transaction as never, signer);
      return signed("validateAgent", { path: { tokenId }, signer });
    },
  },
  createBinding: {
    answer: () => ({ trustLevel: "trusted" }),
    call: () => binding(),
  },
  updateBinding: {
    answer: () => ({ trustLevel: "limited" }),
    async call() {
      const { bindingId } = (await binding()).answer;
      const { tokenId, owner: signer } = agent;
      const body = { tokenId, trustLevel: "limited" as const, context: "They shared one." };
      const changed = await signed("updateBinding", { path: { bindingId }, body, signer });
      const trust: string[] = [];
      for await (const entry of client.pages("getBindingHistory", { path: { bindingId } })) {
        trust.push(entry.trustLevel);
      }
      expect(trust.sort()).toStrictEqual(["limited", "trusted"]);
      return changed;
    },
  },
  setAllowance: {
    answer: () => ({ tokenId: agent.tokenId, allowance: { perTransaction: 1_000_000 } }),
    call: () => withAllowance(agent),
  },
  changeAllowance: {
    answer: () => ({ allowance: { dailyLimit: 9_000_000 } }),
    async call() {
      const payer = await newAgent();
      const { tokenId, owner: signer } = payer;
      await withAllowance(payer);
      // With an approval the owner signs a permit of the stablecoin too.
      const body = { ...allowance(tokenId), dailyLimit: 9_000_000, approval: 9_000_000 };
      const changed = await signed("changeAllowance", { path: { tokenId }, body, signer });
      const { funding } = await client.call("getAllowance", { path: { tokenId } });
      expect(funding).toMatchObject({ approved: 9_000_000 });
      return changed;
    },
  },
  endAllowance: {
    answer: () => ({ tokenId: expect.any(Number), allowance: { active: false } }),
    async call() {
      const payer = await newAgent();
      const { tokenId, owner: signer } = payer;
      await withAllowance(payer);
      return signed("endAllowance", { path: { tokenId }, signer });
    },
  },
  stopAgent: {
    answer: () => ({ tokenId: expect.any(Number), stoppedAt: expect.any(String) }),
    async call() {
      const { tokenId, owner: signer } = await newAgent();
      return signed("stopAgent", { path: { tokenId }, signer });
    },
  },
  requestRegulatoryAudit: {
    answer: () => ({ status: "awaiting_ccsf_upload" }),
    call() {
      const { tokenId, owner: signer } = agent;
      return signed("requestRegulatoryAudit", { body: { tokenId, ...AUDIT }, signer });
    },
  },
  requestOrganizationAudit: {
    answer: () => ({ agentCount: 1, status: expect.stringMatching(/^awaiting_/) }),
    async call() {
      const { tokenId, owner: signer } = await newAgent();
      const organizationId = await organization(signer);
      const path = { organizationId };
      await signed("addOrganizationMember", { path, body: { tokenId }, signer });
      return signed("requestOrganizationAudit", { body: { organizationId, ...AUDIT }, signer });
    },
  },
  createOrganization: {
    answer: () => ({ name: "Herons of the weir" }),
    call() {
      const signer = newAccount();
      const body = { name: "Herons of the weir", adminAddress: signer.address };
      return signed("createOrganization", { body, signer });
    },
  },
  addOrganizationMember: {
    answer: () => ({ status: "added" }),
    async call() {
      const { tokenId, owner } = await newAgent();
      const admin = newAccount();
      const path = { organizationId: await organization(admin) };
      const invited = await signed("addOrganizationMember", {
        path,
        body: { tokenId },
        signer: owner,
      });
      expect(invited.reviewed).toStrictEqual([]);
      const body = { tokenId, role: "admin" as const };
      return signed("addOrganizationMember", { path, body, signer: admin });
    },
  },
  removeOrganizationMember: {
    answer: () => ({ memberCount: 0, status: "removed" }),
    async call() {
      const { tokenId, owner: signer } = await newAgent();
      const organizationId = await organization(signer);
      const path = { organizationId };
      await signed("addOrganizationMember", { path, body: { tokenId }, signer });
      return signed("removeOrganizationMember", { path: { organizationId, tokenId }, signer });
    },
  },
  changeOrganizationAdmin: {
    answer: () => ({ status: "pending_acceptance" }),
    async call() {
      const signer = newAccount();
      const path = { organizationId: await organization(signer) };
      const body = { newAdmin: newAccount().address };
      return signed("changeOrganizationAdmin", { path, body, signer });
    },
  },
  acceptOrganizationAdmin: {
    answer: () => ({ status: "accepted" }),
    async call() {
      const signer = newAccount();
      const next = newAccount();
      const path = { organizationId: await organization(signer) };
      await signed("changeOrganizationAdmin", { path, body: { newAdmin: next.address }, signer });
      return signed("acceptOrganizationAdmin", { path, signer: next });
    },
  },
  endInvitation: {
    answer: () => ({}),
    async call() {
      const { invitationId, signer } = await invitation();
      return signed("endInvitation", { path: { invitationId }, signer });
    },
  },
  listInvitationsBySignature: {
    answer: () => ({ invitations: [{ invitationId: expect.any(String) }] }),
    async call() {
      const { signer } = await invitation();
      const body = { accountAddress: signer.address };
      return signed("listInvitationsBySignature", { body, signer });
    },
  },
  exportPrivateData: {
    answer: () => ({ accountAddress: agent.owner.address, exportedAt: expect.any(String) }),
    call() {
      const { owner: signer } = agent;
      return signed("exportPrivateData", { body: { accountAddress: signer.address }, signer });
    },
  },
  deletePrivateData: {
    answer: () => ({ deletedAt: expect.any(String), deleted: expect.arrayContaining(["souls"]) }),
    async call() {
      const { owner: signer } = await newAgent();
      const body = { accountAddress: signer.address, salts: "delete" as const };
      return signed("deletePrivateData", { body, signer });
    },
  },
};

/** An agent's owner asks to join another account's organization. */
async function invitation() {
  const { tokenId, owner: signer } = await newAgent();
  const path = { organizationId: await organization(newAccount()) };
  const { answer } = await signed("addOrganizationMember", { path, body: { tokenId }, signer });
  const { invitationId } = answer as unknown as { readonly invitationId: string };
  return { invitationId, signer };
}

describe("client.sign", () => {
  it("is tried with every operation that the client signs", () => {
    expect(Object.keys(OPERATIONS).sort()).toEqual(Object.keys(SIGNED_OPERATIONS).sort());
  });

  it.each(Object.keys(SIGNED_OPERATIONS) as SignedId[])("carries out %s", async (id) => {
    const { reviewed = [], answer, call } = OPERATIONS[id];
    const walked = await call();
    expect(walked.answer).toMatchObject(answer());
    expect(walked.reviewed).toStrictEqual(reviewed);
  });

  it("gives a mandatory chronicle its own hashes", async () => {
    const { tokenId, owner: signer } = await newAgent();
    const operator = newAccount().address;
    const body = { tokenId, category: "operator_change" as never, data: { operator } as never };
    const { answer, reviewed } = await signed("recordChronicle", { body, signer });
    expect(answer).toMatchObject({ tokenId, category: "technical" });
    expect(reviewed).toStrictEqual([]);
    expect(await handoverVerbs(service).soulOf(tokenId)).toMatchObject({ operator });
  });

  it("refuses a message that it cannot check completely, without a review", async () => {
    const { name, tokenId, owner: signer } = agent;
    const body = { tokenId, addAddress: address() };
    const refused = await client
      .sign("updateDidDocument", { path: { name }, body, signer })
      .catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(ApiError);
    expect(refused).toMatchObject({
      code: "UNVERIFIED_FIELDS",
      message: "The client cannot check archiveId of SetDidArchive.",
    });
  });
});
