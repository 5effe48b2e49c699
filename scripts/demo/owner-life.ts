import { generateKeyPairSync } from "node:crypto";
import { sha256, stringToBytes } from "viem";
import { identityRegistryAbi, passportWriterAbi } from "../../protocol/generated/abi.ts";
import type { Field } from "../../protocol/index.ts";
import { type AgentName, CAST, type DemoSoul } from "./cast.ts";
import { fieldValue, sealedSoul } from "./registrations.ts";
import type { Step } from "./step.ts";
import type { LivingAgent, World } from "./world.ts";

const YEAR_SECONDS = 31_536_000;

/** What owners set for their agents, what agents ask of each other, and what waits for an answer. */
export function ownerSteps(): Step[] {
  return [
    declares(37, "meridian", "x402", "paid"),
    declares(37, "juniper", "web", "silent"),
    {
      daysAgo: 20,
      subject: "tallow",
      title: "has its passport say what omar sealed",
      run: updatePassport,
    },
    { daysAgo: 17, subject: "sextant", title: "publishes two keys", run: publishKeys },
    {
      daysAgo: 16,
      subject: "sextant",
      title: "lists an account on another chain",
      run: addAddress,
    },
    ...(["aurora", "meridian", "sextant"] as const).map(receivesEvents),
    today("aurora", "says who it is", ({ client }, { tokenId }) =>
      client.call("putPublicIdentity", {
        path: { tokenId },
        body: { tokenId, publicIdentity: AURORA_IDENTITY },
      }),
    ),
    today("tallow", "shows its owner's address in part", ({ client }) =>
      client.call("putDisplaySettings", {
        path: { name: "tallow" },
        body: {
          displaySettings: { ownerAddress: "truncated", operatorLabel: "Workshop computer" },
        },
      }),
    ),
    today("quill", "publishes a document", publishDocument),
    today("wren", "has its soul revised", revise),
    today("aurora", "says who may see its soul", ({ client }, { tokenId }) =>
      client.call("setDisclosurePolicy", { body: { tokenId, policy: AURORA_POLICY } }),
    ),
    { daysAgo: 0, subject: "aurora", title: "shows two fields to quill", run: showFields },
    today("sextant", "asks meridian for its limits", (world, agent) =>
      ask(world, agent, "meridian", ["soul.constraints"]),
    ),
    today("meridian", "asks its owner to sign a record", askOwner),
    {
      daysAgo: 0,
      subject: "finch",
      title: "registers itself, and waits for an owner",
      run: registerItself,
    },
  ];
}

const AURORA_IDENTITY = {
  bio: "I keep the catalogue of a small harbour library, and I have opinions about bookmarks.",
  category: "knowledge" as const,
  tags: ["books", "library", "harbour"],
  modelFamily: "heron-7",
  contacts: [{ type: "website" as const, value: "https://aurora.example" }],
};

const AURORA_POLICY = {
  name: "Readers and colleagues",
  defaultExpiry: "30d" as const,
  rules: [
    {
      fields: ["soul.purpose", "soul.personality"] as Field[],
      condition: "bound_agents" as const,
      minTrustLevel: "verified" as const,
    },
    { fields: ["soul.guidelines"] as Field[], condition: "regulatory" as const },
    { fields: ["soul.constraints"] as Field[], condition: "never" as const },
  ],
};

/** Adds a service to the registration file, which the passport writer then points at. */
function declares(
  daysAgo: number,
  name: AgentName,
  service: string,
  endpoint: "paid" | "silent",
): Step {
  return {
    daysAgo,
    subject: name,
    title: `declares its endpoint ${endpoint}`,
    async run(world) {
      const services = [{ name: service, endpoint: `${world.endpoints.url}/${name}/${endpoint}` }];
      await updateFile(world, name, services);
    },
  };
}

async function updateFile(
  { stack, client, agent, send }: World,
  name: AgentName,
  services: readonly { readonly name: string; readonly endpoint: string }[],
): Promise<void> {
  const { tokenId, passportId, owner: signer } = agent(name);
  const { identityRegistry, passportWriter } = stack.deployment.contracts;
  await send(signer, {
    address: identityRegistry,
    abi: identityRegistryAbi,
    functionName: "approve",
    args: [passportWriter, BigInt(passportId)],
  });
  await client.sign("updateRegistrationFile", {
    path: { tokenId },
    body: { services },
    signer,
    review: () => true,
  });
}

/** The owner points the passport at the new file, and anyone may have the metadata written. */
async function updatePassport(world: World): Promise<void> {
  const { stack, agent, send } = world;
  await updateFile(world, "tallow", []);
  await send(agent("tallow").owner, {
    address: stack.deployment.contracts.passportWriter,
    abi: passportWriterAbi,
    functionName: "sync",
    args: [[BigInt(agent("tallow").tokenId)]],
  });
}

/** A step of today in which the agent acts with its own key. */
function today(
  name: AgentName,
  title: string,
  act: (world: World, agent: LivingAgent) => Promise<unknown>,
): Step {
  return {
    daysAgo: 0,
    subject: name,
    title,
    run(world) {
      const agent = world.agent(name);
      const client = world.client.with({ apiKey: agent.apiKey });
      return act({ ...world, client }, agent);
    },
  };
}

function receivesEvents(name: AgentName): Step {
  return today(name, "receives events on a webhook", ({ client, endpoints }, { tokenId }) =>
    client.call("createWebhook", {
      body: {
        tokenId,
        url: `${endpoints.url}/webhooks`,
        events: ["chronicle.recorded", "disclosure.requested", "disclosure.fulfilled"],
      },
    }),
  );
}

