import { randomBytes, randomInt } from "node:crypto";
import { type Address, createPublicClient, http, type LocalAccount } from "viem";
import { generatePrivateKey, privateKeyToAccount } from "viem/accounts";
import { ApiError, type Client, createClient, type Submission } from "../../kit/client/index.ts";
import { identityRegistryAbi } from "../../protocol/generated/abi.ts";
import { freshName } from "../../test/fixtures/registrations.ts";
import type { Ledger, Sale } from "./ledger.ts";
import type { Receiver } from "./receiver.ts";
import { sell } from "./sale.ts";
import type { Topology } from "./topology.ts";

const TIMEOUT_MS = 20_000;
const IMAGE = "https://pictures.example/herons.png";
/** Every so many lives end with a sale. */
const SOLD_EVERY = 3;
const SOLD = "passport.transferred";

/** An agent that the load has registered. */
export interface LivingAgent {
  readonly name: string;
  readonly owner: LocalAccount;
  readonly tokenId: number;
  readonly passportId: number;
  /** Whose account has the passport now: the owner's, or a buyer's. */
  holder: Address;
  /** The latest. */
  apiKey: string;
  sale?: Sale;
  /** The seller's access token of before. */
  token?: string;
  hasWebhook?: boolean;
}

/** A client without a credential, at an address of its own, that repeats nothing by itself. */
export function newClient(
  { url, entrance, stack }: Topology,
  retries = 0,
  service = entrance(),
): Client {
  const forwarded = `10.${randomInt(256)}.${randomInt(256)}.${randomInt(1, 255)}`;
  const { chainId, contracts } = stack.deployment;
  return createClient({
    service,
    publicUrl: url,
    deployment: { chainId, contracts: { ...contracts } },
    timeoutMs: TIMEOUT_MS,
    retries,
    fetch(request) {
      request.headers.set("x-forwarded-for", forwarded);
      return fetch(request);
    },
  });
}

/** An owner session for the agents of an account. */
export async function ownerSession(client: Client, owner: LocalAccount): Promise<Client> {
  const { accessToken } = await client.signIn({ signer: owner, scope: ["manage"], flow: "wallet" });
  return client.with({ token: accessToken });
}

