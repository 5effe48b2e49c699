import { randomBytes, randomInt } from "node:crypto";
import { type Address, createPublicClient, http, type LocalAccount } from "viem";
import { generatePrivateKey, privateKeyToAccount } from "viem/accounts";
import { ApiError, type Client, createClient, type Submission } from "../../../kit/client/index.ts";
import { identityRegistryAbi } from "../../../protocol/generated/abi.ts";
import { freshName } from "../../../test/fixtures/registrations.ts";
import type { Ledger } from "./ledger.ts";
import type { Topology } from "./topology.ts";

const TIMEOUT_MS = 20_000;
const IMAGE = "https://pictures.example/herons.png";

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
}

/** A client without a credential, at an address of its own, that repeats nothing by itself. */
export function newClient({ url, stack }: Topology, service = url, retries = 0): Client {
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
export function createLoad(topology: Topology, ledger: Ledger, receiver: string) {
  const { urls, deployment } = topology.stack;
  const chain = createPublicClient({ transport: http(urls.rpc) });
  /** Reads for the judgement, each from an address of its own: one address has a limit. */
  const judge = () => newClient(topology, topology.url, 5);

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
    const url = `${receiver}/${name}`;
    await ledger.write("webhook", {
      what: `The webhook of ${name}`,
      send: () =>
        client.with({ apiKey: agent.apiKey }).call("createWebhook", {
          body: { tokenId, url, events: ["chronicle.recorded"] },
          idempotencyKey,
        }),
      async shown() {
        const own = judge().with({ apiKey: agent.apiKey });
        const { webhooks } = await own.call("listWebhooks", { query: { tokenId } });
        return webhooks.filter((webhook) => webhook.url === url).length;
      },
    });
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
    const client = newClient(topology);
    const agent = await register(client);
    const { name, owner, passportId } = agent;
    await ledger.timed("read", () => client.call("getProfile", { path: { name } }));
    await ledger.timed("read", () => client.call("listAgents"));
    await ledger.timed("sign-in", () =>
      client.signIn({ signer: owner, agentId: passportId, flow: "agent" }),
    );
    await createWebhook(client, agent);
    await recordChronicle(client, agent);
    await ledger.timed("read", () => client.call("listChronicles", { path: { name } }));
    const session = await ledger.timed("sign-in", () => ownerSession(client, owner));
    await rotateKey(session, agent);
  }

  return {
    register,
    /** Never rejects: the ledger has what failed. */
    live: () => live().catch(() => {}),
  };
}

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