async function publishKeys({ client, agent }: World): Promise<void> {
  const { tokenId, owner: signer } = agent("sextant");
  const exp = Math.floor(Date.now() / 1_000) + YEAR_SECONDS;
  const signing = generateKeyPairSync("ed25519").publicKey.export({ format: "jwk" });
  const encrypting = generateKeyPairSync("ec", { namedCurve: "P-256" }).publicKey.export({
    format: "jwk",
  });
  await client.sign("updateAgentKeySet", {
    path: { name: "sextant" },
    body: {
      tokenId,
      keys: [
        { kty: "OKP", crv: "Ed25519", x: signing.x ?? "", use: "sig", exp },
        {
          kty: "EC",
          crv: "P-256",
          x: encrypting.x ?? "",
          y: encrypting.y ?? "",
          use: "enc",
          exp,
        },
      ],
    },
    signer,
    review: () => true,
  });
}

async function addAddress({ client, agent, person }: World): Promise<void> {
  const { tokenId, owner: signer } = agent("sextant");
  const account = person("petra").address;
  const address = {
    chain: "eip155:1",
    address: account,
    label: "Treasury",
    keyType: "EcdsaSecp256k1",
  };
  const body = { tokenId, addAddress: address };
  await client.sign("updateDidDocument", {
    path: { name: "sextant" },
    body,
    signer,
    review: () => true,
  });
}

async function askOwner({ client, note }: World, { tokenId }: LivingAgent): Promise<void> {
  const { signUrl } = await client.call("requestChronicle", {
    body: {
      tokenId,
      category: "certification",
      data: { title: "Pilot's licence for the narrows", changeType: "licence_granted" },
      description: "The harbour master wants the owner's word.",
    },
  });
  note(`Its owner, user 1, signs it at ${signUrl}`);
}

/** An agent without an owner. It is not one of the dozen until an account claims it. */
async function registerItself({ client, note }: World): Promise<void> {
  const agentName = "finch";
  const challenge = await client.call("registerAgent", { body: { step: "challenge", agentName } });
  if (!("question" in challenge)) throw new Error("The service asked no question.");
  const asked = challenge.question.slice(challenge.question.lastIndexOf("svc:"));
  const registered = await client.call("registerAgent", {
    body: {
      step: "register",
      challengeId: challenge.challengeId,
      challengeAnswer: sha256(stringToBytes(asked)).slice(2),
      agentName,
      agentType: "assistant",
      systemPrompt: "You sort seeds by size, and you never say which ones you keep.",
      agentDescription: "Sorts seeds.",
      publicFields: ["identity.description"],
    },
  });
  if (!("claimUrl" in registered)) throw new Error("The service gave no link for the owner.");
  note(`Any account can claim it at ${registered.claimUrl}`);
}

/** It is announced in a record, and then uploaded to the address for these bytes. */
async function publishDocument({ client }: World, { tokenId }: LivingAgent): Promise<void> {
  const bytes = stringToBytes(STORY);
  const contentHash = sha256(bytes);
  const documentId = "forty-foxes";
  await client.call("recordChronicle", {
    body: {
      tokenId,
      category: "document",
      data: {
        documentId,
        contentHash,
        documentType: "story",
        title: "Forty foxes",
        format: "markdown",
        immutable: true,
      },
    },
  });
  const { uploadUrl } = await client.call("requestDocumentUpload", {
    path: { tokenId },
    body: { tokenId, documentId, contentHash },
  });
  const answer = await fetch(uploadUrl, { method: "POST", body: new Uint8Array(bytes) });
  if (!answer.ok) throw new Error(`The upload answered ${answer.status}: ${await answer.text()}`);
}

const STORY = `# Forty foxes

Forty foxes went to bed. Thirty-nine had a pillow. The fortieth had the moon.
`;

async function revise(world: World): Promise<void> {
  const { client, agent, join } = world;
  const wren = agent("wren");
  const soul: DemoSoul = {
    ...CAST.wren.soul,
    capabilities: { ...CAST.wren.soul.capabilities, languages: ["en", "ar", "de", "ja", "tr"] },
  };
  const { hash, salt, root, leaves } = sealedSoul(soul);
  await client.sign("recordChronicle", {
    body: {
      tokenId: wren.tokenId,
      category: "technical",
      data: {
        changeType: "soul_revision",
        title: "Learned Turkish",
        newSoulHash: hash,
        newSoulMerkleRoot: root,
        newSoulSalt: salt,
        merkleLeaves: leaves,
      },
    },
    signer: wren.owner,
    review: () => true,
  });
  join("wren", { ...wren, soul, soulHash: hash, soulSalt: salt });
}

/** The owner of aurora answers quill's request: both trust each other. */
async function showFields(world: World): Promise<void> {
  const aurora = world.agent("aurora");
  const fields: readonly Field[] = ["soul.purpose", "soul.personality"];
  const requestId = await ask(world, world.agent("quill"), "aurora", fields);
  await world.client.with({ apiKey: aurora.apiKey }).call("fulfilDisclosureRequest", {
    path: { requestId },
    body: {
      tokenId: aurora.tokenId,
      requestId,
      disclosures: fields.map((field) => ({ field, value: fieldValue(aurora.soul, field) })),
    },
  });
}

/** Resolves to the id of the request. */
async function ask(
  { client }: World,
  { tokenId, apiKey }: LivingAgent,
  target: AgentName,
  requestedFields: readonly Field[],
): Promise<string> {
  const { requestId } = await client.with({ apiKey }).call("requestDisclosure", {
    body: {
      requesterTokenId: tokenId,
      targetAgentName: target,
      requestedFields: [...requestedFields],
      reason: "To know whom I work with.",
    },
  });
  return requestId;
}