/** Lives of agents: registered, read, signed in, with a webhook, a chronicle and a rotated key. */
export function createLoad(topology: Topology, ledger: Ledger, receiver: Receiver) {
  const { deployment } = topology.stack;
  const chain = createPublicClient({ transport: http(topology.node.directUrl) });
  /** Reads for the judgement, each from an address of its own: one address has a limit. */
  const judge = () => newClient(topology, 5);
  const agents: LivingAgent[] = [];
  let lives = 0;

  const passportsOf = (holder: Address) =>
    chain.readContract({
      address: deployment.contracts.identityRegistry,
      abi: identityRegistryAbi,
      functionName: "balanceOf",
      args: [holder],
    });

  async function shownAgent(name: string, holder: Address): Promise<number> {
    const passports = Number(await passportsOf(holder));
    const isListed = await judge()
      .call("getProfile", { path: { name } })
      .then(
        () => true,
        (error: unknown) => {
          if (error instanceof ApiError && error.code === "NOT_FOUND") return false;
          throw error;
        },
      );
    // A passport without its soul, or a soul without its passport, is half a registration.
    return isListed === passports > 0 ? passports : Number.NaN;
  }

  async function register(client: Client): Promise<LivingAgent> {
    const [name, owner] = [freshName(), privateKeyToAccount(generatePrivateKey())];
    let submission: Submission | undefined;
    let agent: LivingAgent | undefined;
    await ledger.write("registration", {
      what: `The registration of ${name}`,
      async send() {
        const { tokenId, passportId, apiKey } = await client.register(
          submission === undefined
            ? {
                soul: {
                  identity: { name, agent_type: "assistant", description: "Counts herons." },
                  soul: { purpose: "Count the herons on the weir." },
                },
                signer: owner,
                publicIdentity: { tagline: "Counts herons.", image: IMAGE },
                onSubmission(made) {
                  submission = made;
                },
              }
            : { resume: submission },
        );
        agent = { name, owner, tokenId, passportId, apiKey, holder: owner.address };
      },
      shown: () => shownAgent(name, agent?.holder ?? owner.address),
    });
    if (agent === undefined) throw new Error(`${name} was registered without an answer.`);
    agents.push(agent);
    return agent;
  }

  async function recordChronicle(client: Client, agent: LivingAgent): Promise<void> {
    const { name, tokenId } = agent;
    const idempotencyKey = crypto.randomUUID();
    const data = { changeType: "task_completed", note: randomBytes(8).toString("hex") };
    await ledger.write("chronicle", {
      what: `The chronicle of ${name}`,
      send: () =>
        client.with({ apiKey: agent.apiKey }).call("recordChronicle", {
          body: { tokenId, category: "achievement", data },
          idempotencyKey,
        }),
      async shown() {
        const { chronicles } = await judge().call("listChronicles", { path: { name } });
        return chronicles.filter(({ category }) => category === "achievement").length;
      },
    });
  }

  async function createWebhook(client: Client, agent: LivingAgent): Promise<void> {
    const { name, tokenId } = agent;
    const idempotencyKey = crypto.randomUUID();
    const url = receiver.urlFor(name);
    await ledger.write("webhook", {
      what: `The webhook of ${name}`,
      send: () =>
        client.with({ apiKey: agent.apiKey }).call("createWebhook", {
          body: { tokenId, url, events: [SOLD] },
          idempotencyKey,
        }),
      async shown() {
        // The buyer's agent shows its own webhooks only; the seller's had to be notified.
        if (agent.sale !== undefined) return receiver.deliveries(name, SOLD);
        const own = judge().with({ apiKey: agent.apiKey });
        const { webhooks } = await own.call("listWebhooks", { query: { tokenId } });
        return webhooks.filter((webhook) => webhook.url === url).length;
      },
    });
    agent.hasWebhook = true;
  }

  async function rotateKey(session: Client, agent: LivingAgent): Promise<void> {
    const { tokenId, apiKey: before } = agent;
    const idempotencyKey = crypto.randomUUID();
    const answers = new Set<string>();
    await ledger.write("rotation", {
      what: `The rotation of the key of ${agent.name}`,
      async send() {
        const { apiKey } = await session.call("rotateKeys", { body: { tokenId }, idempotencyKey });
        answers.add(apiKey);
        agent.apiKey = apiKey;
      },
      async shown() {
        const usable = [...answers].map((apiKey) => isAccepted(judge(), { apiKey }));
        const isOldRefused = !(await isAccepted(judge(), { apiKey: before }));
        const count = (await Promise.all(usable)).filter(Boolean).length;
        return isOldRefused || count === 0 ? count : Number.NaN;
      },
    });
  }

  async function live(): Promise<void> {
    lives += 1;
    const isSold = lives % SOLD_EVERY === 0;
    const client = newClient(topology);
    const agent = await register(client);
    const { name, owner, passportId } = agent;
    const signed = await ledger.timed("sign-in", () =>
      client.signIn({ signer: owner, agentId: passportId, flow: "agent" }),
    );
    agent.token = signed.accessToken;
    await createWebhook(client, agent);
    await recordChronicle(client, agent);
    await ledger.timed("read", () => client.call("listChronicles", { path: { name } }));
    const session = await ledger.timed("sign-in", () => ownerSession(client, owner));
    if (isSold) {
      agent.sale = await sell(topology, agent);
      ledger.sales.push(agent.sale);
    } else await rotateKey(session, agent);
  }

  /** Asks for one of the agents, and judges the answer. */
  async function read(random: number): Promise<void> {
    const agent = agents[Math.floor(random * agents.length)];
    if (agent === undefined) return;
    const client = newClient(topology);
    const at = performance.now();
    const [operation, send] = READS[Math.floor(random * 1_000) % READS.length] as (typeof READS)[0];
    const answer = await ledger
      .timed("read", () => send(client, agent))
      .catch((error: unknown) => {
        if (error instanceof ApiError && error.status === 404) {
          ledger.wrongAbsences.push(
            `${error.operation} of a registered agent answered ${error.code}.`,
          );
        }
      });
    const { sale } = agent;
    if (answer !== true || sale === undefined || at <= (sale.valid?.at ?? sale.at)) return;
    sale.valid = { at, operation };
  }

  return {
    register,
    read,
    /** Whether a life went well. The ledger has what failed. */
    live: () =>
      live().then(
        () => true,
        () => false,
      ),
    /** The sales whose webhook got other than one delivery, one sentence each. */
    wronglyNotified: () =>
      agents
        .filter(({ sale, hasWebhook }) => sale !== undefined && hasWebhook)
        .flatMap(({ name }) => {
          const count = receiver.deliveries(name, SOLD);
          return count === 1 ? [] : [`The sale of ${name} was delivered ${count} times.`];
        }),
  };
}

/** Reads of an agent. Those about its authority resolve to whether it stands. */
const READS = Object.entries<(client: Client, agent: LivingAgent) => Promise<unknown>>({
  getSoulValidity: (client, { tokenId }) =>
    client.call("getSoulValidity", { path: { tokenId } }).then(({ valid }) => valid),
  getProfile: (client, { name }) =>
    client
      .call("getProfile", { path: { name } })
      .then(({ soulValidity }) => soulValidity?.status === "valid"),
  introspectToken: async (client, { token }) =>
    token !== undefined && (await client.call("introspectToken", { body: { token } })).active,
  getDidDocument: (client, { name }) => client.call("getDidDocument", { path: { name } }),
  listChronicles: (client, { name }) => client.call("listChronicles", { path: { name } }),
  listAgents: (client) => client.call("listAgents"),
});

/** Whether the service accepts a credential. */
export function isAccepted(
  client: Client,
  credential: { readonly apiKey: string } | { readonly token: string },
): Promise<boolean> {
  return client
    .with(credential)
    .call("getStatus")
    .then(
      () => true,
      (error: unknown) => {
        if (error instanceof ApiError && error.status === 401) return false;
        throw error;
      },
    );
}
